// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/result_table.h"

#include "ui/plot/table_menu.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/tensor_delegates.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace calibscope {

namespace {

constexpr int rowPixels = 24;
constexpr int leastResultWidth = 150;
constexpr int mostNameWidth = 190;  // a longer one gives way to a further column
constexpr int mostRowsAtOnce = 8;

/// The last ones are the first to be left out, then all others.
constexpr std::array<std::string_view, 14> byImportance = {
    "sqnr_db",   "threshold",   "scale",        "clipped_share", "mse",
    "max_error", "cosine",      "kl",           "zero_point",    "low",
    "high",      "levels_used", "mse_rounding", "mse_clipping"};

/// Tells how wide its columns want to be.
struct ResultView : QTableView
{
    using QTableView::QTableView;
    using QTableView::sizeHintForColumn;
};

std::vector<int> columnsByImportance(const QAbstractItemModel& model)
{
    std::vector<int> columns;
    for (const std::string_view id : byImportance)
        if (const int column = ResultModel::columnOf(id); column > 0) {
            columns.push_back(column);
            // What was imported is there to be compared with.
            if (const int last = model.columnCount() - 1;
                id == "threshold" && ResultModel::isDeviation(last))
                columns.push_back(last);
        }
    for (int column = 1; column < model.columnCount(); ++column)
        if (std::ranges::find(columns, column) == columns.end())
            columns.push_back(column);
    return columns;
}

}  // namespace

ResultTable::ResultTable(ResultModel::Rows rows, QWidget* parent)
    : QWidget(parent),
      m_results(std::move(rows)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_view(new ResultView(this))
{
    m_sorted->setSourceModel(&m_results);
    m_sorted->setSortRole(ResultModel::sortRole);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addWidget(makeBar());
    layout->addWidget(m_view, 1);
    makeView();
    connect(&m_results, &ResultModel::tickRequested, this, &ResultTable::tickRequested);
    connect(&m_results, &QAbstractItemModel::dataChanged, this, &ResultTable::fitColumns);
    connect(&m_results, &QAbstractItemModel::modelReset, this, [this] {
        listBaselines();
        fitColumns();
        updateGeometry();
    });
}

QWidget* ResultTable::makeBar()
{
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins({});
    m_differences = new QCheckBox(tr("&Difference to"), bar);
    m_baselines = new QComboBox(bar);
    m_baselines->setAccessibleName(tr("Baseline"));
    m_baselines->setToolTip(tr("The calibrator that all others are compared with"));
    m_baselines->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_baselines->setMinimumContentsLength(18);
    m_allColumns = new QCheckBox(tr("&All columns"), bar);
    auto* copyButton = new QToolButton(bar);
    copyButton->setText(tr("Cop&y table"));
    copyButton->setToolTip(
        tr("Copies all rows and columns with full precision, for pasting into a spreadsheet"));
    layout->addWidget(m_differences);
    layout->addWidget(m_baselines);
    layout->addStretch(1);
    layout->addWidget(m_allColumns);
    layout->addWidget(copyButton);
    connect(m_differences, &QCheckBox::toggled, this, &ResultTable::showDifferences);
    connect(m_allColumns, &QCheckBox::toggled, this, &ResultTable::fitColumns);
    connect(copyButton, &QToolButton::clicked, this, &ResultTable::copy);
    connect(m_baselines, &QComboBox::activated, this, [this] {
        setBaseline(m_baselines->currentData().toString().toStdString());
        Q_EMIT baselineRequested(m_baseline);
    });
    return bar;
}

void ResultTable::makeView()
{
    m_view->setModel(m_sorted);
    addTableMenu(*m_view, ResultModel::sortRole);
    m_view->setAccessibleName(tr("Results of the calibrators"));
    showAsRows(*m_view, rowPixels);
    m_view->setItemDelegateForColumn(0, new ColumnNamesDelegate(m_view));
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setIconSize({32, 16});
    m_view->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    sortByHeaders(*m_view);
    m_view->viewport()->installEventFilter(this);
    m_view->viewport()->setMouseTracking(true);
    // Rows that come to lie under a pointer that rests, by the wheel or by sorting, are pointed at.
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (m_view->viewport()->underMouse())
            hoverAt(m_view->viewport()->mapFromGlobal(QCursor::pos()));
    });
    m_view->installEventFilter(this);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!current.isValid() || m_isSetting)
                    return;
                if (const OutcomeRow* row = m_results.row(m_sorted->mapToSource(current).row()))
                    Q_EMIT currentChanged(row->candidate.id);
            });
}

