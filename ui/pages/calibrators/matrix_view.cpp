#include "ui/pages/calibrators/matrix_view.h"

#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/models/matrix_model.h"
#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"
#include "ui/plot/table_menu.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <array>
#include <cmath>

namespace calibscope {

namespace {

constexpr int starPixels = 12;
constexpr int cellPadding = 6;

}  // namespace

QColor textOn(const QColor& ground)
{
    return contrastRatio(Qt::black, ground) >= contrastRatio(Qt::white, ground) ? Qt::black
                                                                                : Qt::white;
}

HeatDelegate::HeatDelegate(ShareOf shareOf, int bestRole, QObject* parent)
    : QStyledItemDelegate(parent), m_shareOf(std::move(shareOf)), m_bestRole(bestRole)
{}

void HeatDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const std::optional<double> share = m_shareOf(index);
    if (!share)
        return QStyledItemDelegate::paint(painter, option, index);
    const QColor ground = heatColor(*share, isDark(option.palette));
    const QColor ink = textOn(ground);
    const bool isBest = index.data(m_bestRole).toBool();
    painter->save();
    painter->fillRect(option.rect, ground);
    if (isBest) {
        const QRect star(option.rect.left() + cellPadding / 2,
                         option.rect.center().y() - starPixels / 2 + 1, starPixels, starPixels);
        starIcon(ink).paint(painter, star);
    }
    QFont font = option.font;
    font.setBold(isBest);
    painter->setFont(font);
    painter->setPen(ink);
    painter->drawText(option.rect.adjusted(cellPadding, 0, -cellPadding, 0),
                      Qt::AlignRight | Qt::AlignVCenter, index.data(Qt::DisplayRole).toString());
    if (option.state.testFlag(QStyle::State_HasFocus) ||
        option.state.testFlag(QStyle::State_Selected)) {
        painter->setPen(QPen(ink, 2.0));
        painter->drawRect(option.rect.adjusted(1, 1, -2, -2));
    }
    painter->restore();
}

QSize HeatDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QFont bold = option.font;
    bold.setBold(true);
    const QString text = index.data(Qt::DisplayRole).toString();
    return {QFontMetrics(bold).horizontalAdvance(text) + 3 * cellPadding + starPixels,
            QFontMetrics(bold).height() + cellPadding};
}

namespace {

struct ShownMetric
{
    MatrixMetric metric;
    const char* column;  ///< of the results' table, whose title it has
    bool isLog;          ///< spans powers of ten
};

constexpr std::array shownMetrics = {
    ShownMetric{MatrixMetric::Sqnr, "sqnr_db", false}, ShownMetric{MatrixMetric::Mse, "mse", true},
    ShownMetric{MatrixMetric::Scale, "scale", true},
    ShownMetric{MatrixMetric::ClippedShare, "clipped_share", false},
    ShownMetric{MatrixMetric::Threshold, "threshold", true}};
static_assert(shownMetrics.size() == matrixMetricCount);

/// Labels of calibrators are long: heads have several lines.
class WrappedHeads : public MatrixSortModel
{
public:
    using MatrixSortModel::MatrixSortModel;

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override
    {
        if (role == Qt::TextAlignmentRole && section > 0)
            return int(Qt::AlignCenter) | int(Qt::TextWordWrap);
        return MatrixSortModel::headerData(section, orientation, role);
    }
};

bool isLog(MatrixMetric metric)
{
    for (const ShownMetric& shown : shownMetrics)
        if (shown.metric == metric)
            return shown.isLog;
    return false;
}

/// Place of a value between the least and the greatest one, 0 to 1.
std::optional<double> shareOf(double value, const std::optional<Range>& range, bool isLog)
{
    if (!range || std::isnan(value))
        return std::nullopt;
    const auto place = [isLog](double number) { return isLog ? std::log10(number) : number; };
    if (isLog && !(range->low > 0.0))
        return shareOf(value, range, false);
    const double low = place(range->low);
    const double high = place(range->high);
    const double share = high > low ? (place(value) - low) / (high - low) : 0.5;
    return std::clamp(share, 0.0, 1.0);
}

}  // namespace

MatrixView::MatrixView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_model(new MatrixModel(document.questions().matrix(), this)),
      m_sorted(new WrappedHeads(this)),
      m_heat(new HeatDelegate(
          [this](const QModelIndex& index) -> std::optional<double> {
              const QVariant value = index.data(MatrixModel::ValueRole);
              return value.isValid()
                         ? shareOf(value.toDouble(), m_model->range(), isLog(m_model->metric()))
                         : std::nullopt;
          },
          MatrixModel::BestRole, this)),
      m_table(new QTableView(this)),
      m_names(new QTableView(m_table))
{
    m_sorted->setSourceModel(m_model);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(makeBar());
    layout->addWidget(m_table, 1);
    makeTable();
    connect(&document, &Document::dumpChanged, this, &MatrixView::listTensors);
    connect(&document, &Document::tensorsChanged, this, &MatrixView::listTensors);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.before.excluded != m_document.workbench().excluded)
            listTensors();
    });
    const MatrixReader& reader = document.questions().matrix();
    connect(&reader, &MatrixReader::started, this, &MatrixView::showProgress);
    connect(&reader, &MatrixReader::progressed, this, &MatrixView::showProgress);
    connect(&reader, &MatrixReader::stopped, this, &MatrixView::showProgress);
    connect(&reader, &MatrixReader::cleared, this, &MatrixView::showProgress);
    listTensors();
    showProgress();
}

