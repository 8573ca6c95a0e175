// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace calibscope::layouts {

/// Whether two names differ in one letter, and not only in upper and lower case.
[[nodiscard]] bool isOneLetterOff(std::string_view name, std::string_view other);

/// The well-known operator whose name differs from this one in one letter; empty where none does,
/// where this is a name of its own, too, or where only upper and lower case differ. Texts of
/// attributes have no checksum in HDF5 files.
[[nodiscard]] std::string_view operatorMeant(std::string_view op);

}  // namespace calibscope::layouts
