// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/match_model.h"

#include "ui/document/tensor_text.h"
#include "ui/models/drift_facts.h"
#include "ui/models/natural_order.h"
#include "ui/plot/number_label.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
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
    : QAbstractItemModel(parent), m_comparison(comparison), m_later(this)
{
    m_later.setSingleShot(true);
    m_later.setInterval(restMs);
    connect(&m_later, &QTimer::timeout, this, &MatchModel::sortNow);
    connect(&comparison, &Comparison::stateChanged, this, &MatchModel::reset);
    const DriftReader& drift = comparison.drift();
    connect(&drift, &DriftReader::restarted, this, [this] {
        beginResetModel();
        m_rows.clear();  // places of pairs that are gone
        m_endings.clear();
        m_candidates.clear();
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
    m_candidates = m_comparison.drift().columns();
    fill();
    endResetModel();
}

void MatchModel::fill()
{
    m_rows.clear();
    m_endings.clear();
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
    const std::vector<CandidateName>& candidates = m_comparison.drift().columns();
    if (candidates == m_candidates)
        return;
    beginResetModel();
    m_candidates = candidates;
    endResetModel();
}

std::vector<int> MatchModel::driftedPairs() const
{
    std::vector<int> pairs;
    for (const Rows& rows : m_rows)
        if (rows.group == Group::Pairs)
            pairs = rows.places;
    std::erase_if(pairs, [this](int pair) { return !hasDrifted(m_comparison.drift().row(pair)); });
    sortByNumber(pairs, -1);
    return pairs;
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
    return FixedColumns + static_cast<int>(m_candidates.size());
}

const TensorInfo& MatchModel::tensorOf(Group group, int place) const
{
    const TensorMatches& matches = m_comparison.matches();
    const auto at = static_cast<std::size_t>(place);
    switch (group) {
    case Group::OnlyA: return m_comparison.document().tensors().at(matches.onlyA.at(at));
    case Group::OnlyB: return m_comparison.tensors().at(matches.onlyB.at(at));
    case Group::Pairs: break;
    }
    return m_comparison.document().tensors().at(matches.pairs.at(at).a);
}

const TensorInfo& MatchModel::counterpartOf(int pair) const
{
    return m_comparison.tensors().at(
        m_comparison.matches().pairs.at(static_cast<std::size_t>(pair)).b);
}

/// Endings are counted, but not of more names than a frame has the time for.
QVariant MatchModel::neededFrom(const Place& place) const
{
    constexpr std::size_t mostNames = 20000;
    const auto rows = std::ranges::find(m_rows, place.group, &Rows::group);
    if (place.place < 0 || rows == m_rows.end() || rows->places.size() > mostNames)
        return {};
    auto known = m_endings.find(place.group);
    if (known == m_endings.end()) {
        std::vector<std::string_view> names;
        for (const int other : rows->places)
            names.emplace_back(tensorOf(place.group, other).name);
        known = m_endings.emplace(place.group, NameEndings(names)).first;
    }
    const std::string_view name = tensorOf(place.group, place.place).name;
    const std::string_view needed = known->second.needed(name);
    return static_cast<int>(
        QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size() - needed.size())).size());
}

