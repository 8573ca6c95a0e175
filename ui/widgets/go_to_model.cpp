#include "ui/widgets/go_to_model.h"

#include "ui/widgets/fuzzy_match.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace calibscope {

void GoToModel::setDestinations(std::vector<Destination> destinations)
{
    m_destinations = std::move(destinations);
    m_searched.clear();
    for (const Destination& destination : m_destinations)
        m_searched.push_back((destination.text + u' ' + destination.kind).toLower());
    setQuery({});
}

void GoToModel::setQuery(const QString& query)
{
    struct Match
    {
        int score;
        bool isFirst;
        std::size_t place;
    };
    const QString wanted = query.trimmed().toLower();
    std::vector<Match> matches;
    for (std::size_t place = 0; place < m_searched.size(); ++place)
        // Without a query all keep their order: neither score nor length says anything.
        if (const std::optional<int> score =
                wanted.isEmpty() ? 0 : fuzzyScore(wanted, m_searched[place]))
            matches.push_back({*score, m_destinations[place].isFirst, place});
    const auto shown = std::min<std::size_t>(matches.size(), most);
    const auto isBetter = [](const Match& left, const Match& right) {
        return std::tuple(-left.score, !left.isFirst, left.place) <
               std::tuple(-right.score, !right.isFirst, right.place);
    };
    std::ranges::partial_sort(matches, matches.begin() + static_cast<std::ptrdiff_t>(shown),
                              isBetter);
    beginResetModel();
    m_matchCount = static_cast<int>(matches.size());
    m_rows.clear();
    for (std::size_t row = 0; row < shown; ++row)
        m_rows.push_back(matches[row].place);
    endResetModel();
}

void GoToModel::go(int row) const
{
    if (row >= 0 && row < rowCount())
        m_destinations[m_rows[static_cast<std::size_t>(row)]].go();
}

int GoToModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant GoToModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Destination& shown = m_destinations[m_rows[static_cast<std::size_t>(index.row())]];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return shown.text;
    case Qt::AccessibleTextRole:
        return QStringList{shown.text, shown.kind, shown.detail}.join(u' ');
    case KindRole: return shown.kind;
    case DetailRole: return shown.detail;
    default: return {};
    }
}

}  // namespace calibscope
