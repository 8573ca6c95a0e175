#include "ui/panels/tensor_panel.h"

#include "ui/plot/table_menu.h"
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
#include <tuple>

namespace calibscope {

namespace {

constexpr int typingMs = 150;
constexpr int movingMs = 60;
constexpr int distributionWidth = 68;
constexpr int narrowDistribution = 46;  // beside a further column
constexpr int leastColumn = 44;
constexpr int leastNameWidth = 150;

}  // namespace

TensorPanel::TensorPanel(TensorModel& tensors, QWidget* parent)
    : QWidget(parent),
      m_tensors(tensors),
      m_shown(tensors),
      m_query(new QLineEdit(this)),
      m_problem(new PlainLabel(this)),
      m_ranking(new PlainLabel(this)),
      m_tree(new QTreeView(this)),
      m_typing(new QTimer(this)),
      m_moving(new QTimer(this))
{
    m_query->setPlaceholderText(tr("filter: kind:activation sqnr<38"));
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
    m_moving->setSingleShot(true);
    m_moving->setInterval(movingMs);
    connect(m_moving, &QTimer::timeout, this, &TensorPanel::tellShown);
    makeTree();
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 4, 0);
    layout->setSpacing(6);
    auto* line = new QHBoxLayout;
    line->setSpacing(2);
    line->addWidget(m_query, 1);
    line->addWidget(makeExamples());
    layout->addLayout(line);
    layout->addWidget(m_problem);
    layout->addWidget(m_ranking);
    layout->addWidget(m_tree, 1);
    connect(&tensors, &QAbstractItemModel::modelReset, this, &TensorPanel::showAll);
    connect(&tensors, &TensorModel::rankingChanged, this, &TensorPanel::followRanking);
}

void TensorPanel::setHead(QWidget& head)
{
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, &head);
}

/// A click fills in a query that can be changed then.
QToolButton* TensorPanel::makeExamples()
{
    auto* menu = new QMenu(this);
    addFilterExamples(*menu);
    connect(menu, &QMenu::triggered, this, [this](const QAction* example) {
        setQuery(example->data().toString());
        m_query->setFocus();
    });
    auto* button = new QToolButton(this);
    button->setText(QStringLiteral("?"));
    button->setAutoRaise(true);
    button->setToolTip(tr("Filter terms, with examples"));
    button->setAccessibleName(button->toolTip());
    // Not as the button's own menu: that would draw an arrow beside the question mark.
    connect(button, &QToolButton::clicked, menu,
            [button, menu] { menu->popup(button->mapToGlobal(button->rect().bottomLeft())); });
    return button;
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
    m_tree->setItemDelegateForColumn(TensorModel::Distribution,
                                     new SparklineDelegate(TensorModel::SparklineRole, m_tree));
    m_tree->setItemDelegateForColumn(TensorModel::Sqnr,
                                     new SqnrDelegate(TensorModel::SqnrRole, m_tree));
    m_tree->setItemDelegateForColumn(TensorModel::Layer,
                                     new SqnrDelegate(TensorModel::AtLayerRole, m_tree));
    QHeaderView* header = m_tree->header();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(20);
    header->setSectionResizeMode(TensorModel::Name, QHeaderView::Stretch);
    header->resizeSection(TensorModel::Flags,
                          fontMetrics().horizontalAdvance(QStringLiteral("!0?")) + 12);
    header->resizeSection(TensorModel::Distribution, distributionWidth);
    header->resizeSection(TensorModel::Sqnr, fontMetrics().horizontalAdvance(tr("SQNR")) + 14);
    header->resizeSection(TensorModel::Layer, fontMetrics().horizontalAdvance(tr("layer")) + 14);
    for (const int column : {TensorModel::Layer, TensorModel::Shape, TensorModel::Type,
                             TensorModel::Op, TensorModel::Role})
        header->hideSection(column);
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
    connect(&m_shown, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent) {
        if (!parent.isValid())
            expandGroups();  // the first pin brings its group
    });
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
        connect(shownAction, &QAction::toggled, header,
                [header, column](bool isShown) { header->setSectionHidden(column, !isShown); });
        header->addAction(shownAction);
    }
}