namespace {

bool holds(const std::string& name, const QString& part)
{
    return QString::fromStdString(name).contains(part, Qt::CaseInsensitive);
}

}  // namespace

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
        sortByNumber(places, m_sortColumn);
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
void MatchModel::sortByNumber(std::vector<int>& pairs, int sortColumn) const
{
    using Key = std::array<double, 6>;  // the greatest goes first
    std::vector<std::pair<Key, int>> keyed;
    keyed.reserve(pairs.size());
    if (sortColumn == Counts)  // pictures have no order
        sortColumn = -1;
    for (const int pair : pairs) {
        if (sortColumn >= 0) {
            const std::optional<double> value = number(pair, sortColumn);
            const double sign = m_order == Qt::AscendingOrder ? -1.0 : 1.0;
            keyed.emplace_back(Key{value ? 1.0 : 0.0, sign * value.value_or(0.0)}, pair);
            continue;
        }
        const DriftRow& row = m_comparison.drift().row(pair);
        const Drift drift = row.drift.value_or(Drift{});
        const TensorPair& places = m_comparison.matches().pairs[static_cast<std::size_t>(pair)];
        // What could not be read is not drift, but worth a look before what is equal.
        const double kind = hasLostValues(row.a, row.b) ? 4.0
                            : hasDrifted(row)           ? 3.0
                            : !row.problem.isEmpty()    ? 2.0
                            : row.drift                 ? 1.0
                                                        : 0.0;
        // What it costs decides, to a tenth of a dB: less is within what estimates are off by.
        const double loss = number(pair, LossDb).value_or(0.0);
        const double shownLoss = std::isnan(loss) ? 0.0 : std::round(10.0 * loss) / 10.0;
        keyed.emplace_back(Key{places.isSameShape ? 0.0 : 1.0, kind, std::max(shownLoss, 0.0),
                               drift.earthMoverShare, drift.klDivergence,
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
    const auto candidate = static_cast<std::size_t>(column - FixedColumns);
    if (column < FixedColumns || candidate >= m_candidates.size())
        return std::nullopt;
    const auto cell = row.cells.find(m_candidates[candidate].id);
    return cell == row.cells.end() ? std::nullopt : cell->second.scaleRatio;
}

namespace {

QString estimated(double value, const QString& text)
{
    return value == 0.0 ? text : QStringLiteral("≈") + text;
}

}  // namespace

QString matchRuleTitle(MatchRule rule)
{
    switch (rule) {
    case MatchRule::Manual: return MatchModel::tr("manual");
    case MatchRule::Name: return MatchModel::tr("name");
    case MatchRule::NormalizedName: return MatchModel::tr("normalized name");
    case MatchRule::NameEnd: return MatchModel::tr("end of name");
    case MatchRule::Order: return MatchModel::tr("order and shape");
    }
    return {};
}

QString MatchModel::groupTitle(Group group) const
{
    const int size = rowCount(indexOfGroup(group));
    switch (group) {
    case Group::OnlyA: return tr("Only in A (%1)").arg(size);
    case Group::OnlyB: return tr("Only in B (%1)").arg(size);
    case Group::Pairs: break;
    }
    return tr("In both (%1)").arg(size);
}

QVariant MatchModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Place place = placeOf(index);
    const bool isText =
        index.column() == Tensor || index.column() == Counterpart || index.column() == Rule;
    switch (role) {
    case Qt::DisplayRole: return text(place, index.column());
    case Qt::ToolTipRole: return toolTip(place, index.column());
    case Qt::TextAlignmentRole:
        return int((isText                    ? Qt::AlignLeft
                    : index.column() == Shape ? Qt::AlignHCenter
                                              : Qt::AlignRight) |
                   Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return isFaint(place, index.column())
                   ? QVariant(QGuiApplication::palette().placeholderText())
                   : QVariant();
    case NeededRole: return neededFrom(place);
    case LossRole: {
        const std::optional<double> loss = place.group == Group::Pairs && place.place >= 0
                                               ? number(place.place, LossDb)
                                               : std::nullopt;
        return loss ? QVariant(*loss) : QVariant();
    }
    case CountsARole:
    case CountsBRole: {
        if (place.group != Group::Pairs || place.place < 0)
            return {};
        const DriftRow& row = m_comparison.drift().row(place.place);
        const std::vector<double>& counts = role == CountsARole ? row.countsA : row.countsB;
        return QVariant::fromValue(QList<double>(counts.begin(), counts.end()));
    }
    case Qt::FontRole: {
        if (place.place >= 0)
            return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    default: return {};
    }
}

QString MatchModel::text(const Place& place, int column) const
{
    if (place.place < 0)
        return column == Tensor ? groupTitle(place.group) : QString();
    if (place.group == Group::Pairs)
        return pairText(place.place, column);
    return column == Tensor ? QString::fromStdString(tensorOf(place.group, place.place).name)
                            : QString();
}

QString MatchModel::pairText(int pair, int column) const
{
    const TensorPair& places = m_comparison.matches().pairs.at(static_cast<std::size_t>(pair));
    const DriftRow& row = m_comparison.drift().row(pair);
    const std::string& name = tensorOf(Group::Pairs, pair).name;
    switch (column) {
    case Tensor: return QString::fromStdString(name);
    case Shape: return places.isSameShape ? QString() : QStringLiteral("≠");
    case Counts: return {};  // drawn
    case Counterpart:
        return counterpartOf(pair).name == name ? tr("same name")
                                                : QString::fromStdString(counterpartOf(pair).name);
    case Rule: return matchRuleTitle(places.rule);
    default: break;
    }
    if (!row.isRead)
        return QStringLiteral("…");
    if (!row.problem.isEmpty())
        return column == Moved ? tr("failed") : QString();
    const std::optional<double> value = number(pair, column);
    if (column == Moved && hasLostValues(row.a, row.b))
        return row.a.finite == 0 ? tr("A: none") : tr("B: none");
    if (!value)
        return QStringLiteral("–");
    if (column == Moved)
        return *value > 0.0 && *value < 1e-4
                   ? QStringLiteral("<0.01 %")
                   : estimated(*value, valueLabel(100.0 * *value, 2) + QStringLiteral(" %"));
    if (column == Kl)
        return row.drift->hasExactKl() ? valueLabel(*value, 2)
                                       : estimated(*value, valueLabel(*value, 2));
    if (column == LossDb) {
        const QString number = std::isfinite(*value) ? fixedLabel(*value, 2) : valueLabel(*value);
        return row.recipeCell()->isExact ? number : estimated(*value, number);
    }
    return valueLabel(*value, 3);
}

bool MatchModel::isFaint(const Place& place, int column) const
{
    if (place.group != Group::Pairs || place.place < 0)
        return false;
    switch (column) {
    case Tensor: return hasNoDrift(m_comparison.drift().row(place.place));
    case Counterpart:
        return counterpartOf(place.place).name == tensorOf(Group::Pairs, place.place).name;
    case Shape:
    case Counts:
    case Rule: return false;
    case Moved:
    case Kl:
    case LossDb: return number(place.place, column).value_or(0.0) == 0.0;
    default: return number(place.place, column).value_or(1.0) == 1.0;
    }
}

QString MatchModel::toolTip(const Place& place, int column) const
{
    if (place.place < 0)
        return {};
    const TensorInfo& tensor = tensorOf(place.group, place.place);
    const QString path = QString::fromStdString(tensor.path);
    if (place.group != Group::Pairs)
        return tr("%1\n%2\nhas no counterpart").arg(path, shapeLabel(tensor));
    const DriftRow& row = m_comparison.drift().row(place.place);
    if (!row.problem.isEmpty())
        return row.problem;
    const TensorInfo& counterpart = counterpartOf(place.place);
    const QString odd = oddValuesSentence(row.a, row.b);
    if ((column == Moved && !row.drift) || column == Tensor)
        if (!odd.isEmpty())
            return odd;
    if (column == Moved && row.drift) {
        const QString moved = tr("Mean shift (EMD) ≈%1").arg(valueLabel(row.drift->earthMover));
        const std::optional<double> steps = movedSteps(row);
        return steps ? tr("%1, ≈%2 steps of A's scale").arg(moved, valueLabel(*steps, 3)) : moved;
    }
    if ((column == LossDb || column == ScaleRatio) && row.recipeCell())
        return QString::fromStdString(
            row.recipeCandidate.label +
            (row.recipeCell()->problem.empty() ? std::string() : "\n" + row.recipeCell()->problem));
    return tr("A: %1, %2\nB: %3, %4")
        .arg(path, shapeLabel(tensor), QString::fromStdString(counterpart.path),
             shapeLabel(counterpart));
}

QVariant MatchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !isHelp)
        return {};
    switch (section) {
    case Tensor: return isHelp ? tr("Name in A") : tr("tensor");
    case Shape: return isHelp ? tr("≠: the shapes differ, apart from the samples") : tr("≠");
    case Counts:
        return isHelp
                   ? tr("Where the values lie: A filled, B as a line where it differs, between the "
                        "least and the greatest value of both")
                   : tr("A, B");
    case Moved:
        return isHelp ? tr("Earth mover's distance: how far a value moved on average, as a share "
                           "of the largest magnitude; estimated from the sketches")
                      : tr("moved");
    case Kl:
        return isHelp ? tr("Kullback-Leibler divergence of B from A in nats; ≈: from the sketches, "
                           "within 1 %")
                      : tr("KL");
    case MaxRatio: return isHelp ? tr("Largest magnitude of B over that of A") : tr("max ×");
    case ScaleRatio:
        return isHelp ? tr("Scale of B over that of A, of the chosen recipe") : tr("scale ×");
    case LossDb:
        return isHelp ? tr("What B's values lose in SQNR when A's scale stands in for their own, "
                           "of the chosen recipe")
                      : tr("loss, dB");
    case Counterpart: return isHelp ? tr("Name in B") : tr("in B");
    case Rule: return isHelp ? tr("How the counterpart was found") : tr("matched by");
    default: break;
    }
    const QString label = QString::fromStdString(
        m_candidates[static_cast<std::size_t>(section - FixedColumns)].label);
    return isHelp ? tr("Scale of B over that of A, of %1").arg(label) : tr("× %1").arg(label);
}

}  // namespace calibscope
