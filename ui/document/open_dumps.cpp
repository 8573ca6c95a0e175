#include "ui/document/open_dumps.h"

#include <algorithm>

namespace calibscope {

std::optional<std::size_t> OpenDumps::placeOf(const QString& path) const
{
    const auto found = std::ranges::find(m_all, path, &HeldDump::path);
    if (found == m_all.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_all.begin());
}

std::optional<std::size_t> OpenDumps::neighbour(int step) const
{
    const auto count = std::ssize(m_all);
    if (!m_shown || count < 2)
        return std::nullopt;
    const auto place = (static_cast<std::ptrdiff_t>(*m_shown) + step) % count;
    return static_cast<std::size_t>(place < 0 ? place + count : place);
}

void OpenDumps::show(const HeldDump& dump)
{
    m_shown = placeOf(dump.path);
    if (m_shown)
        return;
    m_shown = m_all.size();
    m_all.push_back(dump);
}

void OpenDumps::keepShown(const HeldDump& dump)
{
    if (m_shown)
        m_all[*m_shown] = dump;
}

void OpenDumps::removeShown()
{
    if (!m_shown)
        return;
    m_all.erase(m_all.begin() + static_cast<std::ptrdiff_t>(*m_shown));
    if (m_all.empty())
        m_shown.reset();
    else
        m_shown = std::min(*m_shown, m_all.size() - 1);
}

void OpenDumps::clear()
{
    m_all.clear();
    m_shown.reset();
}

}  // namespace calibscope
