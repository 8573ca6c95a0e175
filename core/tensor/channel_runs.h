#pragma once

#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace calibscope {

/// Calls `use(channel, values)` for the longest runs of a block's values that share a channel, in
/// order. Requires a channel axis.
template <typename Use>
void forEachChannelRun(const TensorInfo& info, const Block& block, const Use& use)
{
    const std::uint64_t stride = info.channelStride();
    const std::uint64_t channels = info.channelCount();
    std::uint64_t channel = block.firstIndex / stride % channels;
    std::uint64_t run =
        stride - block.firstIndex % stride;  // the first run may begin inside a channel
    for (std::size_t first = 0; first < block.values.size();) {
        const std::size_t count = std::min<std::uint64_t>(run, block.values.size() - first);
        use(channel, block.values.subspan(first, count));
        first += count;
        run = stride;
        channel = channel + 1 == channels ? 0 : channel + 1;
    }
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
