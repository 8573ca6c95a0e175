// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/match_model.h"

#include "core/compare/comparison.h"
#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

constexpr int restMs = 300;  // rows that arrive one by one are sorted together

std::optional<double> lossOf(const DriftRow& row)
{
    return row.standingCell() ? row.standingCell()->sqnrLossDb : std::nullopt;
}

}  // namespace

std::optional<double> movedSteps(const DriftRow& row)
{
    const DriftCell* cell = row.standingCell();
    return row.drift && cell && cell->scaleOfA > 0.0
               ? std::optional(row.drift->earthMover / cell->scaleOfA)
               : std::nullopt;
}

bool hasNoDrift(const DriftRow& row)
{
    return row.drift && unusualOfOne(row.a, row.b).empty() && row.drift->earthMover == 0.0 &&
           row.drift->klDivergence == 0.0 && row.drift->maxRatio == 1.0;
}

bool hasDrifted(const DriftRow& row)
{
    return row.problem.isEmpty() &&
           (hasLostValues(row.a, row.b) || (row.drift && !hasNoDrift(row)));
}

QString unusualOfOneSentence(const Extents& a, const Extents& b)
{
    if (unusualOfOne(a, b).empty())
        return {};
    if (hasLostValues(a, b))
        return a.finite == 0 ? tr("A has no finite value.") : tr("B has no finite value.");
    const bool isOfA = a.nan + a.infinite() > 0;
    const Extents& odd = isOfA ? a : b;
    QStringList parts;
    if (odd.nan > 0)
        parts << tr("%1 NaN").arg(countLabel(odd.nan));
    if (odd.infinite() > 0)
        parts << countText(odd.infinite(), tr("1 infinite value"), tr("%1 infinite values"));
    const QString sentence = isOfA ? tr("A has %1, B none.") : tr("B has %1, A none.");
    return sentence.arg(parts.join(tr(" and ")));
}

MatchModel::MatchModel(Comparison& comparison, QObject* parent)
    : RowList(m_rows, parent), m_comparison(comparison), m_rows({}), m_later(this)
{
    m_later.setSingleShot(true);
    m_later.setInterval(restMs);
    connect(&m_later, &QTimer::timeout, this, &MatchModel::sortNow);
    connect(&comparison, &Comparison::stateChanged, this, &MatchModel::reset);
    const DriftReader& drift = comparison.drift();
    connect(&drift, &DriftReader::restarted, this, &MatchModel::reset);
    connect(&drift, &DriftReader::rowChanged, this, &MatchModel::changeRow);
    connect(&drift, &DriftReader::columnsChanged, this, [this] {
        if (m_comparison.drift().columns() != m_candidates)
            reset();
    });
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
    m_rows.setTable(table());
    const TensorMatches& matches = m_comparison.matches();
    m_places.clear();
    m_groups.clear();
    for (const auto& [group, size] : {std::pair(Group::Pairs, matches.pairs.size()),
                                      std::pair(Group::OnlyA, matches.onlyA.size()),
                                      std::pair(Group::OnlyB, matches.onlyB.size())})
        for (std::size_t place = 0; place < size; ++place)
            m_places.push_back({group, static_cast<int>(place)});
    std::vector<int> rows(m_places.size());
    std::iota(rows.begin(), rows.end(), 0);
    m_rows.setRows(rows);
    clearRows();
    for (const Group group : groups) {
        std::vector<int> shown;
        std::ranges::copy_if(rows, std::back_inserter(shown), [&](int row) {
            return m_places[static_cast<std::size_t>(row)].group == group && isShown(row);
        });
        if (shown.empty())
            continue;
        m_groups.push_back(group);
        addRows(shown, false, {});
    }
    m_tree.finish();
    for (const auto& [parent, order] : orders())
        m_tree.setRows(parent, order);
    endResetModel();
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
    m_sortOrder = order;
    sortNow();
}

void MatchModel::sortNow()
{
    if (m_leastSteps > 0.0)
        return reset();
    setOrders(orders());
}

/// Of the pairs: the others stay as in their files. Pictures have no order.
RowList::Orders MatchModel::orders()
{
    if (m_groups.empty() || m_groups.back() != Group::Pairs)
        return {};
    const bool isByColumn =
        m_sortColumn >= 0 && m_sortColumn < columnCount() && m_sortColumn != Counts;
    m_order.setColumn(isByColumn ? m_sortColumn : -1, m_sortOrder);
    m_order.read(m_tree);
    const int group = m_tree.rows(ListTree::root).back();
    if (isByColumn)
        return {{group, m_order.sorted(m_tree.rows(group))}};
    std::vector<int> order;
    for (const int pair : byChange([](const DriftRow&) { return true; }))
        order.push_back(m_nodeOf[static_cast<std::size_t>(pair)]);
    return {{group, order}};
}

