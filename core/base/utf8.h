// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace calibscope {

/// The text with every byte that is no part of valid UTF-8 replaced by U+FFFD, so that a name from
/// a damaged file cannot make an output unreadable. Surrogates and overlong forms are invalid.
[[nodiscard]] std::string validUtf8(std::string_view text);

/// The text as one line that a terminal or a label shows and does not obey: names come from other
/// people's files. Valid UTF-8; control characters (U+0000-1F, U+007F) become spaces, U+0080-9F,
/// the separators U+2028-9 and what turns the direction of writing (U+202A-E, U+2066-9) become
/// U+FFFD. Used where sentences leave the program.
[[nodiscard]] std::string shownLine(std::string_view text);

constexpr std::size_t sentenceLimit = 4096;  ///< bytes of a sentence, uncut
/// The text, of one that is longer than sentenceLimit the beginning, an ellipsis and the end: a
/// name may be of any length, and behind it stand the reason and the remedy.
[[nodiscard]] std::string shortened(std::string text);

/// Number of code points of a valid UTF-8 text.
[[nodiscard]] std::size_t codePoints(std::string_view text);

}  // namespace calibscope
