// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/row_table.h"

#include <QHeaderView>
#include <QTableView>

namespace calibscope {

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

}  // namespace calibscope