void MatchModel::changeRow(int pair)
{
    if (const QModelIndex first = indexOfRow(pair); first.isValid())
        Q_EMIT dataChanged(first, first.siblingAtColumn(columnCount() - 1));
    if (!m_later.isActive())
        m_later.start();
}

std::vector<int> MatchModel::driftedPairs() const
{
    return byChange(hasDrifted);
}

MatchModel::Place MatchModel::placeOf(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const int row = rowAt(index);
    return row < 0 ? Place{m_groups[static_cast<std::size_t>(index.row())], -1}
                   : m_places[static_cast<std::size_t>(row)];
}

QModelIndex MatchModel::indexOfGroup(Group group) const
{
    const auto found = std::ranges::find(m_groups, group);
    return found == m_groups.end() ? QModelIndex()
                                   : index(static_cast<int>(found - m_groups.begin()), 0);
}

QModelIndex MatchModel::indexOf(const Place& place) const
{
    if (place.place < 0)
        return indexOfGroup(place.group);
    return indexOfRow(static_cast<int>(std::ranges::find(m_places, place) - m_places.begin()));
}

const TensorInfo& MatchModel::tensorOf(int row) const
{
    const TensorMatches& matches = m_comparison.matches();
    const Place& place = m_places[static_cast<std::size_t>(row)];
    const auto at = static_cast<std::size_t>(place.place);
    switch (place.group) {
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

namespace {

bool holds(const std::string& name, const QString& part)
{
    return QString::fromStdString(name).contains(part, Qt::CaseInsensitive);
}

}  // namespace

bool MatchModel::isShown(int row) const
{
    if (!m_filter.isEmpty() && !holds(tensorOf(row).name, m_filter) &&
        (!isPair(row) || !holds(counterpartOf(row).name, m_filter)))
        return false;
    if (!isPair(row) || m_leastSteps <= 0.0)
        return true;
    const std::optional<double> steps = movedSteps(m_comparison.drift().row(row));
    return !steps || *steps >= m_leastSteps;
}

/// What has changed most first, of those that are listed. Keys are made once: there may be
/// thousands.
std::vector<int> MatchModel::byChange(bool (*isWanted)(const DriftRow& row)) const
{
    using Key = std::array<double, 7>;  // the greatest goes first
    std::vector<std::pair<Key, int>> keyed;
    for (int pair = 0; pair < m_comparison.drift().pairs(); ++pair) {
        const DriftRow& row = m_comparison.drift().row(pair);
        if (!indexOfRow(pair).isValid() || !isWanted(row))
            continue;
        const Drift drift = row.drift.value_or(Drift{});
        const TensorPair& places = m_comparison.matches().pairs[static_cast<std::size_t>(pair)];
        // What could not be read is not drift, but worth a look before what is equal.
        const double kind = hasLostValues(row.a, row.b) ? 4.0
                            : hasDrifted(row)           ? 3.0
                            : !row.problem.isEmpty()    ? 2.0
                            : row.drift                 ? 1.0
                                                        : 0.0;
        // What it costs decides, to a tenth of a dB: less is within what estimates are off by.
        const double loss = lossOf(row).value_or(0.0);
        const double shownLoss = std::isnan(loss) ? 0.0 : std::round(10.0 * loss) / 10.0;
        keyed.emplace_back(Key{places.isSameShape ? 0.0 : 1.0, kind, std::max(shownLoss, 0.0),
                               drift.earthMoverShare, drift.klDivergence,
                               std::abs(std::log(drift.maxRatio)), static_cast<double>(-pair)},
                           pair);
    }
    std::ranges::sort(keyed, std::ranges::greater(), &std::pair<Key, int>::first);
    std::vector<int> pairs(keyed.size());
    std::ranges::transform(keyed, pairs.begin(), &std::pair<Key, int>::second);
    return pairs;
}

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

QVariant MatchModel::groupData(int node, int column, int role) const
{
    if (role == Qt::FontRole)
        return gradeFont(Grade::Bold);
    if (role != Qt::DisplayRole || column != Tensor)
        return {};
    const int size = m_tree.node(node).count;
    switch (m_groups[static_cast<std::size_t>(m_tree.node(node).row)]) {
    case Group::OnlyA: return tr("Only in A (%1)").arg(size);
    case Group::OnlyB: return tr("Only in B (%1)").arg(size);
    case Group::Pairs: break;
    }
    return tr("In both (%1)").arg(size);
}

QVariant MatchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == Qt::TextAlignmentRole ? QVariant()
                                         : RowList::headerData(section, orientation, role);
}

namespace {

QString estimated(double value, const QString& text)
{
    return value == 0.0 ? text : QStringLiteral("≈") + text;
}

QString movedText(const DriftRow&, double share)
{
    return share > 0.0 && share < 1e-4
               ? QStringLiteral("<0.01 %")
               : estimated(share, valueLabel(100.0 * share, 2) + QStringLiteral(" %"));
}

QString klText(const DriftRow& row, double kl)
{
    return row.drift->hasExactKl() ? valueLabel(kl, 2) : estimated(kl, valueLabel(kl, 2));
}

QString ratioText(const DriftRow&, double ratio)
{
    return valueLabel(ratio, 3);
}

QString lossText(const DriftRow& row, double loss)
{
    const QString number = std::isfinite(loss) ? fixedLabel(loss, 2) : valueLabel(loss);
    const QString flag = unusualOfOne(row.a, row.b).empty() ? QString() : QStringLiteral(" !");
    return (row.standingCell()->isExact ? number : estimated(loss, number)) + flag;
}

QString unusualSentence(const DriftRow& row)
{
    return unusualOfOneSentence(row.a, row.b);
}

QString movedSentence(const DriftRow& row)
{
    if (!row.drift)
        return unusualSentence(row);
    const QString moved = tr("Mean shift (EMD) ≈%1").arg(valueLabel(row.drift->earthMover));
    const std::optional<double> steps = movedSteps(row);
    return steps ? tr("%1, ≈%2 steps of A's scale").arg(moved, valueLabel(*steps, 3)) : moved;
}

QString standingSentence(const DriftRow& row)
{
    return row.standingCell() ? QString::fromStdString(row.standing.label +
                                                       (row.standingCell()->problem.empty()
                                                            ? std::string()
                                                            : "\n" + row.standingCell()->problem))
                              : QString();
}

QString lossSentence(const DriftRow& row)
{
    const QString unusual = unusualSentence(row);
    return unusual.isEmpty() || !row.standingCell()
               ? standingSentence(row)
               : MatchModel::tr("%1\n%2 The loss is of the finite values.")
                     .arg(standingSentence(row), unusual);
}

}  // namespace

QString MatchModel::toolTip(int row, Sentence own) const
{
    const TensorInfo& tensor = tensorOf(row);
    const QString path = QString::fromStdString(tensor.path);
    if (!isPair(row))
        return tr("%1\n%2\nhas no counterpart").arg(path, shapeLabel(tensor));
    const DriftRow& drift = m_comparison.drift().row(row);
    if (!drift.problem.isEmpty())
        return drift.problem;
    if (const QString sentence = own ? own(drift) : QString(); !sentence.isEmpty())
        return sentence;
    const TensorInfo& counterpart = counterpartOf(row);
    return tr("A: %1, %2\nB: %3, %4")
        .arg(path, shapeLabel(tensor), QString::fromStdString(counterpart.path),
             shapeLabel(counterpart));
}

TableDescriptor<int> MatchModel::table() const
{
    using Number = std::function<std::optional<double>(const DriftRow&)>;
    TableDescriptor<int> table;
    const auto rowOf = [this](int pair) -> const DriftRow& {
        return m_comparison.drift().row(pair);
    };
    const auto pairOf = [this](int pair) -> const TensorPair& {
        return m_comparison.matches().pairs.at(static_cast<std::size_t>(pair));
    };
    const auto isSameName = [this](int row) {
        return isPair(row) && counterpartOf(row).name == tensorOf(row).name;
    };
    const auto isOneSided = [this, rowOf](int row) {
        return isPair(row) && rowOf(row).isRead && !unusualSentence(rowOf(row)).isEmpty();
    };
    const auto faintWhere = [](auto isFaint) {
        return [isFaint](int row) { return isFaint(row) ? Grade::Faint : Grade::Plain; };
    };
    const auto tipWith = [this](Sentence own) {
        return [this, own](int row) { return toolTip(row, own); };
    };
    /// `plain`: the number of a pair that has not drifted.
    const auto addNumber = [&](const QString& title, const QString& help, const Number& numberOf,
                               QString (*text)(const DriftRow&, double), double plain,
                               const QString& failed = {}) -> TableColumn<int>& {
        const auto number = [this, rowOf, numberOf](int row) {
            return isPair(row) ? numberOf(rowOf(row)) : std::nullopt;
        };
        return table
            .addNumber(
                title, help,
                [=, this](int row) {
                    if (!isPair(row))
                        return QString();
                    const DriftRow& known = rowOf(row);
                    if (!known.isRead)
                        return QStringLiteral("…");
                    if (!known.problem.isEmpty())
                        return failed;
                    const std::optional<double> value = number(row);
                    return value ? text(known, *value) : QStringLiteral("–");
                },
                number)
            .graded(faintWhere([=](int row) { return number(row).value_or(plain) == plain; }));
    };
    table.toolTip = tipWith(nullptr);
    table.roles = [this, rowOf](int row, int role) -> QVariant {
        if (!isPair(row))
            return {};
        const std::optional<double> loss = lossOf(rowOf(row));
        const std::vector<double>& counts =
            role == CountsARole ? rowOf(row).countsA : rowOf(row).countsB;
        switch (role) {
        case LossRole: return loss ? QVariant(*loss) : QVariant();
        case CountsARole:
        case CountsBRole: return QVariant::fromValue(QList<double>(counts.begin(), counts.end()));
        default: return {};
        }
    };
    table
        .add(tr("tensor"), tr("Name in A"),
             [this](int row) { return QString::fromStdString(tensorOf(row).name); })
        .graded(
            faintWhere([this, rowOf](int row) { return isPair(row) && hasNoDrift(rowOf(row)); }))
        .withToolTip(tipWith(unusualSentence));
    table
        .add(
            tr("≠"),
            tr("≠: the shapes differ, apart from the samples; !: NaN or infinities in one of both"),
            [this, pairOf, isOneSided](int row) {
                QString flags;
                if (isPair(row) && !pairOf(row).isSameShape)
                    flags += u'≠';
                return isOneSided(row) ? flags + u'!' : flags;
            })
        .graded([isOneSided](int row) { return isOneSided(row) ? Grade::Severe : Grade::Plain; })
        .withToolTip(tipWith(unusualSentence))
        .sortedBy([this, pairOf, isOneSided](int row) -> std::optional<double> {
            if (!isPair(row))
                return std::nullopt;
            return (pairOf(row).isSameShape ? 0.0 : 1.0) + (isOneSided(row) ? 2.0 : 0.0);
        })
        .align = Qt::AlignHCenter;
    table.addRight(tr("A, B"),
                   tr("Where the values lie: A filled, B as a line where it differs, between the "
                      "least and the greatest value of both"),
                   [](int) { return QString(); });
    const auto driftOf = [](double Drift::*number) {
        return [number](const DriftRow& row) {
            return row.drift ? std::optional(*row.drift.*number) : std::nullopt;
        };
    };
    TableColumn<int>& moved =
        addNumber(tr("moved"),
                  tr("Earth mover's distance: how far a value moved on average, as a share of the "
                     "largest magnitude; estimated from the sketches"),
                  driftOf(&Drift::earthMoverShare), movedText, 0.0, tr("failed"))
            .withToolTip(tipWith(movedSentence));
    moved.text = [this, rowOf, text = moved.text](int row) {
        const bool isLost = isPair(row) && hasLostValues(rowOf(row).a, rowOf(row).b);
        return !isLost ? text(row) : rowOf(row).a.finite == 0 ? tr("A: none") : tr("B: none");
    };
    addNumber(tr("KL"),
              tr("Kullback-Leibler divergence of B from A in nats; ≈: from the sketches, within "
                 "1 %"),
              driftOf(&Drift::klDivergence), klText, 0.0);
    addNumber(tr("max ×"), tr("Largest magnitude of B over that of A"), driftOf(&Drift::maxRatio),
              ratioText, 1.0);
    addNumber(
        tr("scale ×"),
        tr("Scale of B over that of A, by the accepted calibrator, else the chosen recipe's"),
        [](const DriftRow& row) {
            return row.standingCell() ? row.standingCell()->scaleRatio : std::nullopt;
        },
        ratioText, 1.0)
        .withToolTip(tipWith(standingSentence));
    addNumber(tr("loss, dB"),
              tr("What B's values lose in SQNR when A's scale stands in for their own, by the "
                 "accepted calibrator, else the chosen recipe's"),
              lossOf, lossText, 0.0)
        .graded([this, rowOf, isOneSided](int row) {
            if (isOneSided(row))
                return Grade::Severe;
            const std::optional<double> loss = isPair(row) ? lossOf(rowOf(row)) : std::nullopt;
            return loss.value_or(0.0) == 0.0 ? Grade::Faint : Grade::Plain;
        })
        .withToolTip(tipWith(lossSentence));
    table
        .add(tr("in B"), tr("Name in B"),
             [this, isSameName](int row) {
                 return isSameName(row) ? tr("same name")
                        : isPair(row)   ? QString::fromStdString(counterpartOf(row).name)
                                        : QString();
             })
        .graded(faintWhere(isSameName));
    table.add(tr("matched by"), tr("How the counterpart was found"), [this, pairOf](int row) {
        return isPair(row) ? matchRuleTitle(pairOf(row).rule) : QString();
    });
    for (const CandidateName& candidate : m_candidates) {
        const QString label = QString::fromStdString(candidate.label);
        addNumber(
            tr("× %1").arg(label), tr("Scale of B over that of A, of %1").arg(label),
            [id = candidate.id](const DriftRow& row) {
                const auto cell = row.cells.find(id);
                return cell == row.cells.end() ? std::nullopt : cell->second.scaleRatio;
            },
            ratioText, 1.0);
    }
    return table;
}

}  // namespace calibscope
