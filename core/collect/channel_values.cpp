// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/channel_values.h"

#include "core/base/error.h"
#include "core/tensor/channel_runs.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace calibscope {

namespace {

/// One channel, as a tensor of its own.
TensorInfo channelInfo(const TensorInfo& whole)
{
    TensorInfo info = whole;
    const std::uint64_t samples = whole.sampleCount();
    info.shape = {samples, samples == 0 ? 0 : whole.valueCount() / whole.channelCount() / samples};
    info.batchAxis = 0;
    info.batchSize = whole.batchAxis ? whole.batchSize : 0;
    info.channelAxis.reset();
    return info;
}

/// Values of a channel, each run of them with where it lies.
struct ChannelRuns
{
    struct Run
    {
        std::size_t count = 0;
        std::uint64_t first = 0;  ///< index among the channel's values
        std::uint64_t batch = 0;
    };
    std::vector<float> values;
    std::vector<Run> runs;  ///< where some values do not count; else empty

    void add(std::span<const float> more, const Run& run)
    {
        values.insert(values.end(), more.begin(), more.end());
        if (!runs.empty() && runs.back().batch == run.batch &&
            runs.back().first + runs.back().count == run.first)
            runs.back().count += run.count;
        else
            runs.push_back(run);
    }

    /// Must outlive the source.
    [[nodiscard]] ValueSource source(const TensorInfo& info) const
    {
        if (!info.mask)
            return sourceOf(info, values);
        return {.info = info,
                .visit =
                    [this](const BlockVisitor& visitor, const Progress&) {
                        std::span<const float> rest(values);
                        for (const Run& run : runs) {
                            visitor({.values = rest.first(run.count),
                                     .firstIndex = run.first,
                                     .batch = run.batch});
                            rest = rest.subspan(run.count);
                        }
                    },
                .isInMemory = true};
    }
};

/// Values of the channels [first, first + count), each in recorded order.
std::vector<ChannelRuns> gather(const ValueSource& source, std::uint64_t first, std::uint64_t count,
                                const Progress& progress)
{
    std::vector<ChannelRuns> channels(count);
    for (ChannelRuns& channel : channels)
        channel.values.reserve(source.info.countedValues() / source.info.channelCount());
    const auto isWanted = [&](std::uint64_t channel) {
        return channel >= first && channel - first < count;
    };
    source.visit(
        [&](const Block& block) {
            if (source.info.mask)
                for (std::uint64_t c = first; c < first + count; ++c)
                    channels[c - first].add(
                        {}, {.first = source.info.indexInChannel(c, block.firstIndex),
                             .batch = block.batch});
            forEachChannelRun(
                source.info, block, [&](std::uint64_t c, std::span<const float> values) {
                    if (!isWanted(c))
                        return;
                    ChannelRuns& channel = channels[c - first];
                    if (source.info.mask)
                        channel.add(values,
                                    {.count = values.size(),
                                     .first = channel.runs.back().first + channel.runs.back().count,
                                     .batch = block.batch});
                    else
                        channel.values.insert(channel.values.end(), values.begin(), values.end());
                });
        },
        progress);
    return channels;
}

}  // namespace

ValueSource sourceOfChannel(const ValueSource& source, std::uint64_t channel)
{
    if (channel >= source.info.channelCount())
        throw Error(Fault::Input, source.info.path + ": there is no channel " +
                                      std::to_string(channel) + ", it has " +
                                      std::to_string(source.info.channelCount()));
    const auto visit = [whole = source, channel](const BlockVisitor& visitor,
                                                 const Progress& progress) {
        std::vector<float> own;
        std::vector<LostValue> lost;
        whole.visit(
            [&](const Block& block) {
                own.clear();
                lost.clear();
                auto next = block.lost.begin();
                forEachRunOf(channel, whole.info, block, [&](std::span<const float> values) {
                    const auto first =
                        static_cast<std::size_t>(values.data() - block.values.data());
                    while (next != block.lost.end() && next->place < first)
                        ++next;
                    for (; next != block.lost.end() && next->place < first + values.size(); ++next)
                        lost.push_back(
                            {.place = static_cast<std::uint32_t>(own.size() + next->place - first),
                             .loss = next->loss});
                    own.insert(own.end(), values.begin(), values.end());
                });
                visitor({.values = own,
                         .firstIndex = whole.info.indexInChannel(channel, block.firstIndex),
                         .batch = block.batch,
                         .lost = lost});
            },
            progress);
    };
    return {.info = channelInfo(source.info), .visit = visit, .isInMemory = source.isInMemory};
}

void visitChannels(const ValueSource& source, std::uint64_t memoryBytes,
                   const ChannelVisitor& visitor, const Progress& progress)
{
    if (!source.info.channelAxis)
        throw std::invalid_argument("channels are visited along a channel axis");
    const std::uint64_t channels = source.info.channelCount();
    const std::uint64_t channelBytes = std::max<std::uint64_t>(
        1, source.info.valueCount() * sizeof(float) / std::max<std::uint64_t>(channels, 1));
    const std::uint64_t group = memoryBytes / channelBytes;
    const auto visit = [&](std::uint64_t channel, const ValueSource& values) {
        visitor(channel, values);
        progress.step((channel + 1) * values.info.valueCount(), source.info.valueCount(), "values");
    };
    if (group == 0) {
        for (std::uint64_t channel = 0; channel < channels; ++channel)
            visit(channel, sourceOfChannel(source, channel));
        return;
    }
    const TensorInfo info = channelInfo(source.info);
    for (std::uint64_t first = 0; first < channels; first += group) {
        const std::uint64_t count = std::min(group, channels - first);
        const std::vector<ChannelRuns> gathered = gather(source, first, count, progress);
        for (std::uint64_t channel = 0; channel < count; ++channel)
            visit(first + channel, gathered[channel].source(info));
    }
}

}  // namespace calibscope
