// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_filter_model.h"

#include "ui/models/tensor_flags.h"
#include "ui/models/tensor_model.h"
#include "ui/plot/number_label.h"

#include <QFont>

#include <algorithm>

namespace calibscope {

namespace {

/// The worst of two numbers, either of which may not be known.
std::optional<double> least(const std::optional<double>& one, const std::optional<double>& other)
{
    if (!one || !other)
        return one ? one : other;
    return std::min(*one, *other);
}

QString textOf(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

/// "*/output", "model/*" ("…." would be four dots); empty without common ends.
QString endsText(std::string_view name, const CommonEnds& ends)
{
    if (ends == CommonEnds())
        return {};
    return textOf(name.substr(0, ends.front)) + u'*' + textOf(name.substr(name.size() - ends.back));
}

}  // namespace

TensorFilterModel::TensorFilterModel(TensorModel& tensors, QObject* parent)
    : QAbstractItemModel(parent), m_tensors(tensors), m_order(tensors), m_batch(new QTimer(this))
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
    const auto rowsAreStale = [this] {
        m_areRowsStale = true;
        m_batch->start();
    };
    connect(&tensors, &QAbstractItemModel::rowsInserted, this, rowsAreStale);
    connect(&tensors, &QAbstractItemModel::rowsRemoved, this, rowsAreStale);
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

QString TensorFilterModel::problem() const
{
    return QString::fromStdString(m_filter.problem());
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
    m_areRowsStale = false;
    m_tree.clear();
    m_groups.clear();
    m_worstOf.clear();
    m_endings.clear();
    m_warningsOf.assign(static_cast<std::size_t>(m_tensors.tensorCount()), std::nullopt);
    m_pinNodeOf.clear();
    m_nodeOf.assign(static_cast<std::size_t>(m_tensors.tensorCount()), -1);
    const auto nameOf = [this](int tensor) -> std::string_view {
        return m_tensors.tensor(tensor).name;
    };
    for (int source = 0; source < m_tensors.rowCount(); ++source) {
        const bool isPins = m_tensors.isInPins(m_tensors.index(source, 0));
        const std::vector<int>& all = m_tensors.tensorsOf(source);
        std::vector<int> shown;
        std::vector<std::string_view> names;
        for (const int tensor : all) {
            names.push_back(nameOf(tensor));
            if (isPins || m_matches[static_cast<std::size_t>(tensor)])
                shown.push_back(tensor);  // pins are there whatever is looked for
        }
        if (shown.empty())
            continue;
        // Pins are of several roles, and few.
        const CommonEnds ends = isPins ? CommonEnds() : commonEnds(names);
        const QModelIndex title = m_tensors.index(source, TensorModel::Name);
        m_groups.push_back({.isPins = isPins,
                            .title = title.data(TensorModel::GroupTitleRole).toString(),
                            .tensors = all.size(),
                            .ends = endsText(names.front(), ends)});
        const int first = m_tree.addGroup(shown, nameOf, m_isTree && !isPins, ends);
        for (int node = first + 1; node < m_tree.size(); ++node)
            if (const int tensor = m_tree.node(node).tensor; tensor >= 0 && isPins)
                m_pinNodeOf[tensor] = node;
            else if (tensor >= 0)
                m_nodeOf[static_cast<std::size_t>(tensor)] = node;
    }
    m_tree.finish();
    m_order.read(m_tree);
    for (int node = 1; node < m_tree.size() && sortColumn() >= 0; ++node)
        if (m_tree.node(node).count > 1)
            m_tree.setRows(node, m_order.sorted(m_tree.rows(node)));
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
    if (!first.parent().isValid())
        return;  // titles are of this model
    if (first.row() != last.row()) {
        m_isAllChanged = true;
        std::ranges::fill(m_warningsOf, std::nullopt);
    } else if (const int tensor = m_tensors.tensorAt(first); m_tensors.isInPins(first)) {
        if (const auto found = m_pinNodeOf.find(tensor); found != m_pinNodeOf.end())
            tellRow(found->second);
        return;
    } else {
        m_changed.push_back(tensor);
        m_warningsOf[static_cast<std::size_t>(tensor)].reset();
        if (const int node = m_nodeOf[static_cast<std::size_t>(tensor)]; node >= 0)
            tellRow(node);
    }
    if (!m_batch->isActive())
        m_batch->start();
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
    if (areOthersShown || m_areRowsStale)
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
    for (const int tensor : m_changed) {
        if (const int node = m_nodeOf[static_cast<std::size_t>(tensor)]; node >= 0)
            nodes.push_back(node);
        if (const auto pin = m_pinNodeOf.find(tensor); pin != m_pinNodeOf.end())
            nodes.push_back(pin->second);
    }
    const RowKeys::Moved moved = m_order.readAgain(m_tree, nodes);
    Orders orders;
    for (const int parent : moved.parents)
        orders.emplace_back(parent, m_order.merged(m_tree.rows(parent), moved.rows));
    setOrders(orders);
}

/// Tells only if one is another than before.
void TensorFilterModel::setOrders(const Orders& orders)
{
    if (std::ranges::all_of(orders, [this](const auto& order) {
            return std::ranges::equal(order.second, m_tree.rows(order.first));
        }))
        return;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    for (const auto& [parent, rows] : orders)
        m_tree.setRows(parent, rows);
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& index : before)
        after.push_back(indexOf(nodeOf(index), index.column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

// Indices. What is internal to one is the id of its node.

int TensorFilterModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<int>(index.internalId()) : ListTree::root;
}

QModelIndex TensorFilterModel::indexOf(int node, int column) const
{
    return createIndex(m_tree.node(node).row, column, static_cast<quintptr>(node));
}

int TensorFilterModel::groupOf(int node) const
{
    while (m_tree.node(node).parent > ListTree::root)
        node = m_tree.node(node).parent;
    return m_tree.node(node).row;
}

QModelIndex TensorFilterModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(
        row, column,
        static_cast<quintptr>(m_tree.rows(nodeOf(parent))[static_cast<std::size_t>(row)]));
}

QModelIndex TensorFilterModel::parent(const QModelIndex& child) const
{
    const int parent = child.isValid() ? m_tree.node(nodeOf(child)).parent : ListTree::root;
    return parent > ListTree::root ? indexOf(parent) : QModelIndex();
}

int TensorFilterModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() && parent.column() > 0 ? 0 : m_tree.node(nodeOf(parent)).count;
}

int TensorFilterModel::columnCount(const QModelIndex&) const
{
    return TensorModel::ColumnCount;
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

int TensorFilterModel::tensorAt(const QModelIndex& index) const
{
    return index.isValid() ? m_tree.node(nodeOf(index)).tensor : -1;
}

std::vector<int> TensorFilterModel::tensorsIn(const QModelIndex& index) const
{
    std::vector<int> tensors;
    if (index.isValid() && index.parent().isValid())
        m_tree.collect(nodeOf(index), tensors);
    return tensors;
}

QModelIndex TensorFilterModel::indexOfTensor(int tensor) const
{
    if (tensor < 0 || tensor >= std::ssize(m_nodeOf))
        return {};
    const int node = m_nodeOf[static_cast<std::size_t>(tensor)];
    return node < 0 ? QModelIndex() : indexOf(node);
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

QVariant TensorFilterModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_tensors.headerData(section, orientation, role);
}

QVariant TensorFilterModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int node = nodeOf(index);
    if (m_tree.node(node).parent == ListTree::root)
        return groupData(node, index.column(), role);
    const int tensor = m_tree.node(node).tensor;
    if (role == NeededRole)
        return neededFrom(node);
    if (tensor < 0)
        return branchData(node, index.column(), role);
    if (role == Qt::DisplayRole && index.column() == TensorModel::Name)
        return shownName(node);
    return m_tensors.data(m_tensors.indexOf(tensor).siblingAtColumn(index.column()), role);
}

std::string_view TensorFilterModel::shownBytes(int node) const
{
    const ListTree::Node& shown = m_tree.node(node);
    return std::string_view(m_tensors.tensor(m_tree.firstTensor(node)).name)
        .substr(static_cast<std::size_t>(shown.begin),
                static_cast<std::size_t>(shown.end - shown.begin));
}

QString TensorFilterModel::shownName(int node) const
{
    return textOf(shownBytes(node));
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
    case Qt::FontRole: {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case Qt::ToolTipRole:
        return group.ends.isEmpty()
                   ? QVariant()
                   : tr("All these names are %1; what differs is shown.").arg(group.ends);
    case TensorModel::GroupTitleRole: return group.title;
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
            const protocol::Preview* preview = m_tensors.preview(tensor);
            found.sqnrDb = least(found.sqnrDb, preview ? preview->sqnrDb : std::nullopt);
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

/// In a tree names differ from their first part on. In a list endings are counted, but not of more
/// names than a frame has the time for.
int TensorFilterModel::neededFrom(int node) const
{
    constexpr std::size_t mostNames = 20000;
    const int group = groupOf(node);
    const std::span<const int> rows = m_tree.rows(m_tree.node(node).parent);
    if (m_isTree && !m_groups[static_cast<std::size_t>(group)].isPins)
        return 0;
    if (rows.size() > mostNames)
        return -1;
    auto known = m_endings.find(group);
    if (known == m_endings.end()) {
        std::vector<std::string_view> names;
        for (const int row : rows)
            names.push_back(shownBytes(row));
        known = m_endings.emplace(group, NameEndings(names)).first;
    }
    const std::string_view name = shownBytes(node);
    const std::string_view needed = known->second.needed(name);
    return static_cast<int>(textOf(name.substr(0, name.size() - needed.size())).size());
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