QByteArray TensorPanel::columns() const
{
    return m_tree->header()->saveState();
}

void TensorPanel::restoreColumns(const QByteArray& columns)
{
    QHeaderView* header = m_tree->header();
    const QByteArray standard = header->saveState();
    if (columns.isEmpty())
        return;
    if (!header->restoreState(columns) || header->count() != TensorModel::ColumnCount)
        header->restoreState(standard);
    header->setSectionResizeMode(TensorModel::Name, QHeaderView::Stretch);
    header->setSectionHidden(TensorModel::Name, false);
    for (int column = 1; column < TensorModel::ColumnCount; ++column)
        header->actions().at(column - 1)->setChecked(!header->isSectionHidden(column));
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

/// The layers' column comes when something is known in it and names have room beside it; the
/// distribution gives way. What the user shows, hides and widens otherwise stays.
void TensorPanel::fitLayerColumn()
{
    QHeaderView* header = m_tree->header();
    int others = narrowDistribution + m_tree->verticalScrollBar()->sizeHint().width();
    for (const int column : {TensorModel::Flags, TensorModel::Sqnr, TensorModel::Layer})
        others += header->isSectionHidden(column) && column != TensorModel::Layer
                      ? 0
                      : std::max(header->sectionSize(column), leastColumn);
    const bool isWanted = m_ranksByLayers && width() - others >= leastNameWidth;
    if (isWanted == m_showsLayerColumn)
        return;
    m_showsLayerColumn = isWanted;
    header->actions().at(TensorModel::Layer - 1)->setChecked(isWanted);
    const int before = isWanted ? distributionWidth : narrowDistribution;
    if (header->sectionSize(TensorModel::Distribution) == before)
        header->resizeSection(TensorModel::Distribution,
                              isWanted ? narrowDistribution : distributionWidth);
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
    fitLayerColumn();
    m_ranking->setVisible(m_ranksByLayers);
    m_ranking->setText(tr("Worst by the output of their layer (known of %1 of %2 tensors), then by "
                          "their own SQNR.")
                           .arg(known)
                           .arg(m_tensors.tensorCount()));
}

void TensorPanel::showAll()
{
    m_selected = -1;
    expandGroups();
}

void TensorPanel::expandGroups()
{
    for (int group = 0; group < m_shown.rowCount(); ++group) {
        m_tree->setExpanded(m_shown.index(group, 0), true);
        m_tree->setFirstColumnSpanned(group, {}, true);
    }
    m_moving->start();
}

void TensorPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitLayerColumn();
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
        return;  // it may be the row of a pin
    m_tree->setCurrentIndex(index);
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
    std::vector<std::pair<std::pair<int, int>, int>> rows;  // group and row, tensor
    for (const QModelIndex& row : m_tree->selectionModel()->selectedRows())
        if (const int tensor = m_shown.tensorAt(row); tensor >= 0)
            rows.emplace_back(std::pair(row.parent().row(), row.row()), tensor);
    std::ranges::sort(rows);
    std::vector<int> tensors;
    for (const auto& [place, tensor] : rows)
        if (std::ranges::find(tensors, tensor) == tensors.end())
            tensors.push_back(tensor);
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
    m_problem->setText(m_shown.problem());
    m_problem->setVisible(!m_shown.problem().isEmpty());
    expandGroups();
    setSelected(m_selected);
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

int TensorPanel::nextWorst(int tensor) const
{
    using Ranked = std::pair<std::pair<int, double>, int>;
    std::vector<Ranked> ranked;
    Ranked current{{-1, 0.0}, -1};
    for (const int candidate : m_shown.shownTensors()) {
        const auto rank = m_tensors.rankOf(candidate);
        if (!rank || m_tensors.isExcluded(candidate))
            continue;
        ranked.emplace_back(*rank, candidate);
        if (candidate == tensor)
            current = ranked.back();
    }
    std::ranges::sort(ranked);
    const auto next = std::ranges::upper_bound(ranked, current);
    if (ranked.empty())
        return -1;
    return next == ranked.end() ? ranked.front().second : next->second;
}

}  // namespace calibscope
