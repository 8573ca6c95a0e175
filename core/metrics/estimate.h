// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/error_bounds.h"
#include "core/metrics/error_tally.h"
#include "core/metrics/spread_bounds.h"
#include "core/stats/magnitude_sketch.h"

#include <cstdint>
#include <vector>

namespace calibscope {

/// Errors under a quantizer, estimated from a sketch.
struct ErrorEstimate
{
    ErrorTally tally;    ///< as if each value had the mean of its bin; zeros are exact
    ErrorBounds bounds;  ///< between what the sums of the exact tally lie for certain
};

/// The values that a sketch was made of, prepared so that their errors under many quantizers can be
/// estimated. Bins of one value, and those whose values all are their low edge (any float16 or
/// bfloat16), are known exactly; of others number, mean and ends are.
class SketchErrors
{
public:
    /// `ends`: least and greatest of the values, which cut the outermost bins. Unused if the sketch
    /// is empty.
    SketchErrors(const MagnitudeSketch& sketch, const Range& ends);

    [[nodiscard]] ErrorEstimate under(const Quantizer& quantizer) const;

private:
    struct Known
    {
        double value = 0.0;
        std::uint64_t count = 0;
    };

    void add(const SketchBin& bin, double sign, double end);
    void addKnown(double value, std::uint64_t count);
    void countMean(double value, std::uint64_t count);
    void countBetween(const Range& ends, double count);

    double m_absMax = 0.0;
    std::vector<Known> m_known;          ///< equal values
    std::vector<ValueSpread> m_spreads;  ///< values that differ
    std::vector<std::uint64_t> m_bins;   ///< common histogram (common_bins.h) of the bins' means
    std::vector<double> m_leastBins;     ///< of values that lie there for certain
    std::vector<double> m_mostBins;      ///< of values that may lie there
    std::uint64_t m_count = 0;
    double m_spreadCount = 0.0;  ///< values in m_spreads
    double m_sumSquares = 0.0;   ///< of the bins' means
    double m_scatter = 0.0;      ///< the most that the values' squares can add to that
};

}  // namespace calibscope
