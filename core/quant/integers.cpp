// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/integers.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace calibscope {

int integerOf(float value, const IntegerScale& scale)
{
    assert(!std::isnan(value));
    // Rounding leaves floats beyond 2^23 alone, so clamping first changes nothing, and the sum with
    // the zero point is exact.
    const float steps = std::clamp(std::nearbyint(value / scale.scale), -65536.0F, 65536.0F);
    return std::clamp(static_cast<int>(steps) + scale.zeroPoint, scale.low, scale.high);
}

float fromInteger(int integer, const IntegerScale& scale)
{
    return static_cast<float>(integer - scale.zeroPoint) * scale.scale;
}

}  // namespace calibscope
