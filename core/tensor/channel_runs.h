// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace calibscope {

/// Where an axis changes along values in row-major order: value i has the channel
/// i / run % channels. Without an axis, which is the default, all values are of one channel.
struct ChannelAxis
{
    /// Neighbouring values of one channel.
    std::uint64_t run = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t channels = 1;  ///< after which they repeat
    /// Channels that take turns within a run, value by value, where it has several:
    /// (i / run % channels) turns + i % turns. Divides the run.
    std::uint64_t turns = 1;
};

/// Of that axis of that shape. Requires an axis within the shape.
[[nodiscard]] inline ChannelAxis axisWithin(std::span<const std::uint64_t> shape, int axis)
{
    const auto place = static_cast<std::size_t>(axis);
    ChannelAxis result{.run = 1, .channels = shape[place]};
    for (const std::uint64_t length : shape.subspan(place + 1))
        result.run *= length;
    return result;
}

/// Of groups of `group` neighbours along that axis, counted as in a tensor where they are one value.
/// Requires a length that is a whole number of groups.
[[nodiscard]] inline ChannelAxis groupsWithin(std::span<const std::uint64_t> shape, int axis,
                                              std::uint64_t group)
{
    ChannelAxis result = axisWithin(shape, axis);
    result.turns = result.run;
    result.run *= group;
    result.channels = std::numeric_limits<std::uint64_t>::max();  // they never repeat
    return result;
}

/// An axis that may be counted from behind (-1: the last) as counted from the front; nothing for
/// one outside of a shape of that rank.
[[nodiscard]] inline std::optional<int> axisFromFront(int axis, std::size_t rank)
{
    const auto axes = static_cast<int>(rank);
    const int fromFront = axis < 0 ? axis + axes : axis;
    return fromFront < 0 || fromFront >= axes ? std::nullopt : std::optional(fromFront);
}

/// Calls visit(channel, first, count) for the longest runs of values that share a channel, in order:
/// index of the run's first value, and its length. The values are `count` from `first` on.
template <typename Visit>
void forEachRun(const ChannelAxis& axis, std::uint64_t first, std::uint64_t count,
                const Visit& visit)
{
    if (count == 0)
        return;
    const std::uint64_t end = first + count;
    if (axis.turns > 1) {
        for (; first < end; ++first)
            visit(static_cast<std::size_t>(first / axis.run % axis.channels * axis.turns +
                                           first % axis.turns),
                  first, std::uint64_t{1});
        return;
    }
    auto channel = static_cast<std::size_t>(first / axis.run % axis.channels);
    std::uint64_t run = axis.run - first % axis.run;  // the first run may begin inside a channel
    for (; first < end; run = axis.run) {
        run = std::min(run, end - first);
        visit(channel, first, run);
        first += run;
        channel = channel + 1 == axis.channels ? 0 : channel + 1;
    }
}

/// Calls `use(channel, values)` for the longest runs of a block's values that share a channel, in
/// order. Requires a channel axis.
template <typename Use>
void forEachChannelRun(const TensorInfo& info, const Block& block, const Use& use)
{
    forEachRun({.run = info.channelStride(), .channels = info.channelCount()}, block.firstIndex,
               block.values.size(),
               [&](std::uint64_t channel, std::uint64_t first, std::uint64_t count) {
                   use(channel, block.values.subspan(first - block.firstIndex, count));
               });
}

/// Calls `use(channel, loss)` for each value of a block that reading changed. Requires a channel
/// axis.
template <typename Use>
void forEachLostValue(const TensorInfo& info, const Block& block, const Use& use)
{
    for (const LostValue& lost : block.lost)
        use((block.firstIndex + lost.place) / info.channelStride() % info.channelCount(),
            lost.loss);
}

/// Calls `use(values)` for the runs of a block's values that belong to that channel, in order.
/// Requires a channel axis.
template <typename Use>
void forEachRunOf(std::uint64_t channel, const TensorInfo& info, const Block& block, const Use& use)
{
    const std::uint64_t stride = info.channelStride();
    const std::uint64_t period = stride * info.channelCount();
    const std::uint64_t end = block.firstIndex + block.values.size();
    for (std::uint64_t start = block.firstIndex / period * period + channel * stride; start < end;
         start += period) {
        const std::uint64_t from = std::max(start, block.firstIndex);
        const std::uint64_t to = std::min(start + stride, end);
        if (from < to)
            use(block.values.subspan(from - block.firstIndex, to - from));
    }
}

}  // namespace calibscope
