// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tensor_panel.h"

#include "ui/plot/table_menu.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/filter_examples.h"
#include "ui/widgets/tensor_delegates.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace calibscope {

namespace {

/// Letters are the window's keys, here as elsewhere: none of them looks for a name.
class TensorTree : public QTreeView
{
public:
    using QTreeView::QTreeView;
    void keyboardSearch(const QString& /*text*/) override {}
};

constexpr int typingMs = 150;
constexpr int movingMs = 60;
constexpr int distributionWidth = 68;
constexpr int narrowDistribution = 46;  // beside a further column
constexpr int decidedLetters = 18;
constexpr int leastNameLetters = 16;
constexpr int leastNameWidth = 126;

bool isShownFromStart(int column)
{
    return column == TensorModel::Flags || column == TensorModel::Distribution ||
           column == TensorModel::Sqnr;
}

/// Columns that come and go with the room, those that stay longest first.
constexpr std::array yieldingColumns = {TensorModel::Sqnr, TensorModel::Flags,
                                        TensorModel::Distribution, TensorModel::Layer,
                                        TensorModel::Decided};

}  // namespace

TensorPanel::TensorPanel(TensorModel& tensors, QWidget* parent)
    : QWidget(parent),
      m_tensors(tensors),
      m_shown(tensors, this),
      m_query(new QLineEdit(this)),
      m_problem(new PlainLabel(this)),
      m_ranking(new PlainLabel(this)),
      m_tree(new TensorTree(this)),
      m_treeButton(new QToolButton(this)),
      m_typing(new QTimer(this)),
      m_moving(new QTimer(this))
{
    m_query->setPlaceholderText(tr("filter: role:activation sqnr<38"));
    m_query->setClearButtonEnabled(true);
    m_query->setAccessibleName(tr("Filter of the tensor list"));
    m_problem->setWordWrap(true);
    m_problem->setForegroundRole(QPalette::BrightText);
    m_problem->hide();
    m_ranking->setWordWrap(true);
    m_ranking->setForegroundRole(QPalette::PlaceholderText);
    m_ranking->hide();
    m_typing->setSingleShot(true);
    m_typing->setInterval(typingMs);
    connect(m_query, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
    connect(m_typing, &QTimer::timeout, this, &TensorPanel::applyQuery);
    connect(m_query, &QLineEdit::returnPressed, this, [this] {
        applyQuery();
        focusList();
    });
    m_query->installEventFilter(new EscapeFilter([this] { focusList(); }, this));
    m_moving->setSingleShot(true);
    m_moving->setInterval(movingMs);
    connect(m_moving, &QTimer::timeout, this, &TensorPanel::tellShown);
    makeTree();
    makeTreeButton();
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 4, 0);
    layout->setSpacing(6);
    auto* line = new QHBoxLayout;
    line->setSpacing(2);
    line->addWidget(m_query, 1);
    line->addWidget(m_treeButton);
    line->addWidget(makeExamples());
    layout->addLayout(line);
    layout->addWidget(m_problem);
    layout->addWidget(m_ranking);
    layout->addWidget(m_tree, 1);
    connect(&m_shown, &QAbstractItemModel::modelReset, this, &TensorPanel::showAll);
    connect(&m_shown, &TensorFilterModel::rowsChanged, this, &TensorPanel::expandGroups);
    connect(&m_shown, &TensorFilterModel::rowsChanged, this, &TensorPanel::showProblem);
    connect(&tensors, &TensorModel::rankingChanged, this, &TensorPanel::followRanking);
    connect(&tensors, &TensorModel::changedByUser, this, &TensorPanel::fitColumns);
}

void TensorPanel::setHead(QWidget& head)
{
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, &head);
}

/// A click fills in a query that can be changed then.
QToolButton* TensorPanel::makeExamples()
{
    auto* menu = new QMenu(this);
    connect(menu, &QMenu::triggered, this, [this](const QAction* example) {
        setQuery(example->data().toString());
        m_query->setFocus();
    });
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {  // in the colours of the theme
        menu->clear();
        addFilterExamples(*menu);
        menu->addSeparator();
        addFlagLegend(*menu->addMenu(tr("Legend of the &flags")), chartColors(palette()));
    });
    auto* button = new QToolButton(this);
    button->setText(QStringLiteral("?"));
    button->setAutoRaise(true);
    button->setToolTip(tr("Filter terms, with examples, and the legend of the flags"));
    button->setAccessibleName(button->toolTip());
    // Not as the button's own menu: that would draw an arrow beside the question mark.
    connect(button, &QToolButton::clicked, menu,
            [button, menu] { menu->popup(button->mapToGlobal(button->rect().bottomLeft())); });
    return button;
}

