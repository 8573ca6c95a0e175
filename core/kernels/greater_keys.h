// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/kept_patterns.h"

#include <cstddef>
#include <span>

namespace calibscope::kernels {

/// Part of a value that is compared.
enum class Key {
    Magnitude,  ///< |x|
    Value,      ///< x
    Negated,    ///< -x
};

struct GreaterKeys
{
    std::size_t kept = 0;
    std::size_t finite = 0;  ///< finite values, kept or not
};

/// Writes the keys of the finite values whose key is above `bound`, in their order, to `keys`,
/// which has `vectorRoom` elements more than there are values. With -infinity all finite ones are
/// kept.
GreaterKeys keepGreater(std::span<const float> values, Key key, float bound, std::span<float> keys);
/// The same, value by value: what the vector form is held against.
GreaterKeys keepGreaterPlain(std::span<const float> values, Key key, float bound,
                             std::span<float> keys);

}  // namespace calibscope::kernels