QWidget* MatrixView::makeBar()
{
    auto* bar = new QWidget(this);
    m_metrics = new QComboBox(bar);
    m_metrics->setAccessibleName(tr("Number shown"));
    for (const ShownMetric& shown : shownMetrics)
        m_metrics->addItem(columnTitle(resultColumn(shown.column)), int(shown.metric));
    m_start = new QPushButton(tr("&Sweep all tensors"), bar);
    m_cancel = new QPushButton(tr("Cancel"), bar);
    m_progress = new QProgressBar(bar);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(160);
    m_state = new PlainLabel(bar);
    m_state->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins({});
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_metrics, m_start, m_progress, m_cancel, m_state})
        layout->addWidget(part);
    layout->addStretch(1);
    connect(m_metrics, &QComboBox::activated, this, &MatrixView::showMetric);
    connect(m_start, &QPushButton::clicked, this,
            [this] { m_document.questions().startMatrix(false); });
    connect(m_cancel, &QPushButton::clicked, this,
            [this] { m_document.questions().matrix().stop(); });
    return bar;
}

void MatrixView::makeTable()
{
    m_table->setModel(m_sorted);
    addTableMenu(*m_table, MatrixModel::ValueRole);
    m_table->setItemDelegate(m_heat);
    m_table->setAccessibleName(tr("Calibrators on all tensors"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultSectionSize(92);
    m_table->horizontalHeader()->setMinimumHeight(4 * fontMetrics().height());
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    connect(m_table, &QTableView::activated, this, &MatrixView::chooseCell);
    connect(m_table, &QTableView::clicked, this, &MatrixView::chooseCell);
    makeNames();
}

/// A second view of the same rows that shows their names alone.
void MatrixView::makeNames()
{
    m_names->setObjectName(QStringLiteral("frozenNames"));
    m_names->setModel(m_sorted);
    m_names->setSelectionModel(m_table->selectionModel());
    m_names->setFocusPolicy(Qt::NoFocus);
    m_names->setFrameShape(QFrame::NoFrame);
    m_names->setShowGrid(false);
    m_names->setWordWrap(false);
    m_names->setTextElideMode(Qt::ElideMiddle);
    m_names->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_names->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_names->verticalHeader()->hide();
    m_names->verticalHeader()->setDefaultSectionSize(24);
    m_names->horizontalHeader()->setHighlightSections(false);
    m_names->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_names->horizontalHeader()->setSectionsClickable(true);
    for (QTableView* view : {m_table, m_names})
        view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, m_names->verticalScrollBar(),
            &QScrollBar::setValue);
    connect(m_names->verticalScrollBar(), &QScrollBar::valueChanged, m_table->verticalScrollBar(),
            &QScrollBar::setValue);
    connect(m_names->horizontalHeader(), &QHeaderView::sectionClicked, this, [this] {
        const QHeaderView& header = *m_table->horizontalHeader();
        const bool isAscending =
            header.sortIndicatorSection() == 0 && header.sortIndicatorOrder() == Qt::AscendingOrder;
        m_table->sortByColumn(0, isAscending ? Qt::DescendingOrder : Qt::AscendingOrder);
    });
    connect(m_names, &QTableView::clicked, this, &MatrixView::chooseCell);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this,
            &MatrixView::placeNames);
    connect(m_sorted, &QAbstractItemModel::columnsInserted, this, &MatrixView::placeNames);
    connect(m_sorted, &QAbstractItemModel::modelReset, this, &MatrixView::placeNames);
    m_table->viewport()->installEventFilter(this);
    placeNames();
}

void MatrixView::placeNames()
{
    for (int column = 0; column < m_sorted->columnCount(); ++column)
        m_names->setColumnHidden(column, column > 0);
    m_names->setColumnWidth(0, m_table->columnWidth(0));
    m_names->horizontalHeader()->setFixedHeight(m_table->horizontalHeader()->height());
    m_names->setGeometry(0, 0, m_table->columnWidth(0),
                         m_table->viewport()->height() + m_table->horizontalHeader()->height());
    m_names->raise();
    m_names->show();
}

bool MatrixView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        placeNames();
    return QWidget::eventFilter(watched, event);
}

void MatrixView::listTensors()
{
    std::vector<int> rows;
    const std::vector<TensorInfo>& tensors = m_document.tensors();
    for (int tensor = 0; tensor < std::ssize(tensors); ++tensor)
        if (tensors[static_cast<std::size_t>(tensor)].isReadable() &&
            !edits::isExcluded(m_document, tensor))
            rows.push_back(tensor);
    m_model->setTensors(m_document.sharedTensors(), std::move(rows));
    m_table->setColumnWidth(0, 190);
}

void MatrixView::showMetric()
{
    m_model->setMetric(static_cast<MatrixMetric>(m_metrics->currentData().toInt()));
}

void MatrixView::showProgress()
{
    const MatrixReader& reader = m_document.questions().matrix();
    const bool isRunning = reader.isRunning();
    const int done = static_cast<int>(reader.done());
    const int total = static_cast<int>(reader.total());
    m_start->setVisible(!isRunning);
    m_cancel->setVisible(isRunning);
    m_progress->setVisible(isRunning);
    m_progress->setRange(0, std::max(total, 1));
    m_progress->setValue(done);
    m_state->setText(total > 0 ? countText(static_cast<std::uint64_t>(total), tr("%1 of 1 tensor"),
                                           tr("%2 of %1 tensors"))
                                     .arg(done)
                               : QString());
    m_table->setColumnWidth(0, 190);
}

void MatrixView::chooseCell(const QModelIndex& index)
{
    if (index.column() > 0 && index.data(MatrixModel::StateRole).toInt() == MatrixModel::None)
        return;
    const QString candidate =
        index.column() > 0
            ? m_sorted->headerData(index.column(), Qt::Horizontal, MatrixModel::IdRole).toString()
            : QString();
    Q_EMIT cellChosen(index.data(MatrixModel::TensorRole).toInt(), candidate.toStdString());
}

}  // namespace calibscope
