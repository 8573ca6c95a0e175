#include "ui/document/navigation.h"

namespace calibscope {

void Navigation::visit(const std::string& path)
{
    if (!m_visited.empty() && m_visited[m_here] == path)
        return;
    if (!m_visited.empty())
        m_visited.resize(m_here + 1);
    m_visited.push_back(path);
    if (m_visited.size() > mostVisited)
        m_visited.erase(m_visited.begin());
    m_here = m_visited.size() - 1;
}

void Navigation::clear()
{
    m_visited.clear();
    m_here = 0;
}

std::optional<std::string> Navigation::back()
{
    if (!canGoBack())
        return std::nullopt;
    return m_visited[--m_here];
}

std::optional<std::string> Navigation::forward()
{
    if (!canGoForward())
        return std::nullopt;
    return m_visited[++m_here];
}

}  // namespace calibscope
