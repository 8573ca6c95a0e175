// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace calibscope {

/// Whether `left` comes first where runs of digits count as numbers and the case of ASCII letters
/// is ignored: block2 before block10. Of names that are alike so far the one with the lesser bytes
/// comes first (a007 before a7): only equal names are equal.
[[nodiscard]] bool naturallyBefore(std::string_view left, std::string_view right);

/// The same where case matters.
[[nodiscard]] bool naturallyBeforeWithCase(std::string_view left, std::string_view right);

}  // namespace calibscope
