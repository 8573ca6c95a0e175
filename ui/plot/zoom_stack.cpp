#include "ui/plot/zoom_stack.h"

namespace calibscope {

bool ZoomStack::commit()
{
    if (m_current == m_steps[m_place])
        return false;
    constexpr std::size_t mostSteps = 200;
    m_steps.resize(m_place + 1);
    if (m_steps.size() == mostSteps)
        m_steps.erase(m_steps.begin());
    m_steps.push_back(m_current);
    m_place = m_steps.size() - 1;
    return true;
}

void ZoomStack::revert()
{
    m_current = m_steps[m_place];
}

bool ZoomStack::canGoBack() const
{
    return m_place > 0 || m_current != m_steps[m_place];
}

bool ZoomStack::canGoForward() const
{
    return m_place + 1 < m_steps.size() && m_current == m_steps[m_place];
}

bool ZoomStack::back()
{
    commit();
    if (m_place == 0)
        return false;
    m_current = m_steps[--m_place];
    return true;
}

bool ZoomStack::forward()
{
    if (!canGoForward())
        return false;
    m_current = m_steps[++m_place];
    return true;
}

void ZoomStack::clear()
{
    *this = {};
}

}  // namespace calibscope
