// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/calibrators/aimet/averaged_density.h"
#include "core/quant/scheme.h"

#include <optional>

namespace calibscope {

// The searches of AIMET's analyzers on an averaged density, in float32 where the tools are. They
// require that the density has bins. None is global: each tries what the tool tries.

/// Scale and lowest level, as the tool calls them delta and offset: the levels stand for scale
/// offset, scale (offset + 1), ...
struct AimetEncoding
{
    double scale = 0.0;
    double offset = 0.0;
};

/// The scale and the offset that the tool gives to a range which holds 0 (getComputedEncodings): a
/// symmetric scheme's from the farther end.
[[nodiscard]] AimetEncoding aimetEncoding(const Scheme& scheme, const Range& range);

/// PercentileEncodingAnalyzer: the left edges of the first bin at which the running share reaches
/// 1 - p, and of the one behind the last at which it is below p; p of 100 percent takes the
/// observed range. 0 is put into it.
[[nodiscard]] Range densityPercentile(const AveragedDensity& density, double percent);

/// MseEncodingAnalyzer: of all pairs of left edges in the observed range, one below 0 or 0, one
/// above 0 or 0, the first with the least mean squared error of the bins' middles.
[[nodiscard]] Range densityLeastError(const AveragedDensity& density, const Scheme& scheme);

/// TfEnhancedEncodingAnalyzer: scale and offset with the least cost, the mean squared error of the
/// bins' middles where what is clipped counts `clippingWeight` times. Asymmetric: 17 scales with 21
/// offsets each, clamped to the observed range, and that range itself; symmetric: 101 scales up to
/// 1.01 of the largest magnitude's. Nothing if no cost is a number.
[[nodiscard]] std::optional<AimetEncoding>
densityLeastCost(const AveragedDensity& density, const Scheme& scheme, double clippingWeight);

}  // namespace calibscope
