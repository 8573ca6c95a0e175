#include "ui/models/match_model.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int restMs = 300;  // rows that arrive one by one are sorted together

/// Rows are told apart by their group: 0 is a group itself.
quintptr idOf(MatchModel::Group group)
{
    return static_cast<quintptr>(group) + 1;
}

}  // namespace

MatchModel::MatchModel(Comparison& comparison, QObject* parent)
    : QAbstractItemModel(parent), m_comparison(comparison)
{
    m_later.setSingleShot(true);
    m_later.setInterval(restMs);
    connect(&m_later, &QTimer::timeout, this, &MatchModel::sortNow);
    connect(&comparison, &Comparison::stateChanged, this, &MatchModel::reset);
    const DriftReader& drift = comparison.drift();
    connect(&drift, &DriftReader::restarted, this, [this] {
        beginResetModel();
        m_rows.clear();  // places of pairs that are gone
        m_labels.clear();
        endResetModel();
    });
    connect(&drift, &DriftReader::rowChanged, this, &MatchModel::changeRow);
    connect(&drift, &DriftReader::columnsChanged, this, &MatchModel::changeColumns);
    connect(&drift, &DriftReader::runningChanged, this, [this] {
        m_later.stop();  // the last rows wait for no others
        sortNow();
    });
    reset();
}

void MatchModel::reset()
{
    beginResetModel();
    m_labels = m_comparison.drift().columns();
    fill();
    endResetModel();
}

void MatchModel::fill()
{
    m_rows.clear();
    const TensorMatches& matches = m_comparison.matches();
    m_rowOfPair.assign(matches.pairs.size(), -1);
    for (const Group group : groups) {
        const std::size_t size = group == Group::OnlyA   ? matches.onlyA.size()
                                 : group == Group::OnlyB ? matches.onlyB.size()
                                                         : matches.pairs.size();
        std::vector<int> places;
        for (int place = 0; place < static_cast<int>(size); ++place)
            if (isShown(group, place))
                places.push_back(place);
        if (!places.empty())
            m_rows.push_back({group, sorted(group, std::move(places))});
    }
    if (!m_rows.empty() && m_rows.back().group == Group::Pairs)
        for (std::size_t row = 0; row < m_rows.back().places.size(); ++row)
            m_rowOfPair[static_cast<std::size_t>(m_rows.back().places[row])] =
                static_cast<int>(row);
}

void MatchModel::setFilter(const QString& text)
{
    m_filter = text.trimmed();
    reset();
}

void MatchModel::setLeastSteps(double steps)
{
    m_leastSteps = steps;
    reset();
}

void MatchModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_order = order;
    sortNow();
}

void MatchModel::sortNow()
{
    if (m_leastSteps > 0.0)
        return reset();
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<Place> places;
    for (const QModelIndex& index : before)
        places.push_back(placeOf(index));
    for (Rows& rows : m_rows)
        rows.places = sorted(rows.group, std::move(rows.places));
    for (const Rows& rows : m_rows)
        if (rows.group == Group::Pairs)
            for (std::size_t row = 0; row < rows.places.size(); ++row)
                m_rowOfPair[static_cast<std::size_t>(rows.places[row])] = static_cast<int>(row);
    QModelIndexList after;
    for (qsizetype at = 0; at < before.size(); ++at)
        after.append(
            indexOf(places[static_cast<std::size_t>(at)]).siblingAtColumn(before[at].column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

void MatchModel::changeRow(int pair)
{
    if (pair < std::ssize(m_rowOfPair) && m_rowOfPair[static_cast<std::size_t>(pair)] >= 0) {
        const QModelIndex first = indexOf({Group::Pairs, pair});
        Q_EMIT dataChanged(first, first.siblingAtColumn(columnCount() - 1));
    }
    if (!m_later.isActive())
        m_later.start();
}

void MatchModel::changeColumns()
{
    const std::vector<std::string>& labels = m_comparison.drift().columns();
    if (labels == m_labels)
        return;
    beginResetModel();
    m_labels = labels;
    endResetModel();
}

MatchModel::Place MatchModel::placeOf(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    if (index.internalId() == 0)
        return {m_rows.at(static_cast<std::size_t>(index.row())).group, -1};
    for (const Rows& rows : m_rows)
        if (idOf(rows.group) == index.internalId())
            return {rows.group, rows.places.at(static_cast<std::size_t>(index.row()))};
    return {};
}

QModelIndex MatchModel::indexOfGroup(Group group) const
{
    const auto found = std::ranges::find(m_rows, group, &Rows::group);
    return found == m_rows.end()
               ? QModelIndex()
               : createIndex(static_cast<int>(found - m_rows.begin()), 0, quintptr{0});
}

QModelIndex MatchModel::indexOf(const Place& place) const
{
    const QModelIndex group = indexOfGroup(place.group);
    if (!group.isValid() || place.place < 0)
        return group;
    const std::vector<int>& places = m_rows[static_cast<std::size_t>(group.row())].places;
    if (place.group == Group::Pairs) {
        const int row = m_rowOfPair.at(static_cast<std::size_t>(place.place));
        return row < 0 ? QModelIndex() : createIndex(row, 0, idOf(place.group));
    }
    const auto found = std::ranges::find(places, place.place);
    return found == places.end()
               ? QModelIndex()
               : createIndex(static_cast<int>(found - places.begin()), 0, idOf(place.group));
}

QModelIndex MatchModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column,
                       parent.isValid() ? idOf(m_rows[static_cast<std::size_t>(parent.row())].group)
                                        : quintptr{0});
}

QModelIndex MatchModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == 0)
        return {};
    return indexOfGroup(static_cast<Group>(child.internalId() - 1));
}

int MatchModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_rows.size());
    if (parent.internalId() != 0 || parent.column() > 0)
        return 0;
    return static_cast<int>(m_rows[static_cast<std::size_t>(parent.row())].places.size());
}

int MatchModel::columnCount(const QModelIndex&) const
{
    return FixedColumns + static_cast<int>(m_labels.size());
}

const TensorInfo& MatchModel::tensorOf(Group group, int place) const
{
    const TensorMatches& matches = m_comparison.matches();
    const auto at = static_cast<std::size_t>(place);
    switch (group) {
    case Group::OnlyA: return m_comparison.session().tensors().at(matches.onlyA.at(at));
    case Group::OnlyB: return m_comparison.tensors().at(matches.onlyB.at(at));
    case Group::Pairs: break;
    }
    return m_comparison.session().tensors().at(matches.pairs.at(at).a);
}

const TensorInfo& MatchModel::counterpartOf(int pair) const
{
    return m_comparison.tensors().at(
        m_comparison.matches().pairs.at(static_cast<std::size_t>(pair)).b);
}

}  // namespace calibscope