void ResultTable::listBaselines()
{
    const QSignalBlocker silent(m_baselines);
    m_baselines->clear();
    for (int row = 0; row < m_results.rowCount(); ++row)
        if (const OutcomeRow* listed = m_results.row(row))
            m_baselines->addItem(QString::fromStdString(listed->candidate.label),
                                 QString::fromStdString(listed->candidate.id));
    setBaseline(m_baseline);
}

void ResultTable::setBaseline(const std::string& id)
{
    m_baseline = id;
    const int place = m_results.rowOf(id);
    m_baselines->setCurrentIndex(place >= 0 || m_results.rowCount() == 0 ? place : 0);
    m_results.setBaseline(m_baselines->currentData().toString().toStdString());
}

void ResultTable::showDifferences()
{
    m_results.setDifferences(m_differences->isChecked());
}

void ResultTable::setCurrent(const std::string& id)
{
    const int row = m_results.rowOf(id);
    m_isSetting = true;
    m_view->setCurrentIndex(row < 0 ? QModelIndex()
                                    : m_sorted->mapFromSource(m_results.index(row, 0)));
    m_isSetting = false;
}

void ResultTable::copy() const
{
    auto* copied = new QMimeData;
    copied->setText(m_results.tabSeparated());
    copied->setData(QStringLiteral("text/tab-separated-values"), m_results.tabSeparated().toUtf8());
    QGuiApplication::clipboard()->setMimeData(copied);
}

void ResultTable::fitColumns()
{
    const auto& view = static_cast<const ResultView&>(*m_view);
    const int nameNeeds = view.sizeHintForColumn(0);
    const int nameWidth = std::clamp(nameNeeds, leastResultWidth, mostNameWidth);
    const bool showsAll = m_allColumns->isChecked();
    int left = m_view->viewport()->width();
    bool isFull = false;
    for (const int column : columnsByImportance(*m_sorted)) {
        m_view->setColumnHidden(column, false);  // a hidden column has no size
        const int needed = std::max(view.sizeHintForColumn(column),
                                    m_view->horizontalHeader()->sectionSizeHint(column));
        isFull = isFull || (!showsAll && needed > left - nameWidth);
        m_view->setColumnHidden(column, isFull);
        if (isFull)
            continue;
        m_view->setColumnWidth(column, needed);
        left -= needed;
    }
    m_view->setColumnWidth(0, std::max({left, leastResultWidth, showsAll ? nameNeeds : 0}));
}

QSize ResultTable::sizeHint() const
{
    const int rows = std::clamp(m_results.rowCount(), 3, mostRowsAtOnce);
    return {600, 2 * m_view->horizontalHeader()->sizeHint().height() + rowPixels * rows + 12};
}

void ResultTable::hoverAt(const QPoint& point)
{
    const QModelIndex index = m_sorted->mapToSource(m_view->indexAt(point));
    const OutcomeRow* row = index.isValid() ? m_results.row(index.row()) : nullptr;
    Q_EMIT hovered(row ? row->candidate.id : std::string());
}

bool ResultTable::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_view->viewport() && event->type() == QEvent::MouseMove)
        hoverAt(static_cast<QMouseEvent*>(event)->position().toPoint());
    if (watched == m_view->viewport() && event->type() == QEvent::Leave)
        Q_EMIT hovered({});
    if (watched == m_view->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    if (watched == m_view && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copy();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace calibscope
