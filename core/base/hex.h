// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace calibscope {

/// Bytes as lower-case hexadecimal digits, two for each.
[[nodiscard]] std::string hexText(std::string_view bytes);

/// The bytes again; nothing for an odd count of digits, and for what is not a lower-case digit.
[[nodiscard]] std::optional<std::string> bytesFromHex(std::string_view text);

}  // namespace calibscope