void TensorPanel::makeTreeButton()
{
    m_treeButton->setCheckable(true);
    m_treeButton->setAutoRaise(true);
    m_treeButton->setIcon(treeIcon(palette().color(QPalette::Text)));
    m_treeButton->setToolTip(tr("The list as a tree by the parts of the names (P)"));
    m_treeButton->setAccessibleName(tr("List as a tree"));
    connect(m_treeButton, &QToolButton::clicked, this, &TensorPanel::setTree);
}

void TensorPanel::setTree(bool isTree)
{
    m_treeButton->setChecked(isTree);
    if (isTree == m_shown.isTree())
        return;
    m_shown.setTree(isTree);
    openBranches();
    m_tree->scrollTo(m_tree->currentIndex());
    Q_EMIT sortingChanged();
}

bool TensorPanel::isTree() const
{
    return m_shown.isTree();
}

/// Few tensors, or what was looked for, are seen at once; of many the branches with their worst.
void TensorPanel::openBranches()
{
    constexpr int fewTensors = 40;
    if (m_shown.isTree() && (!query().isEmpty() || m_shown.matchCount() <= fewTensors))
        m_tree->expandAll();
}

void TensorPanel::makeTree()
{
    m_tree->setObjectName(QStringLiteral("tensorTree"));
    m_tree->setModel(&m_shown);
    addTableMenu(*m_tree, TensorModel::CopyRole);
    m_tree->setAccessibleName(tr("Tensors"));
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(9);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setItemDelegateForColumn(
        TensorModel::Name, new NameDelegate({.endsRole = TensorFilterModel::CommonEndsRole,
                                             .sizeRole = TensorFilterModel::BranchSizeRole,
                                             .neededRole = TensorFilterModel::NeededRole},
                                            m_tree));
    m_tree->setItemDelegateForColumn(TensorModel::Flags, new FlagsDelegate(m_tree));
    m_tree->setItemDelegateForColumn(TensorModel::Distribution,
                                     new SparklineDelegate(TensorModel::SparklineRole, m_tree));
    m_tree->setItemDelegateForColumn(
        TensorModel::Sqnr,
        new SqnrDelegate(TensorModel::SqnrRole, m_tree, TensorModel::OneValueRole));
    m_tree->setItemDelegateForColumn(TensorModel::Layer,
                                     new SqnrDelegate(TensorModel::AtLayerRole, m_tree));
    QHeaderView* header = m_tree->header();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(20);
    header->setSectionResizeMode(TensorModel::Name, QHeaderView::Stretch);
    header->resizeSection(TensorModel::Flags, FlagsDelegate::widthOf(2));
    header->resizeSection(TensorModel::Distribution, distributionWidth);
    followFont();
    for (int column = 1; column < TensorModel::ColumnCount; ++column)
        header->setSectionHidden(column, !isShownFromStart(column));
    header->setSectionsClickable(true);
    header->setContextMenuPolicy(Qt::ActionsContextMenu);
    addColumnActions();
    connect(header, &QHeaderView::sectionClicked, this, &TensorPanel::cycleSorting);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &TensorPanel::askForCurrent);
    const auto tellSoon = qOverload<>(&QTimer::start);
    connect(m_tree->verticalScrollBar(), &QScrollBar::valueChanged, m_moving, tellSoon);
    connect(m_tree, &QTreeView::expanded, m_moving, tellSoon);
    connect(m_tree, &QTreeView::collapsed, m_moving, tellSoon);
    connect(&m_shown, &QAbstractItemModel::layoutChanged, m_moving, tellSoon);
}

