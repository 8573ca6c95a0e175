// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Of `known` the word that `word` was probably meant to be: the shortest that begins with it (from
/// two letters on), else the nearest by letters that are missing, added, changed or swapped with
/// the next, of which one in three may be (at least one); the first of several. Empty where none is
/// near, and for words of more than 64 bytes.
[[nodiscard]] std::string nearestWord(std::string_view word, const std::vector<std::string>& known);

}  // namespace calibscope
