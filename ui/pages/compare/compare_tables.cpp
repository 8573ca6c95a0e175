// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_tables.h"

#include "ui/widgets/row_table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int rowPixels = 22;
constexpr int widthForBoth = 980;
constexpr int mostTransferRows = 4;  // where it stands above the statistics

}  // namespace

CompareTables::CompareTables(const PairReader& looked, QWidget* parent)
    : QWidget(parent),
      m_looked(looked),
      m_statistics(statisticsTable()),
      m_transfer(transferTable()),
      m_statisticsView(makeTable(m_statistics, tr("Statistics of both recordings"))),
      m_transferView(makeTable(m_transfer, tr("A's scales on B's values"))),
      m_layout(new QBoxLayout(QBoxLayout::TopToBottom, this))
{
    m_layout->setContentsMargins({});
    m_layout->setSpacing(8);
    m_layout->addWidget(m_transferView);
    m_layout->addWidget(m_statisticsView, 1);
}

QTableView* CompareTables::makeTable(QAbstractItemModel& model, const QString& name)
{
    auto* table = new QTableView(this);
    table->setModel(&model);
    table->setAccessibleName(name);
    table->setProperty("numbersApart", true);
    showAsRows(*table, rowPixels);
    QHeaderView* header = table->horizontalHeader();
    header->setMinimumSectionSize(36);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    return table;
}

void CompareTables::refresh(const std::string& standing)
{
    const PairReader::Found& found = m_looked.found();
    m_statistics.setRows(found.a && found.b ? comparedStatistics(found.a->profile, found.b->profile)
                                            : std::vector<StatisticPair>());
    m_transfer.setRows(transferRows(found, standing));
    place();
}

void CompareTables::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void CompareTables::place()
{
    const bool isWide = width() >= widthForBoth;
    m_layout->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_layout->setStretch(0, isWide ? 1 : 0);
    const int rows = std::clamp(m_transfer.rowCount(), 1, mostTransferRows);
    const int header = m_transferView->horizontalHeader()->sizeHint().height();
    m_transferView->setMinimumHeight(0);
    m_transferView->setMaximumHeight(isWide ? QWIDGETSIZE_MAX : header + rows * rowPixels + 2);
    if (!isWide)
        m_transferView->setMinimumHeight(header + rowPixels);
    m_transferView->setSizePolicy(QSizePolicy::Expanding,
                                  isWide ? QSizePolicy::Expanding : QSizePolicy::Maximum);
}

}  // namespace calibscope
