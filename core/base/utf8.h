#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace calibscope {

/// The text with every byte that is no part of valid UTF-8 replaced by U+FFFD, so that a name from
/// a damaged file cannot make an output unreadable. Surrogates and overlong forms are invalid.
[[nodiscard]] std::string validUtf8(std::string_view text);

/// Number of code points of a valid UTF-8 text.
[[nodiscard]] std::size_t codePoints(std::string_view text);

}  // namespace calibscope
