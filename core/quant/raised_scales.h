// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// A scale that was made larger, so that a bias fits its integers.
struct RaisedScale
{
    std::size_t index = 0;  ///< among the scales
    float from = 0.0F;
    float to = 0.0F;

    bool operator==(const RaisedScale&) const = default;
};

struct RaisedScales
{
    std::vector<float> scales;        ///< as many as were given
    std::vector<RaisedScale> raised;  ///< those that changed, ascending
};

/// The scales of a weight, raised where its layer's bias needs it. Kernels hold a bias as int32 in
/// steps of (input's scale) (weight's scale); beyond 2^31 steps it overflows and is lost. So
///
///     s_c := max(s_c, |b_c| / (input's scale 2^30))
///
/// the quotient in double, then rounded to float32. The channel's integers become coarse, but its
/// output moves by no more than K |b_c| 6e-8 with K products in each output.
///
/// Bias i belongs to scale i mod (number of scales): one scale serves all channels, those of a
/// ConvTranspose with groups one channel of every group. Requires scales and input's scale finite
/// and above 0, and a whole multiple of as many biases as scales. Without biases nothing is raised.
/// Nor does a bias that is not finite raise anything, as it fits no integers; where an input's
/// scale is so small that no float32 is large enough, the scale becomes infinite, which is none.
[[nodiscard]] RaisedScales raisedForBiases(std::span<const float> scales, float inputScale,
                                           std::span<const float> biases);

/// "scale raised from 2e-10 to 4e-09 so that the bias fits", shortest texts of both float32.
[[nodiscard]] std::string raisedNote(const RaisedScale& raised);
/// The same of all that were raised: "scale raised ..." of one that serves the whole tensor, "scale
/// of channel 7 raised ..."; of several their count and the one that changed most. Empty for none.
[[nodiscard]] std::string raisedNote(const RaisedScales& result);

}  // namespace calibscope
