// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/history.h"

#include "ui/document/workbench.h"

#include <utility>

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

void History::record(const QString& text, const QString& mergeKey, const Workbench& before,
                     const Workbench& after)
{
    m_undone.clear();
    const bool continues =
        m_isOpen && !mergeKey.isEmpty() && !m_done.empty() && m_done.back().mergeKey == mergeKey;
    m_isOpen = true;
    if (!continues) {
        m_done.push_back({text, mergeKey, before, after});
        if (m_done.size() > mostSteps)
            m_done.pop_front();
        return;
    }
    Step& last = m_done.back();
    last.text = text;
    last.after = after;
    if (last.before == last.after) {
        m_done.pop_back();
        m_isOpen = false;  // what is now the last step ended before this one began
    }
}

void History::clear()
{
    m_done.clear();
    m_undone.clear();
    m_isOpen = false;
}

void History::takeShared(const Workbench& shared)
{
    const auto rebase = [&shared](auto& steps) {
        for (Step& step : steps) {
            step.before = joined(step.before, shared);
            step.after = joined(step.after, shared);
        }
        std::erase_if(steps, [](const Step& step) { return step.before == step.after; });
    };
    rebase(m_done);
    rebase(m_undone);
    m_isOpen = false;
}

QString History::undoText() const
{
    return m_done.empty() ? QString() : m_done.back().text;
}

QString History::redoText() const
{
    return m_undone.empty() ? QString() : m_undone.back().text;
}

std::optional<Workbench> History::undo()
{
    if (m_done.empty())
        return std::nullopt;
    m_isOpen = false;
    m_undone.push_back(std::move(m_done.back()));
    m_done.pop_back();
    return m_undone.back().before;
}

std::optional<Workbench> History::redo()
{
    if (m_undone.empty())
        return std::nullopt;
    m_isOpen = false;
    m_done.push_back(std::move(m_undone.back()));
    m_undone.pop_back();
    return m_done.back().after;
}

QStringList History::steps() const
{
    QStringList texts;
    for (const Step& step : m_done)
        texts += step.text;
    for (auto step = m_undone.rbegin(); step != m_undone.rend(); ++step)
        texts += step->text;
    return texts;
}

std::optional<Workbench> History::goTo(std::size_t done)
{
    std::optional<Workbench> there;
    if (done > m_done.size() + m_undone.size())
        return there;
    while (m_done.size() > done)
        there = undo();
    while (m_done.size() < done)
        there = redo();
    return there;
}

}  // namespace calibscope
