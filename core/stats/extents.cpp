#include "core/stats/extents.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

void Extents::add(float value)
{
    if (std::isfinite(value)) {
        const double x = static_cast<double>(value) +
                         0.0;  // + 0.0: a negative zero must not become the minimum's sign
        min = finite == 0 ? x : std::min(min, x);
        max = finite == 0 ? x : std::max(max, x);
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
        min = finite == 0 ? other.min : std::min(min, other.min);
        max = finite == 0 ? other.max : std::max(max, other.max);
    }
    finite += other.finite;
    zeros += other.zeros;
    nan += other.nan;
    positiveInf += other.positiveInf;
    negativeInf += other.negativeInf;
    return *this;
}

}  // namespace calibscope
