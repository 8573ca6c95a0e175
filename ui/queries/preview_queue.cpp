// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/preview_queue.h"

namespace calibscope {

void PreviewQueue::replace(const std::vector<int>& tensors)
{
    m_order.assign(tensors.begin(), tensors.end());
    m_waiting = {tensors.begin(), tensors.end()};
}

void PreviewQueue::add(int tensor)
{
    if (m_waiting.insert(tensor).second)
        m_order.push_back(tensor);
}

void PreviewQueue::addFirst(int tensor)
{
    m_waiting.insert(tensor);
    m_order.push_front(tensor);
}

void PreviewQueue::prefer(const std::vector<int>& tensors)
{
    m_preferred.assign(tensors.begin(), tensors.end());
}

void PreviewQueue::clear()
{
    m_waiting.clear();
    m_order.clear();
    m_preferred.clear();
}

std::optional<int> PreviewQueue::take()
{
    if (const std::optional<int> preferred = takeFrom(m_preferred))
        return preferred;
    return takeFrom(m_order);
}

std::optional<int> PreviewQueue::takeFrom(std::deque<int>& tensors)
{
    while (!tensors.empty()) {
        const int tensor = tensors.front();
        tensors.pop_front();
        if (m_waiting.erase(tensor) > 0)
            return tensor;
    }
    return std::nullopt;
}

}  // namespace calibscope
