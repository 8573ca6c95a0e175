// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/finding.h"

#include <algorithm>
#include <utility>

namespace calibscope {

Finding findingOn(std::string subject, FindingLevel level, std::string_view id,
                  std::string_view text)
{
    std::string sentence = "`" + subject + "`: " + std::string(text);
    return {.id = std::string(id),
            .level = level,
            .subject = std::move(subject),
            .text = std::move(sentence)};
}

std::string_view levelText(FindingLevel level)
{
    switch (level) {
    case FindingLevel::Note: return "note";
    case FindingLevel::Warning: return "warning";
    case FindingLevel::Error: return "error";
    }
    return {};
}

std::optional<FindingLevel> parseLevel(std::string_view text)
{
    for (const FindingLevel level :
         {FindingLevel::Note, FindingLevel::Warning, FindingLevel::Error})
        if (levelText(level) == text)
            return level;
    return std::nullopt;
}

std::optional<FindingLevel> highestLevel(std::span<const Finding> findings)
{
    if (findings.empty())
        return std::nullopt;
    return std::ranges::max_element(findings, {}, &Finding::level)->level;
}

std::string withLevel(const Finding& finding)
{
    return std::string(levelText(finding.level)) + ": " + finding.text;
}

}  // namespace calibscope
