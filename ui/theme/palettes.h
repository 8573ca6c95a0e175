// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>

namespace calibscope {

/// Palettes for the Fusion style. Text, disabled text too, has a contrast of at least 4.5 to 1 on
/// what it stands on.
[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();

/// Text is lighter than what it stands on.
[[nodiscard]] bool isDark(const QPalette& palette);

}  // namespace calibscope
