// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/resampled_band.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace calibscope::samples {

namespace {

/// The 97.5 % point of Student's t: Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5),
/// to 2e-4 from 5 degrees of freedom on; of 1 and 2 as tabled.
double studentPoint(double freedom)
{
    if (freedom < 2.0)
        return 12.706;
    if (freedom < 3.0)
        return 4.303;
    constexpr double z = 1.959963984540054;
    constexpr double z3 = z * z * z;
    constexpr double z5 = z3 * z * z;
    constexpr double z7 = z5 * z * z;
    constexpr double z9 = z7 * z * z;
    return z + (z3 + z) / (4.0 * freedom) +
           (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * std::pow(freedom, 2.0)) +
           (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * std::pow(freedom, 3.0)) +
           (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) /
               (92160.0 * std::pow(freedom, 4.0));
}

}  // namespace

double tailShare(std::uint64_t units)
{
    const auto count = static_cast<double>(units);
    const double point = std::sqrt(count / (count - 1.0)) * studentPoint(count - 1.0);
    return 0.5 * std::erfc(point / std::numbers::sqrt2);
}

Range resampledBand(std::vector<double> results, std::uint64_t units)
{
    std::ranges::sort(results);
    const auto below =
        static_cast<std::size_t>(static_cast<double>(results.size() + 1) * tailShare(units));
    const std::size_t place = std::min(std::max<std::size_t>(below, 1), results.size()) - 1;
    return {results[place], results[results.size() - 1 - place]};
}

}  // namespace calibscope::samples
