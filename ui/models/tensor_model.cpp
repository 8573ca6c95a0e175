// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_model.h"

#include "ui/document/questions.h"
#include "ui/document/tensor_diagnosis.h"
#include "ui/document/tensor_text.h"
#include "ui/models/tensor_columns.h"
#include "ui/plot/number_label.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace calibscope {

namespace {

/// Ids of a group's index; tensors have their group's number + 1.
constexpr quintptr groupId = 0;

/// What was accepted for the tensor of that path; nullptr: nothing was.
const Decision* decisionIn(const QMap<std::string, Decision>& decisions, const std::string& path)
{
    const auto found = decisions.find(path);
    return found == decisions.end() ? nullptr : &*found;
}

bool isSame(const Decision* one, const Decision* other)
{
    return one && other ? *one == *other : one == other;
}

}  // namespace

TensorModel::TensorModel(const Document& document, QObject* parent)
    : QAbstractItemModel(parent), m_document(document)
{
    connect(&document, &Document::dumpChanged, this, &TensorModel::followDump);
    connect(&document, &Document::tensorsChanged, this, &TensorModel::followTensors);
    connect(&document, &Document::changed, this, &TensorModel::follow);
    connect(&document.previews(), &Previews::taken, this, &TensorModel::tellChanged);
    connect(&document.previews(), &Previews::failed, this, &TensorModel::tellChanged);
    const auto followLayers = [this] {
        if (m_tensors && isOfDocument() && tensorCount() > 0)
            tellColumns(Layer, Layer);
        Q_EMIT rankingChanged();
    };
    connect(&document.questions().layers(), &LayerReader::listed, this, followLayers);
    connect(&document.questions().layers(), &LayerReader::rowChanged, this, followLayers);
    connect(&document.questions(), &Questions::studiesChanged, this, [this] {
        if (isOfDocument() && m_document.selected() >= 0)
            tellChanged(m_document.selected());
    });
    connect(&document.questions().matrix(), &MatrixReader::rowChanged, this, [this](int tensor) {
        m_gains.erase(tensor);
        if (isOfDocument() && tensor < tensorCount())
            tellChanged(tensor);
    });
    followDump();
}

std::optional<double> TensorModel::gainOf(int index) const
{
    if (!isOfDocument())
        return std::nullopt;
    const MatrixRow* swept = m_document.questions().matrix().row(index);
    const bool isShown =
        index == m_document.selected() && m_document.questions().reader().result() != nullptr;
    if (!isShown && !(swept && swept->isRead))
        return std::nullopt;
    if (isShown) {  // its outcomes come and change
        const std::optional<BetterChoice> better = betterOn(m_document, index);
        return better ? better->gainDb : 0.0;
    }
    const auto [known, isNew] = m_gains.try_emplace(index);
    if (isNew) {
        const std::optional<BetterChoice> better = betterOn(m_document, index);
        known->second = better ? better->gainDb : 0.0;
    }
    return known->second;
}

std::optional<double> TensorModel::atLayer(int index) const
{
    return isOfDocument() ? m_document.questions().layers().atOutputs(index) : std::nullopt;
}

int TensorModel::atLayerCount() const
{
    int count = 0;
    for (int tensor = 0; tensor < tensorCount(); ++tensor)
        count += atLayer(tensor) ? 1 : 0;
    return count;
}

std::optional<std::pair<int, double>> TensorModel::rankOf(int index) const
{
    if (const std::optional<double> db = atLayer(index))
        return std::pair(0, *db);
    const protocol::Preview* known = preview(index);
    return known && known->sqnrDb ? std::optional(std::pair(1, *known->sqnrDb)) : std::nullopt;
}

void TensorModel::followDump()
{
    if (m_tensors && m_document.dumpState() == Document::DumpState::Opening) {
        // The former dump stays, without what was decided on it.
        setPins(pinnedTensors());
        tellColumns(0, ColumnCount - 1);
        Q_EMIT changedByUser();
        return;
    }
    m_gains.clear();
    beginResetModel();
    const bool isOpen = m_document.dumpState() == Document::DumpState::Open;
    m_tensors = isOpen ? m_document.sharedTensors() : std::make_shared<const DumpTensors>();
    m_taken = isOpen ? m_document.previews().shared() : std::make_shared<const Previews::Taken>();
    makeGroups();
    endResetModel();
}

