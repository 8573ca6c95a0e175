#pragma once

#include "core/kernels/power_sums.h"
#include "core/stats/extents.h"

#include <span>

namespace calibscope {

/// Count, ends and the first four moments of the finite values.
///
/// Each block is summed in itself (mean first, then powers of the distance from it), then merged in
/// block order (Pebay 2008, SAND2008-6212): the same bits for any number of threads on one file,
/// 1e-12 relative between layouts.
struct Moments
{
    Extents extents;
    double sum = 0.0;
    double sumSquares = 0.0;
    double mean = 0.0;
    double m2 = 0.0;  ///< sum of (x - mean)^2; m3 and m4 likewise
    double m3 = 0.0;
    double m4 = 0.0;

    /// Merges the moments of one more block of values.
    void add(std::span<const float> block);
    Moments& operator+=(const Moments& other);

    /// Population standard deviation; 0 for fewer than one finite value.
    [[nodiscard]] double standardDeviation() const;
    /// Excess kurtosis m4 n / m2^2 - 3 (a Gaussian has 0); NaN for constant or no data.
    [[nodiscard]] double kurtosis() const;

private:
    void merge(std::uint64_t before, std::uint64_t added, const kernels::PowerSums& other);
};

}  // namespace calibscope
