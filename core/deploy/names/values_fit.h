// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <optional>
#include <span>

namespace calibscope::deploy {

/// How a weight as recorded fits the model's, the worst first.
enum class ValuesFit {
    Differ,
    Rounded,  ///< equal to the model's rounded to the type in which they were recorded
    Equal,    ///< every float equal, NaN too
};

/// The nearest value of float16 or bfloat16, ties to even, as frameworks convert; nothing where
/// that is an infinity but `value` is none. Of other types the value itself.
[[nodiscard]] std::optional<float> roundedTo(ElementKind kind, float value);

/// Of as many values on both sides, `recorded` in elements of that type.
[[nodiscard]] ValuesFit valuesFit(std::span<const float> recorded, ElementKind kind,
                                  std::span<const float> values);

}  // namespace calibscope::deploy