void TensorModel::followTensors(const std::vector<int>& tensors)
{
    if (m_tensors != m_document.sharedTensors())
        return;
    const bool movesRows = std::ranges::any_of(tensors, [this](int tensor) {
        const auto group = static_cast<std::size_t>(m_places.at(std::size_t(tensor)).first);
        return m_groups[group].role != this->tensor(tensor).role;
    });
    if (movesRows) {
        beginResetModel();
        makeGroups();
        return endResetModel();
    }
    for (const int tensor : tensors)
        tellChanged(tensor);
    Q_EMIT changedByUser();
}

void TensorModel::follow(const DocumentChange& change)
{
    if (change.concerns(DocumentChange::Recipe)) {
        m_gains.clear();
        tellColumns(Sqnr, Sqnr);
        tellColumns(Diagnosed, Gain);
    }
    if (change.concerns(DocumentChange::Workbench))
        followWorkbench(change.before, m_document.workbench());
    Q_EMIT changedByUser();
}

void TensorModel::followWorkbench(const Workbench& before, const Workbench& now)
{
    if (before.pins != now.pins)
        setPins(pinnedTensors());
    if (before.excluded == now.excluded && before.decisions == now.decisions)
        return;
    for (int tensor = 0; tensor < tensorCount(); ++tensor) {
        const std::string& path = this->tensor(tensor).path;
        if (before.excluded.contains(path) != now.excluded.contains(path) ||
            !isSame(decisionIn(before.decisions, path), decisionIn(now.decisions, path)))
            tellChanged(tensor);
    }
}

const std::vector<int>& TensorModel::tensorsOf(int group) const
{
    return m_groups.at(static_cast<std::size_t>(group)).tensors;
}

std::vector<int> TensorModel::pinnedTensors() const
{
    std::vector<int> pinned;
    const std::set<std::string>& pins = m_document.workbench().pins;
    for (int tensor = 0; !pins.empty() && tensor < tensorCount(); ++tensor)
        if (pins.contains(this->tensor(tensor).path))
            pinned.push_back(tensor);
    return pinned;
}

void TensorModel::makeGroups()
{
    const std::vector<TensorInfo>& tensors = m_tensors->all();
    m_places.assign(tensors.size(), {});
    m_pins = pinnedTensors();
    m_groups.clear();
    for (const calibscope::Role role : {calibscope::Role::Activation, calibscope::Role::Weight,
                                        calibscope::Role::Bias, calibscope::Role::Unknown}) {
        Group group{.role = role, .tensors = {}};
        for (int tensor = 0; tensor < tensorCount(); ++tensor)
            if (tensors[static_cast<std::size_t>(tensor)].role == role) {
                m_places[static_cast<std::size_t>(tensor)] = {
                    static_cast<int>(m_groups.size()), static_cast<int>(group.tensors.size())};
                group.tensors.push_back(tensor);
            }
        if (!group.tensors.empty())
            m_groups.push_back(std::move(group));
    }
    if (!m_pins.empty())
        m_groups.push_back({.role = calibscope::Role::Unknown, .tensors = m_pins, .isPins = true});
}

void TensorModel::tellChanged(int tensor)
{
    const QModelIndex first = indexOf(tensor);
    Q_EMIT dataChanged(first, first.siblingAtColumn(ColumnCount - 1));
    if (!isPinned(tensor))
        return;
    const QModelIndex pins = index(rowCount() - 1, 0);
    const auto place = std::ranges::lower_bound(m_pins, tensor) - m_pins.begin();
    Q_EMIT dataChanged(index(static_cast<int>(place), 0, pins),
                       index(static_cast<int>(place), ColumnCount - 1, pins));
}

void TensorModel::tellColumns(int first, int last)
{
    for (int group = 0; group < rowCount(); ++group) {
        const QModelIndex parentIndex = index(group, 0);
        Q_EMIT dataChanged(index(0, first, parentIndex),
                           index(rowCount(parentIndex) - 1, last, parentIndex));
    }
}

