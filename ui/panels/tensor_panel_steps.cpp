// Where to go from a tensor in TensorPanel.
#include "ui/panels/tensor_panel.h"

#include <algorithm>
#include <tuple>

namespace calibscope {

int TensorPanel::neighbour(int tensor, int step) const
{
    const std::vector<int> shown = m_shown.shownTensors();
    const auto place = std::ranges::find(shown, tensor);
    if (place == shown.end())
        return shown.empty() ? -1 : shown.front();
    const auto target = (place - shown.begin()) + step;
    return target < 0 || target >= std::ssize(shown) ? -1 : shown[static_cast<std::size_t>(target)];
}

template <typename Condition>
int TensorPanel::nextThat(int tensor, Condition isWanted) const
{
    std::vector<int> shown = m_shown.shownTensors();
    const auto place = std::ranges::find(shown, tensor);
    if (place != shown.end())
        std::ranges::rotate(shown, place + 1);
    const auto found = std::ranges::find_if(shown, isWanted);
    return found == shown.end() ? -1 : *found;
}

int TensorPanel::nextFlagged(int tensor) const
{
    return nextThat(tensor, [this](int other) {
        return m_tensors.flagsOf(other).hasWarning() && !m_tensors.isExcluded(other);
    });
}

int TensorPanel::nextGuess(int tensor) const
{
    return nextThat(tensor, [this](int other) { return m_tensors.tensor(other).isGuess; });
}

int TensorPanel::nextWorst(int tensor) const
{
    std::vector<std::pair<double, int>> bySqnr;
    std::pair<double, int> current{-1e300, -1};
    for (const int candidate : m_shown.shownTensors()) {
        const protocol::Preview* preview = m_tensors.preview(candidate);
        if (!preview || !preview->sqnrDb || m_tensors.isExcluded(candidate))
            continue;
        bySqnr.emplace_back(*preview->sqnrDb, candidate);
        if (candidate == tensor)
            current = bySqnr.back();
    }
    std::ranges::sort(bySqnr);
    const auto next = std::ranges::upper_bound(bySqnr, current);
    if (bySqnr.empty())
        return -1;
    return next == bySqnr.end() ? bySqnr.front().second : next->second;
}

}  // namespace calibscope
