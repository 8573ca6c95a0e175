// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>
#include <unordered_set>
#include <vector>

namespace calibscope {

/// Tensors whose preview is still to be taken, each once: first those that somebody looks at, then
/// the others in the order in which they came.
class PreviewQueue
{
public:
    void replace(const std::vector<int>& tensors);
    void add(int tensor);
    /// Goes to the front.
    void addFirst(int tensor);
    /// These come first as far as they are waiting; replaces what was preferred before.
    void prefer(const std::vector<int>& tensors);
    void remove(int tensor) { m_waiting.erase(tensor); }
    void clear();

    /// The next one, which waits no longer.
    [[nodiscard]] std::optional<int> take();
    [[nodiscard]] std::size_t size() const { return m_waiting.size(); }
    [[nodiscard]] bool isEmpty() const { return m_waiting.empty(); }

private:
    [[nodiscard]] std::optional<int> takeFrom(std::deque<int>& tensors);

    std::unordered_set<int> m_waiting;
    std::deque<int> m_preferred;
    std::deque<int> m_order;  ///< may hold tensors that wait no longer
};

}  // namespace calibscope
