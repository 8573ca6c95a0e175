// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/row_table.h"

#include "ui/models/table_model.h"
#include "ui/plot/table_menu.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace calibscope {

FrozenColumn::FrozenColumn(QTreeView& tree)
    : QTreeView(&tree), m_tree(tree), m_viewport(tree.viewport())
{
    setObjectName(QStringLiteral("frozenColumn"));
    setModel(tree.model());
    setSelectionModel(tree.selectionModel());
    setFocusPolicy(Qt::NoFocus);
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(tree.uniformRowHeights());
    setIndentation(tree.indentation());
    setTextElideMode(tree.textElideMode());
    setAllColumnsShowFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(tree.verticalScrollMode());
    setContextMenuPolicy(Qt::CustomContextMenu);
    header()->setStretchLastSection(false);
    header()->setSectionsClickable(true);
    connect(this, &QWidget::customContextMenuRequested, &tree,
            &QWidget::customContextMenuRequested);
    connect(header(), &QHeaderView::sectionClicked, tree.header(), &QHeaderView::sectionClicked);
    connect(this, &QTreeView::expanded, &tree, &QTreeView::expand);
    connect(this, &QTreeView::collapsed, &tree, &QTreeView::collapse);
    connect(&tree, &QTreeView::expanded, this, &QTreeView::expand);
    connect(&tree, &QTreeView::collapsed, this, &QTreeView::collapse);
    connect(tree.verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(),
            &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, tree.verticalScrollBar(),
            &QScrollBar::setValue);
    connect(tree.horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::place);
    connect(tree.header(), &QHeaderView::sectionResized, this, &FrozenColumn::place);
    tree.viewport()->installEventFilter(this);
    place();
}

void FrozenColumn::place()
{
    setVisible(m_tree.horizontalScrollBar()->value() > 0);
    if (!isVisibleTo(&m_tree))
        return;
    for (int column = 1; column < header()->count(); ++column)
        setColumnHidden(column, true);
    header()->setFixedHeight(m_tree.header()->height());
    setColumnWidth(0, m_tree.columnWidth(0));
    setGeometry(0, 0, m_tree.columnWidth(0),
                m_tree.viewport()->height() + m_tree.header()->height());
    verticalScrollBar()->setValue(m_tree.verticalScrollBar()->value());
    raise();
}

bool FrozenColumn::eventFilter(QObject* watched, QEvent* event)
{
    // Events come until the tree has no viewport any more: it is not asked for it.
    if (watched == m_viewport && event->type() == QEvent::Resize)
        place();
    return QTreeView::eventFilter(watched, event);
}

void showWithoutLines(QTableView& table, int rowPixels)
{
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideMiddle);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(rowPixels);
    table.horizontalHeader()->setHighlightSections(false);
}

void showAsRows(QTableView& table, int rowPixels)
{
    showWithoutLines(table, rowPixels);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
}

void sortByHeaders(QTableView& table)
{
    table.setSortingEnabled(true);
    table.horizontalHeader()->setSortIndicatorClearable(true);
    table.horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
}

QTableView* makeRowTable(QSortFilterProxyModel& sorted, QAbstractItemModel& source,
                         const QString& name, QWidget* parent)
{
    sorted.setSourceModel(&source);
    sorted.setSortRole(tableSortRole);
    auto* table = new QTableView(parent);
    table->setModel(&sorted);
    table->setAccessibleName(name);
    table->setProperty("numbersApart", true);
    addTableMenu(*table, tableSortRole);
    showAsRows(*table);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    sortByHeaders(*table);
    return table;
}

}  // namespace calibscope
