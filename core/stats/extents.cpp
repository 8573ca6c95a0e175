#include "core/stats/extents.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// How many values lie at the common end of two sets, of which each knows its own end's count.
std::uint64_t countAt(double end, double own, std::uint64_t ownCount, double other,
                      std::uint64_t otherCount)
{
    return (own == end ? ownCount : 0) + (other == end ? otherCount : 0);
}

}  // namespace

void Extents::add(float value)
{
    if (std::isfinite(value)) {
        const double x = static_cast<double>(value) +
                         0.0;  // + 0.0: a negative zero must not become the minimum's sign
        if (finite == 0 || x <= min) {
            atMin = finite == 0 || x < min ? 1 : atMin + 1;
            min = x;
        }
        if (finite == 0 || x >= max) {
            atMax = finite == 0 || x > max ? 1 : atMax + 1;
            max = x;
        }
        absMin = finite == 0 ? std::abs(x) : std::min(absMin, std::abs(x));
        zeros += x == 0.0 ? 1U : 0U;
        ++finite;
    } else if (std::isnan(value)) {
        ++nan;
    } else {
        ++(value > 0.0F ? positiveInf : negativeInf);
    }
}

void Extents::add(std::span<const float> values)
{
    for (const float value : values)
        add(value);
}

Extents& Extents::operator+=(const Extents& other)
{
    if (other.finite > 0) {
        const double least = finite == 0 ? other.min : std::min(min, other.min);
        const double greatest = finite == 0 ? other.max : std::max(max, other.max);
        atMin = countAt(least, min, atMin, other.min, other.atMin);
        atMax = countAt(greatest, max, atMax, other.max, other.atMax);
        min = least;
        max = greatest;
        absMin = finite == 0 ? other.absMin : std::min(absMin, other.absMin);
    }
    finite += other.finite;
    zeros += other.zeros;
    nan += other.nan;
    positiveInf += other.positiveInf;
    negativeInf += other.negativeInf;
    return *this;
}

}  // namespace calibscope
