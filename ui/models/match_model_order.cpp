// Which rows MatchModel shows, and in which order.
#include "ui/models/match_model.h"
#include "ui/models/natural_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

bool holds(const std::string& name, const QString& part)
{
    return QString::fromStdString(name).contains(part, Qt::CaseInsensitive);
}

}  // namespace

std::optional<double> movedSteps(const DriftRow& row)
{
    const DriftCell* cell = row.recipeCell();
    return row.drift && cell && cell->scaleOfA > 0.0
               ? std::optional(row.drift->earthMover / cell->scaleOfA)
               : std::nullopt;
}

bool hasNoDrift(const DriftRow& row)
{
    return row.drift && row.drift->earthMover == 0.0 && row.drift->klDivergence == 0.0 &&
           row.drift->maxRatio == 1.0;
}

bool MatchModel::isShown(Group group, int place) const
{
    if (!m_filter.isEmpty() && !holds(tensorOf(group, place).name, m_filter) &&
        (group != Group::Pairs || !holds(counterpartOf(place).name, m_filter)))
        return false;
    if (group != Group::Pairs || m_leastSteps <= 0.0)
        return true;
    const std::optional<double> steps = movedSteps(m_comparison.drift().row(place));
    return !steps || *steps >= m_leastSteps;
}

std::vector<int> MatchModel::sorted(Group group, std::vector<int> places) const
{
    if (group != Group::Pairs)
        std::ranges::sort(places);
    else if (m_sortColumn == Tensor || m_sortColumn == Counterpart || m_sortColumn == Rule)
        sortByText(places);
    else
        sortByNumber(places);
    return places;
}

void MatchModel::sortByText(std::vector<int>& pairs) const
{
    std::ranges::stable_sort(pairs, [this](int one, int other) {
        const QString text = pairText(one, m_sortColumn);
        const QString otherText = pairText(other, m_sortColumn);
        return m_order == Qt::AscendingOrder ? naturalLess(text, otherText)
                                             : naturalLess(otherText, text);
    });
}

/// What has no number comes last, whichever way. Keys are made once: there may be thousands.
void MatchModel::sortByNumber(std::vector<int>& pairs) const
{
    using Key = std::array<double, 6>;  // the greatest goes first
    std::vector<std::pair<Key, int>> keyed;
    keyed.reserve(pairs.size());
    for (const int pair : pairs) {
        if (m_sortColumn >= 0) {
            const std::optional<double> value = number(pair, m_sortColumn);
            const double sign = m_order == Qt::AscendingOrder ? -1.0 : 1.0;
            keyed.emplace_back(Key{value ? 1.0 : 0.0, sign * value.value_or(0.0)}, pair);
            continue;
        }
        const DriftRow& row = m_comparison.drift().row(pair);
        const Drift drift = row.drift.value_or(Drift{});
        const TensorPair& places = m_comparison.matches().pairs[static_cast<std::size_t>(pair)];
        keyed.emplace_back(Key{row.problem.isEmpty() ? 0.0 : 1.0, places.isSameShape ? 0.0 : 1.0,
                               row.drift ? 1.0 : 0.0, drift.earthMoverShare, drift.klDivergence,
                               std::abs(std::log(drift.maxRatio))},
                           pair);
    }
    std::ranges::stable_sort(keyed, std::ranges::greater(), &std::pair<Key, int>::first);
    std::ranges::transform(keyed, pairs.begin(), &std::pair<Key, int>::second);
}

std::optional<double> MatchModel::number(int pair, int column) const
{
    const DriftRow& row = m_comparison.drift().row(pair);
    const DriftCell* recipe = row.recipeCell();
    switch (column) {
    case Shape:
        return m_comparison.matches().pairs[static_cast<std::size_t>(pair)].isSameShape ? 0.0 : 1.0;
    case Moved: return row.drift ? std::optional(row.drift->earthMoverShare) : std::nullopt;
    case Kl: return row.drift ? std::optional(row.drift->klDivergence) : std::nullopt;
    case MaxRatio: return row.drift ? std::optional(row.drift->maxRatio) : std::nullopt;
    case ScaleRatio: return recipe ? recipe->scaleRatio : std::nullopt;
    case LossDb: return recipe ? recipe->sqnrLossDb : std::nullopt;
    default: break;
    }
    const auto label = static_cast<std::size_t>(column - FixedColumns);
    if (column < FixedColumns || label >= m_labels.size())
        return std::nullopt;
    const auto cell = row.cells.find(m_labels[label]);
    return cell == row.cells.end() ? std::nullopt : cell->second.scaleRatio;
}

}  // namespace calibscope