/// Columns that the user made wider or narrower stay.
void TensorPanel::followFont()
{
    QHeaderView* header = m_tree->header();
    const QFontMetrics metrics(font());
    const auto widthOf = [&metrics](const QString& title, const QString& widest) {
        return std::max(metrics.horizontalAdvance(title), metrics.horizontalAdvance(widest)) + 14;
    };
    const int mark = style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, header);
    const std::map<int, int> wanted = {
        {TensorModel::Sqnr, widthOf(tr("SQNR"), QStringLiteral("00.0"))},
        {TensorModel::Layer, widthOf(tr("layer"), QStringLiteral("00.0")) + mark},
        {TensorModel::Decided, decidedLetters * metrics.averageCharWidth()}};
    for (const auto& [column, width] : wanted) {
        const bool isHidden = header->isSectionHidden(column);
        header->showSection(column);  // a hidden section has no width
        if (!m_fontWidths.contains(column) || header->sectionSize(column) == m_fontWidths[column])
            header->resizeSection(column, width);
        header->setSectionHidden(column, isHidden);
    }
    m_fontWidths = wanted;
}

/// What a right click on the header offers: every column but the name.
void TensorPanel::addColumnActions()
{
    QHeaderView* header = m_tree->header();
    for (int column = 1; column < TensorModel::ColumnCount; ++column) {
        auto* shownAction =
            new QAction(m_shown.headerData(column, Qt::Horizontal).toString(), header);
        shownAction->setCheckable(true);
        shownAction->setChecked(!header->isSectionHidden(column));
        connect(shownAction, &QAction::toggled, this, [this, column](bool isShown) {
            m_chosenColumns[column] = isShown;
            fitColumns();
        });
        header->addAction(shownAction);
    }
}

/// What gave way to names is kept as shown.
QByteArray TensorPanel::columns()
{
    QHeaderView* header = m_tree->header();
    for (int column = 1; column < TensorModel::ColumnCount; ++column) {
        const auto chosen = m_chosenColumns.find(column);
        header->setSectionHidden(column, chosen == m_chosenColumns.end() ? !isShownFromStart(column)
                                                                         : !chosen->second);
    }
    const QByteArray state = header->saveState();
    fitColumns();
    return state;
}

void TensorPanel::restoreColumns(const QByteArray& columns)
{
    QHeaderView* header = m_tree->header();
    const QByteArray standard = header->saveState();
    if (columns.isEmpty())
        return;
    if (!header->restoreState(columns) || header->count() != TensorModel::ColumnCount) {
        header->restoreState(standard);
        return;
    }
    header->setSectionResizeMode(TensorModel::Name, QHeaderView::Stretch);
    header->setSectionHidden(TensorModel::Name, false);
    m_chosenColumns.clear();
    for (int column = 1; column < TensorModel::ColumnCount; ++column)
        if (header->isSectionHidden(column) == isShownFromStart(column))
            m_chosenColumns[column] = !header->isSectionHidden(column);
    fitColumns();
    sortBy(header->isSortIndicatorShown() ? header->sortIndicatorSection() : -1,
           header->sortIndicatorOrder());
}

