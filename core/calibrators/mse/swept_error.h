// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/mse/quantization_error.h"

#include <vector>

namespace calibscope {

/// Errors of many quantizers on one distribution: what quantizationError() gives within
/// sweptTolerance, several times faster where the bins are equal and more than the levels.
class SweptError
{
public:
    /// Refers to `mass`.
    explicit SweptError(const HistogramMass& mass);

    [[nodiscard]] SplitError at(const Quantizer& quantizer) const;

private:
    /// Sums over the bins before one, and what it holds itself.
    struct Before
    {
        double count = 0.0;
        double sum = 0.0;
        double held = 0.0;
        double edge = 0.0;
    };

    /// Whether the values outside the clip range all become the outer levels, so that each further
    /// level has one cell between two borders.
    [[nodiscard]] bool onlyEndsAreClipped(const Quantizer& quantizer, int first, int last) const;

    const HistogramMass& m_mass;
    std::vector<Before> m_before;  ///< one more than bins; empty where the bins are not equal
    double m_width = 0.0;
    double m_shift = 0.0;  ///< of a place in bins: where the mass of a bin lies at its centre
};

/// Relative difference of SweptError from quantizationError(), at most.
constexpr double sweptTolerance = 1e-8;

}  // namespace calibscope
