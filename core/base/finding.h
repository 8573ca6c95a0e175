// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Severity of a finding, ascending.
enum class FindingLevel { Note, Warning, Error };

/// Something to report about a tensor, a model, or a file.
struct Finding
{
    std::string id =
        {};  ///< "clipped-share": the same for all findings of that sort; never shown alone
    FindingLevel level = FindingLevel::Note;
    std::string subject = {};  ///< name of the tensor or entry; empty: all of the model or file
    std::string text;          ///< a sentence, or the part of one that follows the subject's name

    bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

/// A finding whose text begins with its subject: "`subject`: text".
[[nodiscard]] Finding findingOn(std::string subject, FindingLevel level, std::string_view id,
                                std::string_view text);

/// "note", "warning", "error".
[[nodiscard]] std::string_view levelText(FindingLevel level);
/// The level of that text; nothing for any other text.
[[nodiscard]] std::optional<FindingLevel> parseLevel(std::string_view text);

/// The highest level among the findings; nothing for none.
[[nodiscard]] std::optional<FindingLevel> highestLevel(std::span<const Finding> findings);

/// "warning: text".
[[nodiscard]] std::string withLevel(const Finding& finding);

}  // namespace calibscope
