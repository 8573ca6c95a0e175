#pragma once

#include "core/quant/quantizer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Everything that the metrics need of a tensor and its quantizer, summed over the values in one
/// pass.
struct ErrorTally
{
    Quantizer quantizer;
    double absMax = 0.0;               ///< of the whole tensor: range of the common histogram of KL
    std::uint64_t count = 0;           ///< finite values
    std::uint64_t clipped = 0;         ///< of these, outside the clip range
    double sumSquares = 0.0;           ///< sum of x^2
    double sumSquaresQuantized = 0.0;  ///< sum of fq(x)^2
    double sumProducts = 0.0;          ///< sum of x fq(x)
    double squaredRounding = 0.0;      ///< sum of (x - fq(x))^2 of values that are not clipped
    double squaredClipping = 0.0;      ///< the same of clipped values
    double maxError = 0.0;             ///< largest |x - fq(x)|
    std::vector<std::uint64_t> levelCounts;  ///< values by integer level, from lowLevel on
    std::vector<std::uint64_t> bins;         ///< common histogram: 2048 bins over [-absMax, absMax]

    ErrorTally() = default;
    ErrorTally(const Quantizer& quantizer, double absMax);

    /// Counts the finite values exactly.
    void add(std::span<const float> values);
    /// Counts `weight` values near `value` as if all had that value: for estimates from a sketch.
    void add(double value, std::uint64_t weight);
    /// Adds another tally's sums (of another block, or of another channel under its own quantizer).
    ErrorTally& operator+=(const ErrorTally& other);
};

}  // namespace calibscope