/// Ascending, descending, then file order again.
void TensorPanel::cycleSorting(int column)
{
    const bool isSame = m_shown.sortColumn() == column;
    if (isSame && m_shown.sortOrder() == Qt::DescendingOrder)
        return sortBy(-1, Qt::AscendingOrder);
    sortBy(column, isSame ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void TensorPanel::sortBy(int column, Qt::SortOrder order)
{
    m_tree->header()->setSortIndicatorShown(column >= 0);
    if (column >= 0)
        m_tree->header()->setSortIndicator(column, order);
    m_shown.sort(column, order);
    Q_EMIT sortingChanged();
}

void TensorPanel::setWorstFirst(bool isWorstFirst)
{
    sortBy(!isWorstFirst     ? -1
           : m_ranksByLayers ? TensorModel::Layer
                             : TensorModel::Sqnr,
           Qt::AscendingOrder);
    m_tree->scrollTo(m_tree->currentIndex());
}

bool TensorPanel::isWorstFirst() const
{
    return m_shown.sortColumn() == (m_ranksByLayers ? TensorModel::Layer : TensorModel::Sqnr) &&
           m_shown.sortOrder() == Qt::AscendingOrder;
}

QString TensorPanel::ranking() const
{
    return m_ranksByLayers ? m_ranking->text() : QString();
}

/// Whether a column is to be seen where there is room: as the user said, else if something is known
/// in it.
bool TensorPanel::isWanted(int column) const
{
    if (const auto chosen = m_chosenColumns.find(column); chosen != m_chosenColumns.end())
        return chosen->second;
    return isShownFromStart(column) || (column == TensorModel::Layer && m_ranksByLayers) ||
           (column == TensorModel::Decided && m_tensors.hasDecisions());
}

/// Names come first: what else is shown by itself gives way to them. What the user asked for stays.
void TensorPanel::fitColumns()
{
    QHeaderView* header = m_tree->header();
    const auto isChosen = [this](int column) {
        const auto chosen = m_chosenColumns.find(column);
        return chosen != m_chosenColumns.end() && chosen->second;
    };
    const auto widthOf = [header](int column) {
        // A hidden section has no width; shown it has again what it had.
        const bool isHidden = header->isSectionHidden(column);
        if (isHidden)
            header->showSection(column);
        const int width = header->sectionSize(column);
        header->setSectionHidden(column, isHidden);
        return width;
    };
    const QMargins margins = layout()->contentsMargins();
    int room = width() - margins.left() - margins.right() -
               m_tree->verticalScrollBar()->sizeHint().width() -
               std::max(leastNameLetters * fontMetrics().averageCharWidth(), leastNameWidth);
    for (int column = 1; column < TensorModel::ColumnCount; ++column)
        if (std::ranges::find(yieldingColumns, column) == yieldingColumns.end()) {
            header->setSectionHidden(column, !isWanted(column));
            room -= header->sectionSize(column);
        }
    bool isShort = false;
    for (const int column : yieldingColumns) {
        const int own = widthOf(column);
        const bool isNarrowed = column == TensorModel::Distribution && own == distributionWidth;
        const int needed = isNarrowed ? narrowDistribution : own;
        const bool isShown = isWanted(column) && (isChosen(column) || needed <= room);
        header->setSectionHidden(column, !isShown);
        room -= isShown ? needed : 0;
        isShort = isShort ||
                  (isShown && (column == TensorModel::Layer || column == TensorModel::Decided));
    }
    const int distribution = header->sectionSize(TensorModel::Distribution);
    const bool isStandard = distribution == distributionWidth || distribution == narrowDistribution;
    const bool isWide = !isShort && room >= distributionWidth - narrowDistribution;
    if (isStandard)
        header->resizeSection(TensorModel::Distribution,
                              isWide ? distributionWidth : narrowDistribution);
    for (int column = 1; column < TensorModel::ColumnCount; ++column) {
        QAction* shown = header->actions().at(column - 1);
        const QSignalBlocker blocker(shown);
        shown->setChecked(isWanted(column));
    }
}

/// The worst stay first.
void TensorPanel::followRanking()
{
    const int known = m_tensors.atLayerCount();
    const bool wasWorstFirst = isWorstFirst();
    if (m_ranksByLayers != (known > 0)) {
        m_ranksByLayers = known > 0;
        if (wasWorstFirst)
            setWorstFirst(true);
    }
    fitColumns();
    m_ranking->setVisible(m_ranksByLayers);
    m_ranking->setText(
        tr("The worst (W) by the output of their layer, known of %1 of %2 tensors, then by "
           "their own SQNR.")
            .arg(known)
            .arg(m_tensors.tensorCount()));
}

void TensorPanel::showAll()
{
    m_selected = -1;
    m_reached.reset();
    showProblem();
    expandGroups();
    openBranches();
    fitColumns();
}

void TensorPanel::expandGroups()
{
    for (int group = 0; group < m_shown.rowCount(); ++group)
        m_tree->setExpanded(m_shown.index(group, 0), true);
    m_moving->start();
}

void TensorPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_treeButton->setIcon(treeIcon(palette().color(QPalette::Text)));
    if (event->type() == QEvent::FontChange && !m_fontWidths.empty()) {
        followFont();
        fitColumns();
    }
}

void TensorPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
    m_moving->start();
}

