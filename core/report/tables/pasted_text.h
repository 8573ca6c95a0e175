// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace calibscope {

/// A text as a cell of tab-separated values, which programs take from the clipboard and which knows
/// no quotes: tabs and line ends become spaces, and what a spreadsheet would compute ("=1+1", "@x",
/// but no number) gets an apostrophe before it, which tells that it is a text. Valid UTF-8.
[[nodiscard]] std::string pastedText(std::string_view text);

}  // namespace calibscope
