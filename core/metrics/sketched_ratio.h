// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/quantizer.h"
#include "core/stats/magnitude_sketch.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// Signal to noise of a sketch's values under many quantizers, without bounds and in a fraction of
/// SketchErrors' time: every value counts as the mean of its bin, and halves are rounded to even
/// under every scheme. For bands, whose own width is larger than what that leaves open.
class SketchedRatio
{
public:
    explicit SketchedRatio(const MagnitudeSketch& sketch);

    /// Nothing without values.
    [[nodiscard]] std::optional<double> sqnrDb(const Quantizer& quantizer) const;

private:
    std::vector<double> m_values;  ///< means of the bins; filled up with 0 to whole lanes
    std::vector<double> m_counts;
    std::uint64_t m_count = 0;
    double m_sumSquares = 0.0;
};

}  // namespace calibscope
