// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace calibscope::layers {

/// Share of the input's channels in the factors, and the least factor.
struct FactorRule
{
    double alpha = 0.5;  ///< 0: the weight alone, 1: the input alone
    double low = 1.0;    ///< 1: no channel gets louder; the largest factor is 64
};

/// Factors s of a layer's input channels, x / s and W s computing the same, from each channel's
/// largest magnitudes in the input and in the weight:
///
///     f_c = a_c^alpha / w_c^(1 - alpha)     s_c = clip(f_c / median of the live f, low, 64)
///
/// in float32; 1 of a channel without an input or a weight above 0, and of all where none has both.
/// Source: Xiao et al., SmoothQuant, ICML 2023, section 4; there without the median and the clip. With
/// `low` 1 channels that were quiet in a recording get no louder, and no less room.
[[nodiscard]] std::vector<float> channelFactors(std::span<const double> inputLargest,
                                                std::span<const double> weightLargest,
                                                const FactorRule& rule);

}  // namespace calibscope::layers
