// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/raised_scales.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

namespace calibscope {

namespace {

constexpr double mostBiasSteps = 1073741824.0;  // 2^30: half of int32's, as float32 scales round

std::string scaleText(float scale)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), scale).ptr;
    return {text.data(), end};
}

std::string changeText(const RaisedScale& raised)
{
    return "from " + scaleText(raised.from) + " to " + scaleText(raised.to);
}

}  // namespace

RaisedScales raisedForBiases(std::span<const float> scales, float inputScale,
                             std::span<const float> biases)
{
    assert(!scales.empty() && biases.size() % scales.size() == 0);
    RaisedScales result{.scales = {scales.begin(), scales.end()}};
    for (std::size_t i = 0; i < biases.size(); ++i) {
        const double bias = std::abs(static_cast<double>(biases[i]));
        if (!std::isfinite(bias))
            continue;
        const auto least =
            static_cast<float>(bias / (static_cast<double>(inputScale) * mostBiasSteps));
        float& scale = result.scales[i % scales.size()];
        scale = std::max(scale, least);
    }
    for (std::size_t i = 0; i < scales.size(); ++i)
        if (result.scales[i] > scales[i])
            result.raised.push_back({.index = i, .from = scales[i], .to = result.scales[i]});
    return result;
}

std::string raisedNote(const RaisedScale& raised)
{
    return "scale raised " + changeText(raised) + " so that the bias fits";
}

std::string raisedNote(const RaisedScales& result)
{
    if (result.raised.empty())
        return {};
    if (result.scales.size() == 1)
        return raisedNote(result.raised.front());
    const auto most = std::ranges::max_element(result.raised, {}, [](const RaisedScale& raised) {
        return static_cast<double>(raised.to) / static_cast<double>(raised.from);
    });
    const std::string channel = "channel " + numberText(std::uint64_t{most->index});
    if (result.raised.size() == 1)
        return "scale of " + channel + " raised " + changeText(*most) + " so that the bias fits";
    return "scales of " + numberText(std::uint64_t{result.raised.size()}) +
           " channels raised so that the biases fit, most that of " + channel + ", " +
           changeText(*most);
}

}  // namespace calibscope
