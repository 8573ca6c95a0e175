// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/moments.h"

#include "core/kernels/power_sums.h"

#include <cmath>
#include <limits>

namespace calibscope {

void Moments::add(std::span<const float> block)
{
    constexpr std::size_t piece = 4096;  // keeps all sweeps over it in the first cache level
    for (std::size_t first = 0; first < block.size(); first += piece) {
        const auto values = block.subspan(first, std::min(piece, block.size() - first));
        const std::uint64_t before = extents.finite;
        extents.add(values);
        const std::uint64_t finite = extents.finite - before;
        merge(before, finite, kernels::powerSums(values, finite));
    }
}

/// Merges the sums over so many further values.
void Moments::merge(std::uint64_t before, std::uint64_t added, const kernels::PowerSums& other)
{
    if (added == 0)
        return;
    const double na = static_cast<double>(before);
    const double nb = static_cast<double>(added);
    const double n = na + nb;
    const double d = other.mean - mean;
    const double d2 = d * d;
    m4 += other.m4 + d2 * d2 * na * nb * (na * na - na * nb + nb * nb) / (n * n * n) +
          6.0 * d2 * (na * na * other.m2 + nb * nb * m2) / (n * n) +
          4.0 * d * (na * other.m3 - nb * m3) / n;
    m3 +=
        other.m3 + d2 * d * na * nb * (na - nb) / (n * n) + 3.0 * d * (na * other.m2 - nb * m2) / n;
    m2 += other.m2 + d2 * na * nb / n;
    sum += other.sum;
    sumSquares += other.sumSquares;
    mean = before == 0 ? other.mean : mean + d * nb / n;
}

double Moments::standardDeviation() const
{
    return extents.finite == 0 ? 0.0 : std::sqrt(m2 / static_cast<double>(extents.finite));
}

double Moments::kurtosis() const
{
    if (!(m2 > 0.0))
        return std::numeric_limits<double>::quiet_NaN();
    return m4 * static_cast<double>(extents.finite) / (m2 * m2) - 3.0;
}

}  // namespace calibscope