bool TensorModel::isReadable(int index) const
{
    return tensor(index).isReadable() && !m_taken->problems.contains(index);
}

TensorFlags TensorModel::flagsOf(int index) const
{
    const Decision* decided = decision(index);
    const auto problem = m_taken->problems.find(index);
    const SampleStudy* study = isOfDocument() ? m_document.questions().studyOf(index) : nullptr;
    QStringList unconverged;
    if (study)
        for (const std::string& sentence : study->flags())
            unconverged += QString::fromStdString(sentence);
    return tensorFlags(tensor(index), preview(index),
                       {.problem = problem == m_taken->problems.end() ? QString() : problem->second,
                        .isEdited = isEdited(index),
                        .isExcluded = isExcluded(index),
                        .decided = decided ? QString::fromStdString(decided->label) : QString(),
                        .unconverged = unconverged.join(QStringLiteral("; "))});
}

const Decision* TensorModel::decision(int index) const
{
    return decisionIn(m_document.workbench().decisions, tensor(index).path);
}

std::optional<double> TensorModel::decidedDb(int index) const
{
    return isOfDocument() ? m_document.previews().sqnrOfDecision(index) : std::nullopt;
}

bool TensorModel::hasDecisions() const
{
    return isOfDocument() && tensorCount() > 0 && !m_document.workbench().decisions.isEmpty();
}

QModelIndex TensorModel::indexOf(int tensor) const
{
    if (tensor < 0 || tensor >= tensorCount())
        return {};
    const auto [group, row] = m_places[static_cast<std::size_t>(tensor)];
    return createIndex(row, 0, static_cast<quintptr>(group) + 1);
}

int TensorModel::tensorAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == groupId)
        return -1;
    return m_groups[index.internalId() - 1].tensors[static_cast<std::size_t>(index.row())];
}

QModelIndex TensorModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column,
                       parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : groupId);
}

QModelIndex TensorModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == groupId)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, groupId);
}

int TensorModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() != groupId || parent.column() != 0)
        return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].tensors.size());
}

int TensorModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant TensorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int at = tensorAt(index);
    if (at < 0)
        return groupData(m_groups[static_cast<std::size_t>(index.row())], index.column(), role);
    const protocol::Preview* known = preview(at);
    switch (role) {
    case Qt::DisplayRole: return displayText(at, index.column());
    case Qt::ToolTipRole: return toolTip(at, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == Sqnr || index.column() == Layer || index.column() == Gain
                   ? int(Qt::AlignRight | Qt::AlignVCenter)
                   : QVariant();
    case Qt::AccessibleTextRole:
        return index.column() == Flags ? QVariant(flagsOf(at).reasons.join(u' ')) : QVariant();
    case Qt::ForegroundRole:
        return isReadable(at) && !isExcluded(at)
                   ? QVariant()
                   : QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
    case SortRole: return sortKey(at, index.column());
    case TensorRole: return at;
    case SqnrRole: return known && known->sqnrDb ? QVariant(*known->sqnrDb) : QVariant();
    case AtLayerRole: {
        const std::optional<double> db = atLayer(at);
        return db ? QVariant(*db) : QVariant();
    }
    case CopyRole:
        return index.column() == Name    ? QVariant(QString::fromStdString(tensor(at).name))
               : index.column() == Sqnr  ? index.data(SqnrRole)
               : index.column() == Layer ? index.data(AtLayerRole)
                                         : QVariant();
    case SparklineRole:
        return known ? QVariant::fromValue(
                           QList<double>(known->sparkline.begin(), known->sparkline.end()))
                     : QVariant();
    default: return {};
    }
}

Qt::ItemFlags TensorModel::flags(const QModelIndex& index) const
{
    const int at = tensorAt(index);
    if (at < 0)
        return index.isValid() ? Qt::ItemIsEnabled : Qt::NoItemFlags;
    // An unreadable row is greyed by its colour only: it can be chosen, and the page says why.
    const Qt::ItemFlags always = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return always | Qt::ItemNeverHasChildren;
}

bool TensorModel::isPinned(int index) const
{
    return std::ranges::binary_search(m_pins, index);
}

