// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/name_endings.h"

namespace calibscope {

namespace {

/// The endings from the shortest on, until `visit` says that it is enough.
template <typename Visit>
void visitEndings(std::string_view name, const Visit& visit)
{
    for (std::size_t begin = name.size(); begin-- > 1;)
        if ((name[begin - 1] == '/' || name[begin - 1] == '.') && !visit(name.substr(begin)))
            return;
    (void)visit(name);
}

}  // namespace

NameEndings::NameEndings(std::span<const std::string_view> names)
{
    for (const std::string_view name : names)
        visitEndings(name, [this](std::string_view ending) {
            ++m_counts[ending];
            return true;
        });
}

std::string_view NameEndings::needed(std::string_view name) const
{
    std::string_view needed = name;
    visitEndings(name, [&](std::string_view ending) {
        needed = ending;
        return m_counts.at(ending) > 1;
    });
    return needed;
}

}  // namespace calibscope