/// Goes from the topmost row to the lowest one on screen, whatever the length of the list.
void TensorPanel::tellShown()
{
    std::vector<int> tensors;
    const int bottom = m_tree->viewport()->height();
    for (QModelIndex row = m_tree->indexAt({0, 0}); row.isValid(); row = m_tree->indexBelow(row)) {
        if (m_tree->visualRect(row).top() > bottom)
            break;
        if (const int tensor = m_shown.tensorAt(row); tensor >= 0)
            tensors.push_back(tensor);
    }
    Q_EMIT shownTensorsChanged(tensors);
}

void TensorPanel::setSelected(int tensor)
{
    m_selected = tensor;
    const QModelIndex index = m_shown.indexOfTensor(tensor);
    if (tensor >= 0 && m_shown.tensorAt(m_tree->currentIndex()) == tensor)
        return;      // it may be the row of a pin
    if (tensor < 0)  // the ring is on the first heading
        return m_tree->selectionModel()->setCurrentIndex(m_shown.index(0, 0),
                                                         QItemSelectionModel::Clear);
    // Not as the view would with Ctrl held, as in Ctrl+Down: it adds to the selection.
    m_tree->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                         QItemSelectionModel::Rows);
    if (index.isValid())
        m_tree->scrollTo(index);
}

void TensorPanel::askForCurrent(const QModelIndex& current)
{
    const int tensor = m_shown.tensorAt(current);
    if (tensor >= 0 && tensor != m_selected)
        Q_EMIT selectionRequested(tensor);
}

std::vector<int> TensorPanel::selectedTensors() const
{
    std::vector<bool> isSelected(static_cast<std::size_t>(m_tensors.tensorCount()));
    for (const QModelIndex& row : m_tree->selectionModel()->selectedRows())
        for (const int tensor : m_shown.tensorsIn(row))
            isSelected[static_cast<std::size_t>(tensor)] = true;
    std::vector<int> tensors;
    const auto take = [&](int tensor) {
        if (isSelected[static_cast<std::size_t>(tensor)])
            tensors.push_back(tensor);
        isSelected[static_cast<std::size_t>(tensor)] = false;
    };
    std::ranges::for_each(m_shown.shownTensors(), take);
    for (int tensor = 0; tensor < m_tensors.tensorCount(); ++tensor)
        take(tensor);  // pins that the filter hides
    return tensors;
}

void TensorPanel::focusFilter()
{
    m_query->setFocus(Qt::ShortcutFocusReason);
    m_query->selectAll();
}

void TensorPanel::focusList()
{
    m_tree->setFocus();
}

void TensorPanel::addToMenu(QAction& action)
{
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_tree->addAction(&action);
}

QString TensorPanel::query() const
{
    return m_query->text();
}

void TensorPanel::setQuery(const QString& query)
{
    m_query->setText(query);
    applyQuery();
}

void TensorPanel::applyQuery()
{
    m_typing->stop();
    m_shown.setQuery(m_query->text());
    showProblem();
    openBranches();
    setSelected(m_selected);
}

/// What of the query could not be parsed, else why the list is empty.
void TensorPanel::showProblem()
{
    QString problem = m_shown.problem();
    if (problem.isEmpty() && !query().isEmpty() && m_shown.matchCount() == 0 &&
        m_tensors.tensorCount() > 0)
        problem = query().contains(u':') ? tr("No tensor matches. Words before a colon that are "
                                              "not listed under ? are looked for in names.")
                                         : tr("No tensor matches.");
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

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
        std::rotate(shown.begin(), place + 1, shown.end());
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

int TensorPanel::nextWorst(int tensor)
{
    std::vector<Ranked> ranked;
    Ranked current{{-1, 0.0}, -1};
    for (const int candidate : m_shown.shownTensors()) {
        const auto rank = m_tensors.rankOf(candidate);
        if (!rank || m_tensors.isExcluded(candidate))
            continue;
        if (candidate == tensor)
            current = {*rank, candidate};
        else
            ranked.emplace_back(*rank, candidate);
    }
    if (ranked.empty())
        return current.second;
    // It may be better by now, or no longer listed, and those in between were not visited.
    if (m_reached && m_reached->second == tensor)
        current = current.second < 0 ? *m_reached : std::min(current, *m_reached);
    std::ranges::sort(ranked);
    const auto next = std::ranges::upper_bound(ranked, current);
    m_reached = next == ranked.end() ? ranked.front() : *next;
    return m_reached->second;
}

}  // namespace calibscope
