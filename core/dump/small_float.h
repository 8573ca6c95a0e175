// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <array>
#include <limits>

namespace calibscope {

static_assert(std::numeric_limits<float>::is_iec559, "float is taken for binary32");

/// The values of the 256 patterns of an 8-bit float: of a kind from Float8E4m3fn to
/// Float8E4m3b11fnuz. Exact.
[[nodiscard]] const std::array<float, 256>& float8Values(ElementType::Kind kind);

}  // namespace calibscope
