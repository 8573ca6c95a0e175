// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_handle.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

void HandleSelection::setHandles(std::vector<PlotHandle> handles)
{
    m_handles = std::move(handles);
    if (find(m_chosen) == nullptr)
        m_chosen.clear();
    if (!m_held)
        return;
    if (find(m_held->id) == nullptr)
        m_held.reset();
    else
        hold(m_held->id, m_held->value);
}

const PlotHandle* HandleSelection::find(const QString& id) const
{
    const auto found = std::ranges::find(m_handles, id, &PlotHandle::id);
    return found == m_handles.end() ? nullptr : &*found;
}

const PlotHandle* HandleSelection::chosen() const
{
    return m_chosen.isEmpty() ? nullptr : find(m_chosen);
}

bool HandleSelection::chooseNext(bool isForward)
{
    const auto count = static_cast<std::ptrdiff_t>(m_handles.size());
    const PlotHandle* now = chosen();
    const std::ptrdiff_t before = isForward ? -1 : count;
    const std::ptrdiff_t place =
        (now != nullptr ? now - m_handles.data() : before) + (isForward ? 1 : -1);
    if (place < 0 || place >= count) {
        chooseNone();
        return false;
    }
    m_chosen = m_handles[static_cast<std::size_t>(place)].id;
    return true;
}

const PlotHandle* HandleSelection::at(double pixel, const AxisScale& x) const
{
    constexpr double reach = 6.0;
    const PlotHandle* nearest = nullptr;
    double least = reach;
    for (const PlotHandle& handle : m_handles) {
        const double distance = std::abs(x.toPixel(handle.value) - pixel);
        // Of two at one place the chosen one.
        if (distance < least || (distance == least && handle.id == m_chosen)) {
            nearest = &handle;
            least = distance;
        }
    }
    return nearest;
}

double HandleSelection::hold(const QString& id, double value)
{
    const auto handle = std::ranges::find(m_handles, id, &PlotHandle::id);
    if (handle == m_handles.end())
        return value;
    handle->value = std::clamp(value, handle->allowed.low, handle->allowed.high);
    m_held = Held{id, handle->value};
    return handle->value;
}

}  // namespace calibscope
