// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace calibscope {

/// The nearest float32, ties to even, as a double: infinite where that is beyond float32's largest
/// number, NaN of NaN, -0 of -0. Every rounding to float32 that is carried on in double goes
/// through here. GCC 12 drops the rounding of two such values that are stored side by side (from
/// -O2 on, by -ftree-slp-vectorize): a cast alone is not safe, a volatile is.
[[nodiscard]] inline double toFloat32(double value)
{
    const volatile float rounded = static_cast<float>(value);
    return static_cast<double>(rounded);
}

}  // namespace calibscope
