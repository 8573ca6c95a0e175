// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_filter_model.h"

#include "ui/document/tensor_text.h"
#include "ui/models/tensor_model.h"
#include "ui/plot/number_label.h"

#include <QFont>

#include <algorithm>
#include <iterator>

namespace calibscope {

namespace {

/// The worst of two numbers, either of which may not be known.
std::optional<double> least(const std::optional<double>& one, const std::optional<double>& other)
{
    if (!one || !other)
        return one ? one : other;
    return std::min(*one, *other);
}

/// "*/output", "model/*" ("…." would be four dots); empty without common ends.
QString endsText(std::string_view name, const CommonEnds& ends)
{
    if (ends == CommonEnds())
        return {};
    const auto shared = [&](std::size_t at, std::size_t size) {
        return QString::fromStdString(std::string(name.substr(at, size)));
    };
    return shared(0, ends.front) + u'*' + shared(name.size() - ends.back, ends.back);
}

}  // namespace

TensorFilterModel::TensorFilterModel(TensorModel& tensors, QObject* parent)
    : RowList(tensors, parent), m_tensors(tensors), m_batch(new QTimer(this))
{
    m_batch->setSingleShot(true);
    m_batch->setInterval(batchMs);
    connect(m_batch, &QTimer::timeout, this, &TensorFilterModel::catchUp);
    connect(&tensors, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { beginResetModel(); });
    connect(&tensors, &QAbstractItemModel::modelReset, this, [this] {
        reset();
        endResetModel();
        Q_EMIT rowsChanged();
    });
    connect(&tensors, &QAbstractItemModel::dataChanged, this, &TensorFilterModel::follow);
    connect(&tensors, &TensorModel::changedByUser, this, &TensorFilterModel::catchUp);
    reset();
}

void TensorFilterModel::reset()
{
    m_changed.clear();
    m_isAllChanged = false;
    m_matches.resize(static_cast<std::size_t>(m_tensors.tensorCount()));
    for (int tensor = 0; tensor < m_tensors.tensorCount(); ++tensor)
        m_matches[static_cast<std::size_t>(tensor)] = isMatch(tensor);
    (void)m_order.readTexts();
    build();
}

void TensorFilterModel::setQuery(const QString& query)
{
    m_filter = TensorFilter(query.toStdString());
    m_isAllChanged = true;
    catchUp();
}

int TensorFilterModel::matchCount() const
{
    return static_cast<int>(std::ranges::count(m_matches, true));
}

void TensorFilterModel::setTree(bool isTree)
{
    if (isTree == m_isTree)
        return;
    m_isTree = isTree;
    rebuild();
}

// Rows.

/// From the matches, in file order, then sorted.
void TensorFilterModel::build()
{
    clearRows();
    m_groups.clear();
    m_worstOf.clear();
    m_warningsOf.assign(static_cast<std::size_t>(m_tensors.tensorCount()), std::nullopt);
    m_pinNodeOf.clear();
    for (const Role role : {Role::Activation, Role::Weight, Role::Bias, Role::Unknown}) {
        std::vector<int> all;
        for (int tensor = 0; tensor < m_tensors.tensorCount(); ++tensor)
            if (m_tensors.tensor(tensor).role == role)
                all.push_back(tensor);
        addGroup(rolesTitle(role), all, false);
    }
    m_pins = m_tensors.pins();
    addGroup(tr("pinned"), m_pins, true);
    m_tree.finish();
    m_order.read(m_tree);
    for (int node = 1; node < m_tree.size() && sortColumn() >= 0; ++node)
        if (m_tree.node(node).count > 1)
            m_tree.setRows(node, m_order.sorted(m_tree.rows(node)));
}

void TensorFilterModel::addGroup(const QString& title, const std::vector<int>& all, bool isPins)
{
    std::vector<int> shown;
    std::vector<std::string_view> names;
    for (const int tensor : all) {
        names.push_back(nameOf(tensor));
        if (isPins || m_matches[static_cast<std::size_t>(tensor)])
            shown.push_back(tensor);  // pins are there whatever is looked for
    }
    if (shown.empty())
        return;
    // Pins are of several roles, and few.
    const CommonEnds ends = isPins ? CommonEnds() : commonEnds(names);
    m_groups.push_back({.isPins = isPins,
                        .title = title,
                        .tensors = all.size(),
                        .ends = endsText(names.front(), ends)});
    if (!isPins)
        return addRows(shown, m_isTree, ends);
    int node = m_tree.addGroup(
        shown, [this](int tensor) { return nameOf(tensor); }, false, ends);
    for (const int tensor : shown)
        m_pinNodeOf[tensor] = ++node;
}

void TensorFilterModel::rebuild()
{
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<Identity> identities;
    for (const QModelIndex& index : before)
        identities.push_back(identityOf(nodeOf(index)));
    build();
    std::unordered_map<std::string, int> branches;
    for (int node = 1; node < m_tree.size(); ++node)
        if (m_tree.node(node).tensor < 0)
            branches[branchName(node)] = node;
    QModelIndexList after;
    for (qsizetype place = 0; place < before.size(); ++place) {
        const Identity& identity = identities[static_cast<std::size_t>(place)];
        int node = -1;
        if (identity.tensor < 0) {
            if (const auto found = branches.find(identity.branch); found != branches.end())
                node = found->second;
        } else if (!identity.isPin) {
            node = m_nodeOf[static_cast<std::size_t>(identity.tensor)];
        } else if (const auto found = m_pinNodeOf.find(identity.tensor);
                   found != m_pinNodeOf.end()) {
            node = found->second;
        }
        after.push_back(node < 0 ? QModelIndex() : indexOf(node, before[place].column()));
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
    Q_EMIT rowsChanged();
}

TensorFilterModel::Identity TensorFilterModel::identityOf(int node) const
{
    const int tensor = m_tree.node(node).tensor;
    if (tensor < 0)
        return {.branch = branchName(node)};
    return {.tensor = tensor,
            .isPin = m_groups[static_cast<std::size_t>(groupOf(node))].isPins,
            .branch = {}};
}

/// What a group or a branch is known by, whatever else is shown.
std::string TensorFilterModel::branchName(int node) const
{
    const Group& group = m_groups[static_cast<std::size_t>(groupOf(node))];
    const std::string role =
        group.isPins ? "pins"
                     : std::string(roleText(m_tensors.tensor(m_tree.firstTensor(node)).role));
    const ListTree::Node& known = m_tree.node(node);
    return role + ":" +
           m_tensors.tensor(m_tree.firstTensor(node))
               .name.substr(0, static_cast<std::size_t>(known.end));
}

// Changes.

void TensorFilterModel::follow(const QModelIndex& first, const QModelIndex& last)
{
    if (first.row() != last.row()) {
        m_isAllChanged = true;
        std::ranges::fill(m_warningsOf, std::nullopt);
    } else {
        m_changed.push_back(first.row());
        m_warningsOf[static_cast<std::size_t>(first.row())].reset();
        std::ranges::for_each(nodesOf(first.row()), [this](int node) { tellRow(node); });
    }
    if (!m_batch->isActive())
        m_batch->start();
}

/// Its rows: none while it is hidden, two where it is pinned.
std::vector<int> TensorFilterModel::nodesOf(int tensor) const
{
    std::vector<int> nodes;
    if (const int node = m_nodeOf[static_cast<std::size_t>(tensor)]; node >= 0)
        nodes.push_back(node);
    if (const auto pin = m_pinNodeOf.find(tensor); pin != m_pinNodeOf.end())
        nodes.push_back(pin->second);
    return nodes;
}

/// And of the branches that it is in.
void TensorFilterModel::tellRow(int node)
{
    for (; m_tree.node(node).parent > ListTree::root; node = m_tree.node(node).parent) {
        m_worstOf.erase(node);
        Q_EMIT dataChanged(indexOf(node), indexOf(node, columnCount() - 1));
    }
}

void TensorFilterModel::tellAll()
{
    m_worstOf.clear();
    for (int node = 0; node < m_tree.size(); ++node)
        if (const std::span<const int> rows = m_tree.rows(node); !rows.empty())
            Q_EMIT dataChanged(indexOf(rows.front()), indexOf(rows.back(), columnCount() - 1));
}

void TensorFilterModel::catchUp()
{
    m_batch->stop();
    const bool areOthersShown = readMatches();
    if ((m_isAllChanged || !m_changed.empty()) && m_order.readTexts())
        m_isAllChanged = true;
    const bool isAllChanged = m_isAllChanged;
    if (areOthersShown || m_pins != m_tensors.pins())
        rebuild();
    else if (sortColumn() >= 0)
        isAllChanged ? sort(sortColumn(), sortOrder()) : sortChanged();
    m_changed.clear();
    m_isAllChanged = false;
    if (isAllChanged)
        tellAll();
}

/// Asks the query for what changed. Whether others are shown than before.
bool TensorFilterModel::readMatches()
{
    bool isAnyOther = false;
    const auto read = [&](int tensor) {
        const auto place = static_cast<std::size_t>(tensor);
        const bool isShown = m_filter.matchesAll() || isMatch(tensor);
        isAnyOther = isAnyOther || isShown != m_matches[place];
        m_matches[place] = isShown;
    };
    if (m_isAllChanged)
        for (int tensor = 0; tensor < m_tensors.tensorCount(); ++tensor)
            read(tensor);
    else
        std::ranges::for_each(m_changed, read);
    return isAnyOther;
}

bool TensorFilterModel::isMatch(int tensor) const
{
    const Decision* decision = m_tensors.decision(tensor);
    return m_filter.matches(
        {.tensor = m_tensors.tensor(tensor),
         .preview = m_tensors.preview(tensor),
         .isReadable = m_tensors.isReadable(tensor),
         .isFlagged = m_filter.needsPreviews() && m_tensors.flagsOf(tensor).hasWarning(),
         .isEdited = m_tensors.isEdited(tensor),
         .isPinned = m_tensors.isPinned(tensor),
         .isExcluded = m_tensors.isExcluded(tensor),
         .isDecided = decision != nullptr,
         .decided = decision ? decision->label : std::string(),
         .decidedDb = m_tensors.decidedDb(tensor),
         .flags = m_filter.needsFlags() ? m_tensors.flagsOf(tensor).letters : QString(),
         .gainDb = m_filter.needsGains() ? m_tensors.gainOf(tensor) : std::nullopt});
}

// Order.

void TensorFilterModel::sort(int column, Qt::SortOrder order)
{
    m_order.setColumn(column, order);
    m_order.read(m_tree);
    Orders orders;
    for (int node = 1; node < m_tree.size(); ++node)
        if (m_tree.node(node).count > 1)
            orders.emplace_back(node, m_order.sorted(m_tree.rows(node)));
    setOrders(orders);
}

void TensorFilterModel::sortChanged()
{
    std::vector<int> nodes;
    for (const int tensor : m_changed)
        std::ranges::copy(nodesOf(tensor), std::back_inserter(nodes));
    const RowKeys::Moved moved = m_order.readAgain(m_tree, nodes);
    Orders orders;
    for (const int parent : moved.parents)
        orders.emplace_back(parent, m_order.merged(m_tree.rows(parent), moved.rows));
    setOrders(orders);
}

Qt::ItemFlags TensorFilterModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    if (m_tree.node(nodeOf(index)).parent == ListTree::root)
        return Qt::ItemIsEnabled;
    // An unreadable row is greyed by its colour only: it can be chosen, and the page says why.
    const Qt::ItemFlags always = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return tensorAt(index) >= 0 ? always | Qt::ItemNeverHasChildren : always;
}

std::vector<int> TensorFilterModel::tensorsIn(const QModelIndex& index) const
{
    std::vector<int> tensors;
    if (index.isValid() && index.parent().isValid())
        m_tree.collect(nodeOf(index), tensors);
    return tensors;
}

std::vector<int> TensorFilterModel::shownTensors() const
{
    std::vector<int> shown;
    const std::span<const int> groups = m_tree.rows(ListTree::root);
    for (std::size_t group = 0; group < groups.size(); ++group)
        if (!m_groups[group].isPins)  // they stand above too
            m_tree.collect(groups[group], shown);
    return shown;
}

// What is shown.

std::string_view TensorFilterModel::nameOf(int tensor) const
{
    return m_tensors.tensor(tensor).name;
}

bool TensorFilterModel::isByPath(int node) const
{
    return m_isTree && !m_groups[static_cast<std::size_t>(groupOf(node))].isPins;
}

QVariant TensorFilterModel::groupData(int node, int column, int role) const
{
    if (column != TensorModel::Name)
        return {};
    const Group& group = m_groups[static_cast<std::size_t>(m_tree.node(node).row)];
    switch (role) {
    case Qt::DisplayRole: {
        std::vector<int> shown;
        m_tree.collect(node, shown);
        return shown.size() == group.tensors
                   ? QStringLiteral("%1  %2").arg(group.title, countLabel(group.tensors))
                   : tr("%1  %2 of %3")
                         .arg(group.title, countLabel(shown.size()), countLabel(group.tensors));
    }
    case Qt::FontRole: return gradeFont(Grade::Bold);
    case Qt::ToolTipRole:
        return group.ends.isEmpty()
                   ? QVariant()
                   : tr("All these names are %1; what differs is shown.").arg(group.ends);
    case CommonEndsRole: return group.ends;
    default: return {};
    }
}

const TensorFilterModel::Worst& TensorFilterModel::worst(int branch) const
{
    if (const auto known = m_worstOf.find(branch); known != m_worstOf.end())
        return known->second;
    Worst found;
    for (const int row : m_tree.rows(branch))
        if (const int tensor = m_tree.node(row).tensor; tensor >= 0) {
            found.sqnrDb = least(found.sqnrDb, m_tensors.shownDb(tensor));
            found.atLayer = least(found.atLayer, m_tensors.atLayer(tensor));
            found.decided += m_tensors.isDecided(tensor) ? 1 : 0;
            found.warnings |= warningsOf(tensor);
            ++found.tensors;
        } else {
            const Worst& below = worst(row);
            found.sqnrDb = least(found.sqnrDb, below.sqnrDb);
            found.atLayer = least(found.atLayer, below.atLayer);
            found.decided += below.decided;
            found.tensors += below.tensors;
            found.warnings |= below.warnings;
        }
    return m_worstOf[branch] = found;
}

WarningSet TensorFilterModel::warningsOf(int tensor) const
{
    std::optional<WarningSet>& known = m_warningsOf[static_cast<std::size_t>(tensor)];
    if (!known)
        known = warningSet(m_tensors.flagsOf(tensor));
    return *known;
}

QVariant TensorFilterModel::branchFlags(int branch, int role) const
{
    const WarningSet warnings = worst(branch).warnings;
    if (role == Qt::DisplayRole)
        return warningLetters(warnings);
    if (warnings == 0 || (role != Qt::ToolTipRole && role != Qt::AccessibleTextRole))
        return {};
    return tr("Of tensors below: %1").arg(meaningsOf(warnings).join(QStringLiteral("; ")));
}

QVariant TensorFilterModel::branchData(int node, int column, int role) const
{
    if (column == TensorModel::Flags && role != Qt::TextAlignmentRole)
        return branchFlags(node, role);
    const bool isName = column == TensorModel::Name;
    const bool isSqnr = column == TensorModel::Sqnr;
    const bool isLayer = column == TensorModel::Layer;
    const auto number = [](const std::optional<double>& db) {
        return db ? QVariant(*db) : QVariant();
    };
    switch (role) {
    case Qt::DisplayRole:
        return isName    ? QVariant(shownName(node))
               : isSqnr  ? QVariant(listedDb(worst(node).sqnrDb))
               : isLayer ? QVariant(listedDb(worst(node).atLayer))
               : column == TensorModel::Decided && worst(node).decided > 0
                   ? QVariant(tr("%1 of %2").arg(worst(node).decided).arg(worst(node).tensors))
                   : QVariant();
    case Qt::TextAlignmentRole: return m_tensors.headerData(column, Qt::Horizontal, role);
    case Qt::FontRole: {
        if (!isSqnr && !isLayer)
            return {};
        QFont rolledUp;
        rolledUp.setItalic(true);
        return rolledUp;
    }
    case Qt::ToolTipRole:
        if (isSqnr || isLayer)
            return countText(static_cast<std::uint64_t>(worst(node).tensors),
                             tr("The worst of 1 tensor"), tr("The worst of %1 tensors"));
        return QStringLiteral("%1\n%2").arg(
            QString::fromStdString(branchName(node)).section(u':', 1),
            countText(static_cast<std::uint64_t>(worst(node).tensors), tr("1 tensor"),
                      tr("%1 tensors")));
    case BranchSizeRole: return isName ? QVariant(worst(node).tensors) : QVariant();
    case TensorModel::SqnrRole: return number(worst(node).sqnrDb);
    case TensorModel::AtLayerRole: return number(worst(node).atLayer);
    default: return {};
    }
}

}  // namespace calibscope
