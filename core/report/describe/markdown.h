// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Pieces of Markdown, for pages that are written from descriptors.
namespace calibscope::markdown {

/// The text between backquotes; nothing for an empty text.
[[nodiscard]] std::string code(std::string_view text);
/// Each text between backquotes, separated by commas.
[[nodiscard]] std::string codes(const std::vector<std::string>& texts);
/// A list of one point for each text.
[[nodiscard]] std::string points(const std::vector<std::string>& texts);
/// A table with its line of dashes. Vertical bars in cells are escaped; each row has as many cells
/// as the head. Ends with a line feed; nothing without rows.
[[nodiscard]] std::string table(const std::vector<std::string>& head,
                                const std::vector<std::vector<std::string>>& rows);

}  // namespace calibscope::markdown
