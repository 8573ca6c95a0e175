// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>

namespace calibscope {

/// How often each ending of some names is there: whole parts, which lie between "/" and ".". The
/// names must outlive it.
class NameEndings
{
public:
    explicit NameEndings(std::span<const std::string_view> names);

    /// The shortest ending of one of the names that no other has; all of it if there is none.
    [[nodiscard]] std::string_view needed(std::string_view name) const;

private:
    std::unordered_map<std::string_view, int> m_counts;
};

}  // namespace calibscope
