// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "ui/document/channels_display.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// Findings on a channel, the gravest first.
enum class ChannelState {
    NoValue,    ///< no finite value
    Dead,       ///< all its values are zero
    BelowStep,  ///< effectively dead: all its magnitudes are below one step of the tensor's scale
    Outlier,    ///< its scale is more than outlierFactor times the median, or less than 1 / that
    Plain,
};

constexpr double outlierFactor = 3.0;

struct ChannelFact
{
    double scale = 0.0;
    double timesMedian = 0.0;  ///< 0 where it is dead or has no value
    ChannelState state = ChannelState::Plain;
    /// Integers that its values can become under the tensor's one scale: at most so many levels
    /// are kept of it. 0 without a value; nothing without a scale for the tensor.
    std::optional<std::uint64_t> levelsKept = {};
    Extents extents = {};
};

/// The scales of a tensor's channels against one scale for all.
struct ChannelFacts
{
    std::vector<ChannelFact> channels;
    std::optional<double> tensorScale;
    double median = 0.0;      ///< of the scales of channels that are none of the first three
    double leastScale = 0.0;  ///< of those channels; 0 without any
    double greatestScale = 0.0;

    /// log2 of the greatest over the least scale; 0 without any.
    [[nodiscard]] double spreadBits() const;
    [[nodiscard]] std::size_t countOf(ChannelState state) const;
    /// Channels of which fewer levels are kept, dead ones and those without a value left out.
    [[nodiscard]] std::size_t countBelow(std::uint64_t levels) const;
};

/// Of an outcome with a scale per channel, against one of the same calibrator for the tensor.
[[nodiscard]] ChannelFacts channelFacts(const Outcome& perChannel, const Outcome* perTensor);

/// The channel at each place.
[[nodiscard]] std::vector<std::size_t> channelOrder(const ChannelFacts& facts, ChannelOrder order);

}  // namespace calibscope