bool TensorModel::isExcluded(int index) const
{
    return m_document.workbench().excluded.contains(tensor(index).path);
}

bool TensorModel::isInPins(const QModelIndex& index) const
{
    const QModelIndex group = index.parent().isValid() ? index.parent() : index;
    return group.isValid() && m_groups[static_cast<std::size_t>(group.row())].isPins;
}

void TensorModel::setPins(const std::vector<int>& pins)
{
    std::vector<int> removed;
    std::vector<int> added;
    std::ranges::set_difference(m_pins, pins, std::back_inserter(removed));
    std::ranges::set_difference(pins, m_pins, std::back_inserter(added));
    for (const int tensor : removed)
        removePin(tensor);
    for (const int tensor : added)
        insertPin(tensor);
    for (const std::vector<int>& changed : {removed, added})
        for (const int tensor : changed)
            tellChanged(tensor);
    if (hasPins() && !(removed.empty() && added.empty())) {
        const QModelIndex group = index(rowCount() - 1, 0);
        Q_EMIT dataChanged(group, group);  // its title counts
    }
}

void TensorModel::insertPin(int tensor)
{
    const auto place = std::ranges::lower_bound(m_pins, tensor) - m_pins.begin();
    const int row = static_cast<int>(place);
    if (!hasPins()) {
        beginInsertRows({}, rowCount(), rowCount());
        m_pins = {tensor};
        m_groups.push_back({.role = calibscope::Role::Unknown, .tensors = m_pins, .isPins = true});
    } else {
        beginInsertRows(index(rowCount() - 1, 0), row, row);
        m_pins.insert(m_pins.begin() + place, tensor);
        m_groups.back().tensors = m_pins;
    }
    endInsertRows();
}

void TensorModel::removePin(int tensor)
{
    const auto place = std::ranges::lower_bound(m_pins, tensor) - m_pins.begin();
    const int row = static_cast<int>(place);
    if (m_pins.size() == 1) {
        beginRemoveRows({}, rowCount() - 1, rowCount() - 1);
        m_pins.clear();
        m_groups.pop_back();
    } else {
        beginRemoveRows(index(rowCount() - 1, 0), row, row);
        m_pins.erase(m_pins.begin() + place);
        m_groups.back().tensors = m_pins;
    }
    endRemoveRows();
}

namespace {

QString groupTitle(Role role)
{
    switch (role) {
    case Role::Activation: return TensorModel::tr("activations");
    case Role::Weight: return TensorModel::tr("weights");
    case Role::Bias: return TensorModel::tr("biases");
    case Role::Unknown: return TensorModel::tr("other");
    }
    return {};
}

}  // namespace

QString listedDb(const std::optional<double>& db)
{
    if (!db)
        return {};
    return std::isinf(*db) ? valueLabel(*db) : fixedLabel(*db, 1);
}

QVariant TensorModel::groupData(const Group& group, int column, int role) const
{
    if (column != Name)
        return {};
    if (role == GroupTitleRole)
        return group.isPins ? tr("pinned") : groupTitle(group.role);
    if (role == Qt::DisplayRole)
        return QStringLiteral("%1  %2").arg(groupData(group, column, GroupTitleRole).toString(),
                                            countLabel(group.tensors.size()));
    if (role == Qt::FontRole) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    return {};
}

QVariant TensorModel::displayText(int tensor, int column) const
{
    const TensorInfo& shown = this->tensor(tensor);
    const protocol::Preview* known = preview(tensor);
    switch (static_cast<Column>(column)) {
    case Name: return QString::fromStdString(shown.name);
    case Flags: return flagsOf(tensor).letters;
    case Distribution: return {};
    case Sqnr: return known ? listedDb(known->sqnrDb) : QString();
    case Layer: return listedDb(atLayer(tensor));
    case Decided: {
        const Decision* decided = decision(tensor);
        if (!decided)
            return QString();
        const std::optional<double> db = decidedDb(tensor);
        return QStringLiteral("%1  %2").arg(db ? listedDb(db) : QStringLiteral("…"),
                                            QString::fromStdString(decided->label));
    }
    case Shape: return shapeLabel(shown);
    case Type: return typeLabel(shown);
    case Op: return QString::fromStdString(shown.op);
    case Role: return roleTitle(shown.role);
    case Diagnosed: return known ? diagnosisTitles(known->findings) : QString();
    case Gain: return gainLabel(gainOf(tensor));
    case ColumnCount: break;
    }
    return {};
}

