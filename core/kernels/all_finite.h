// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace calibscope::kernels {

/// Whether no value is NaN or infinite.
[[nodiscard]] bool allFinite(std::span<const float> values);
/// The same, value by value: what the vector form is held against.
[[nodiscard]] bool allFinitePlain(std::span<const float> values);

}  // namespace calibscope::kernels
