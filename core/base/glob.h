// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace calibscope {

/// Whether the whole text matches a pattern in which `*` stands for any text and `?` for any one
/// byte; all else, brackets included, stands for itself (tensor names hold brackets). An empty
/// pattern matches only an empty text.
[[nodiscard]] bool matchesGlob(std::string_view text, std::string_view pattern);

}  // namespace calibscope