QVariant TensorModel::sortKey(int tensor, int column) const
{
    const protocol::Preview* known = preview(tensor);
    switch (static_cast<Column>(column)) {
    case Sqnr: return known && known->sqnrDb ? QVariant(*known->sqnrDb) : QVariant();
    case Layer: {
        constexpr double behindAll = 1e6;  // dB that no layer has
        const auto rank = rankOf(tensor);
        return rank ? QVariant(rank->second + rank->first * behindAll) : QVariant();
    }
    case Gain: {
        const std::optional<double> gain = gainOf(tensor);
        return gain ? QVariant(*gain) : QVariant();
    }
    case Diagnosed: return known ? QVariant(diagnosisKey(known->findings)) : QVariant();
    case Decided: {
        constexpr double behindKnown = 1e6;  // dB that no calibrator has
        const std::optional<double> db = decidedDb(tensor);
        return isDecided(tensor) ? QVariant(db.value_or(behindKnown)) : QVariant();
    }
    case Flags: return flagsKey(flagsOf(tensor).letters);
    case Shape: return static_cast<qulonglong>(this->tensor(tensor).valueCount());
    case Distribution: return known ? QVariant(known->extents.absMax()) : QVariant();
    default: return displayText(tensor, column);
    }
}

QString TensorModel::toolTip(int tensor, int column) const
{
    const TensorInfo& shown = this->tensor(tensor);
    if (column == Sqnr && preview(tensor)) {
        QStringList notes;
        for (const std::string& note : preview(tensor)->notes)
            notes += QString::fromStdString(note);
        return notes.join(u'\n');
    }
    if (column == Decided && isDecided(tensor))
        return decisionToolTip(tensor);
    QStringList lines;
    if (column != Flags) {
        lines += QString::fromStdString(shown.path);
        lines += QStringList{roleTitle(shown.role), shapeLabel(shown), typeLabel(shown)}.join(
            QStringLiteral("   "));
        if (!shown.parts.empty())
            lines += countText(shown.parts.size(), tr("1 dataset"),
                               tr("%1 datasets, one after the other"));
    }
    lines += flagsOf(tensor).reasons;
    if (const protocol::Preview* known = preview(tensor);
        known && column != Flags && !known->findings.empty())
        lines += column == Diagnosed ? diagnosisLines(known->findings)
                                     : QStringList(diagnosisSentence(known->findings));
    return lines.join(u'\n');
}

QString TensorModel::decisionToolTip(int tensor) const
{
    const Decision& decided = *decision(tensor);
    const protocol::Preview* known = preview(tensor);
    const std::optional<double> db = decidedDb(tensor);
    QStringList lines = {tr("Accepted: %1.").arg(QString::fromStdString(decided.label))};
    if (!db)
        lines += tr("Its SQNR is not known yet.");
    else
        lines += tr("SQNR %1 dB.").arg(fixedLabel(*db, 2));
    if (db && known && known->sqnrDb && std::isfinite(*db) && std::isfinite(*known->sqnrDb)) {
        const double distance = *db - *known->sqnrDb;
        const QString recipes = fixedLabel(*known->sqnrDb, 2);
        lines += std::abs(distance) < 0.005
                     ? tr("The recipe's choice has the same.")
                     : (distance > 0 ? tr("%1 dB above the recipe's choice (%2 dB).")
                                     : tr("%1 dB below the recipe's choice (%2 dB)."))
                           .arg(fixedLabel(std::abs(distance), 2), recipes);
    }
    if (!decided.remark.empty())
        lines += QString::fromStdString(decided.remark);
    return lines.join(u'\n');
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Sqnr || section == Layer || section == Gain
                   ? int(Qt::AlignRight | Qt::AlignVCenter)
                   : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    return tensorColumnHead(static_cast<Column>(section), role == Qt::ToolTipRole);
}

}  // namespace calibscope
