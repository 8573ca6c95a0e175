// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/matrix_view.h"

#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/document/sqnr_overview.h"
#include "ui/models/matrix_model.h"
#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_table.h"
#include "ui/plot/table_menu.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/row_table.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace calibscope {

namespace {

constexpr int rowPixels = 24;
constexpr int headPadding = 12;
constexpr int keySteps = 4;
// As far as colours of differences go.
constexpr double mostDb = 6.0;
constexpr double mostDoublings = 2.0;
/// Values that are read without being asked for: some seconds at most.
constexpr std::uint64_t mostUnasked = 100'000'000;

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

/// What a head of two lines needs.
int headWidth(const QString& label, const QFontMetrics& metrics)
{
    int width = 80;
    while (fittingLines(label, metrics, Qt::ElideRight, width, 2).join(u' ') != label)
        width += 8;
    return width + headPadding;
}

bool isLog(MatrixMetric metric)
{
    for (const ShownMetric& shown : shownMetrics)
        if (shown.metric == metric)
            return shown.isLog;
    return false;
}

/// Place of a value between the least and the greatest one, 0 to 1.
std::optional<double> shareBetween(double value, const std::optional<Range>& range, bool isLog)
{
    if (!range || std::isnan(value))
        return std::nullopt;
    const auto place = [isLog](double number) { return isLog ? std::log10(number) : number; };
    if (isLog && !(range->low > 0.0))
        return shareBetween(value, range, false);
    const double low = place(range->low);
    const double high = place(range->high);
    const double share = high > low ? (place(value) - low) / (high - low) : 0.5;
    return std::clamp(share, 0.0, 1.0);
}

}  // namespace

MatrixView::MatrixView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_model(new MatrixModel(
          document.questions().matrix(),
          [&document](int tensor) {
              for (const OutcomeRow& row : rowsOf(document, tensor))
                  if (row.isChosenRecipes)
                      return row.candidate.id;
              return std::string();
          },
          this)),
      m_sorted(new WrappedHeads(this)),
      m_heat(new HeatDelegate(
          [this](const QModelIndex& index) -> std::optional<QColor> {
              const QVariant value = index.data(MatrixModel::ValueRole);
              const int tensor = index.data(MatrixModel::TensorRole).toInt();
              return value.isValid() ? groundOf(value.toDouble(), tensor) : std::nullopt;
          },
          MatrixModel::BestRole, this)),
      m_table(new QTableView(this)),
      m_names(new QTableView(m_table))
{
    m_sorted->setSourceModel(m_model);
    m_heat->setMarks(
        [](const QModelIndex& index) {
            return index.data(MatrixModel::StateRole).toInt() == MatrixModel::None &&
                   index.column() > 0;
        },
        [](const QModelIndex& index) { return index.data(MatrixModel::IsGroupRole).toBool(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(makeBar());
    layout->addWidget(m_table, 1);
    makeTable();
    connect(&document, &Document::dumpChanged, this, &MatrixView::listTensors);
    connect(&document, &Document::tensorsChanged, this, &MatrixView::listTensors);
    connect(&document, &Document::selectionChanged, this, [this] {
        if (isVisible())
            showSelected();
    });
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.before.excluded != m_document.workbench().excluded)
            listTensors();
        if (change.concerns(DocumentChange::Recipe | DocumentChange::Outcomes)) {
            m_model->forgetRecipes();
            orderColumns();
        }
        if (change.concerns(DocumentChange::Display))
            showKey();
    });
    const MatrixReader& reader = document.questions().matrix();
    connect(&reader, &MatrixReader::started, this, [this] {
        m_wasStarted = true;
        m_since.start();
        m_doneAtStart = static_cast<int>(m_document.questions().matrix().done());
        showProgress();
    });
    connect(&reader, &MatrixReader::progressed, this, &MatrixView::showProgress);
    connect(&reader, &MatrixReader::stopped, this, &MatrixView::showProgress);
    connect(&reader, &MatrixReader::cleared, this, [this] {
        m_wasStarted = false;
        showProgress();
    });
    connect(m_model, &QAbstractItemModel::dataChanged, this, &MatrixView::showKey);
    connect(m_model, &QAbstractItemModel::modelReset, this, &MatrixView::showKey);
    connect(m_sorted, &QAbstractItemModel::columnsInserted, this,
            [this](const QModelIndex&, int first, int last) {
                orderColumns();
                for (int column = first; column <= last; ++column) {
                    m_table->setColumnHidden(column, false);  // its cells are to come
                    m_table->setColumnWidth(
                        column, headWidth(m_sorted->headerData(column, Qt::Horizontal).toString(),
                                          m_table->horizontalHeader()->fontMetrics()));
                }
            });
    makeKeys();
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
    m_references = new QComboBox(bar);
    m_references->setObjectName(QStringLiteral("reference"));
    m_references->setAccessibleName(tr("Reference for differences"));
    m_references->addItem(tr("as values"), int(MatrixReference::None));
    m_references->addItem(tr("against recipe"), int(MatrixReference::Recipe));
    m_references->addItem(tr("against best"), int(MatrixReference::Best));
    m_references->setToolTip(
        tr("Numbers as they are, or their differences: gains and losses (Shift+D)"));
    m_colourings = new QComboBox(bar);
    m_colourings->setObjectName(QStringLiteral("colouring"));
    m_colourings->setAccessibleName(tr("Colours"));
    m_colourings->addItem(tr("coloured by rank"));
    m_colourings->addItem(tr("coloured by value"));
    m_colourings->setToolTip(
        tr("Colour by rank (equal counts) or by value (outliers dominate) (Shift+C)"));
    m_key = new MatrixKey(bar);
    m_start = new QPushButton(tr("&Sweep all tensors"), bar);
    m_cancel = new QPushButton(tr("Cancel"), bar);
    m_cancel->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_progress = new QProgressBar(bar);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(120);
    m_state = new PlainLabel(bar);
    m_state->setWordWrap(true);
    m_state->setForegroundRole(QPalette::PlaceholderText);
    auto* choices = new QHBoxLayout;
    for (QWidget* part : std::initializer_list<QWidget*>{m_metrics, m_references, m_colourings})
        choices->addWidget(part);
    choices->addWidget(m_key, 1);
    auto* below = new QHBoxLayout;
    below->addWidget(m_state, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{m_start, m_progress, m_cancel})
        below->addWidget(part);
    auto* layout = new QVBoxLayout(bar);
    layout->setContentsMargins({});
    layout->addLayout(choices);
    layout->addLayout(below);
    connect(m_references, &QComboBox::activated, this, &MatrixView::showReference);
    connect(m_colourings, &QComboBox::activated, this, [this] {
        showKey();
        m_table->viewport()->update();
    });
    connect(m_metrics, &QComboBox::activated, this, &MatrixView::showMetric);
    connect(m_start, &QPushButton::clicked, this,
            [this] { m_document.questions().startMatrix(false); });
    connect(m_cancel, &QPushButton::clicked, this,
            [this] { m_document.questions().matrix().stop(); });
    return bar;
}

void MatrixView::copyTable() const
{
    QGuiApplication::clipboard()->setMimeData(
        tableMime(shownTable(*m_table, MatrixModel::ValueRole)).release());
}

void MatrixView::makeTable()
{
    m_table->setModel(m_sorted);
    addTableMenu(*m_table, MatrixModel::ValueRole);
    m_table->setItemDelegate(m_heat);
    m_table->setAccessibleName(tr("Calibrators on all tensors"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    sortByHeaders(*m_table);
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
    m_names->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_names->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_names->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_names->horizontalHeader()->setSectionsClickable(true);
    for (QTableView* view : {m_table, m_names}) {
        showWithoutLines(*view, rowPixels);
        view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    }
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

/// Keys of the table, while it is shown.
void MatrixView::makeKeys()
{
    const auto cycles = [this](const QKeySequence& key, QComboBox& list) {
        auto* shortcut = new QShortcut(key, this);
        connect(shortcut, &QShortcut::activated, &list, [&list] {
            list.setCurrentIndex((list.currentIndex() + 1) % list.count());
            Q_EMIT list.activated(list.currentIndex());
        });
    };
    cycles(QKeySequence(Qt::SHIFT | Qt::Key_D), *m_references);
    cycles(QKeySequence(Qt::SHIFT | Qt::Key_C), *m_colourings);
}

void MatrixView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    startIfSmall();
    showSelected();
}

/// The selected tensor's row comes into sight, and the user's column stays.
void MatrixView::showSelected()
{
    const int column = std::max(m_table->currentIndex().column(), 0);
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        if (const QModelIndex cell = m_sorted->index(row, column);
            !cell.data(MatrixModel::IsGroupRole).toBool() &&
            cell.data(MatrixModel::TensorRole).toInt() == m_document.selected())
            return m_table->setCurrentIndex(cell);
}

/// What takes seconds starts by itself; of the rest it is stated how much is to be read.
void MatrixView::startIfSmall()
{
    const MatrixReader& reader = m_document.questions().matrix();
    if (!isVisible() || m_wasStarted || reader.isRunning() || reader.total() > 0 ||
        m_document.dumpState() != Document::DumpState::Open)
        return;
    if (const std::uint64_t values = valuesToRead(); values > 0 && values <= mostUnasked)
        return m_document.questions().startMatrix(false);
    showProgress();
}

std::uint64_t MatrixView::valuesToRead() const
{
    std::uint64_t values = 0;
    for (const TensorInfo& tensor : m_document.tensors())
        values += tensor.isReadable() && isDecidable(tensor) ? tensor.valueCount() : 0;
    return values;
}

/// While nothing was computed.
QString MatrixView::hint() const
{
    const std::uint64_t values = valuesToRead();
    if (values == 0)
        return {};
    return tr("Nothing is computed yet. All calibrators on all tensors read %1 values (%2 as "
              "float32), in the background; it can be cancelled, and what is there stays.")
        .arg(countLabel(values), bytesLabel(values * sizeof(float)));
}

QString MatrixView::stateText() const
{
    return m_state->text();
}

/// Where a value stands on the key, 0 to 1.
std::optional<double> MatrixView::shareOf(double value) const
{
    return m_colourings->currentIndex() == 0
               ? m_model->rankOf(value)
               : shareBetween(value, m_model->range(), isLog(m_model->metric()));
}

/// And what value stands there. Requires values.
double MatrixView::valueAt(double share) const
{
    const std::vector<double>& sorted = m_model->sortedValues();
    if (m_colourings->currentIndex() == 0)
        return sorted[static_cast<std::size_t>(
            std::lround(share * static_cast<double>(sorted.size() - 1)))];
    const bool isPowers = isLog(m_model->metric()) && sorted.front() > 0.0;
    return isPowers ? sorted.front() * std::pow(sorted.back() / sorted.front(), share)
                    : sorted.front() + share * (sorted.back() - sorted.front());
}

/// -1 to 1: a difference in dB, or a factor in powers of two, that is as large as the key goes. A
/// gain is positive.
double MatrixView::differenceShare(double value) const
{
    if (m_model->metric() == MatrixMetric::Sqnr)
        return value / mostDb;
    const bool isLessBetter =
        m_model->metric() == MatrixMetric::Mse || m_model->metric() == MatrixMetric::ClippedShare;
    return (isLessBetter ? -1.0 : 1.0) * std::log2(value) / mostDoublings;
}

/// An SQNR of one value alone is never painted as good.
std::optional<QColor> MatrixView::groundOf(double value, int tensor) const
{
    const ChartColors& colors = chartColors(palette());
    if (m_model->reference() != MatrixReference::None) {
        const double share = differenceShare(value);
        return std::isnan(share) ? std::nullopt : std::optional(differenceColor(share, colors));
    }
    const std::optional<double> share = shareOf(value);
    if (!share)
        return std::nullopt;
    if (m_model->metric() != MatrixMetric::Sqnr)
        return heatColor(*share, colors.isDark);
    const protocol::Preview* known = m_document.previews().of(tensor);
    const SqnrLimits limits = sqnrLimits();
    const bool isDoubted = known != nullptr && isSignalOfOneValue(known->extents);
    return sqnrGround(isDoubted ? std::min(value, 0.5 * (limits.poor + limits.good)) : value,
                      *share, colors);
}

/// Numbers at quarters of the colours, and the limit of SQNR.
void MatrixView::showKey()
{
    const bool isDifference = m_model->reference() != MatrixReference::None;
    m_colourings->setEnabled(!isDifference);
    std::vector<MatrixKey::Tick> ticks;
    const bool hasValues = !m_model->sortedValues().empty();
    if (isDifference && hasValues)
        return showDifferenceKey();
    for (int step = 0; step <= keySteps && hasValues; ++step) {
        const double share = static_cast<double>(step) / keySteps;
        ticks.push_back({.share = share, .text = keyText(valueAt(share))});
    }
    const double limit = sqnrLimits().good;
    const std::optional<double> place = shareOf(limit);
    if (m_model->metric() == MatrixMetric::Sqnr && hasValues && place)
        ticks.push_back(
            {.share = *place, .text = tr("%1 dB").arg(valueLabel(limit, 3)), .isLimit = true});
    m_key->setTicks(std::move(ticks), [this](double share) {
        const bool isKnown = !m_model->sortedValues().empty();  // still, when it is painted
        return isKnown ? groundOf(valueAt(share), -1).value_or(QColor()) : QColor();
    });
}

/// From loss to gain, in steps of equal size.
void MatrixView::showDifferenceKey()
{
    std::vector<MatrixKey::Tick> ticks;
    const bool isDb = m_model->metric() == MatrixMetric::Sqnr;
    const bool isLessBetter = differenceShare(2.0) < 0.0;
    for (int step = 0; step <= keySteps; ++step) {
        const double share = 2.0 * step / keySteps - 1.0;
        const QString text =
            isDb ? (share > 0.0 ? QStringLiteral("+") : QString()) + valueLabel(share * mostDb, 2)
                 : tr("×%1").arg(
                       valueLabel(std::exp2((isLessBetter ? -share : share) * mostDoublings), 3));
        ticks.push_back({.share = static_cast<double>(step) / keySteps, .text = text});
    }
    m_key->setTicks(std::move(ticks), [this](double share) {
        return differenceColor(2.0 * share - 1.0, chartColors(palette()));
    });
}

QString MatrixView::keyText(double value) const
{
    switch (m_model->metric()) {
    case MatrixMetric::Sqnr: return fixedLabel(value, 1);
    case MatrixMetric::ClippedShare: return valueLabel(100.0 * value, 2);
    case MatrixMetric::Mse:
    case MatrixMetric::Scale:
    case MatrixMetric::Threshold: break;
    }
    return valueLabel(value, 2);
}

void MatrixView::showReference()
{
    m_model->setReference(static_cast<MatrixReference>(m_references->currentData().toInt()));
    showKey();
}

/// Columns of at least half of the listed rows come first, then the others, in either part the
/// recipe's own in front; columns of no listed row are hidden.
void MatrixView::orderColumns()
{
    if (m_model->columnCount() == 1 || m_document.dumpState() != Document::DumpState::Open)
        return;
    const bool isRunning = m_document.questions().matrix().isRunning();
    QHeaderView& header = *m_table->horizontalHeader();
    header.setMinimumHeight(2 * header.fontMetrics().height() + headPadding);
    std::set<std::string> recipes;
    std::set<Role> roles;
    for (const int tensor : m_all)
        if ((!m_listed || std::ranges::binary_search(*m_listed, tensor)) &&
            roles.insert(m_document.tensors()[static_cast<std::size_t>(tensor)].role).second)
            for (const OutcomeRow& row : rowsOf(m_document, tensor))
                if (row.isChosenRecipes)
                    recipes.insert(row.candidate.id);
    std::multimap<std::pair<bool, bool>, int> order;  // columns in their order where equal
    for (int column = 1; column < m_sorted->columnCount(); ++column) {
        const QVariant id = m_sorted->headerData(column, Qt::Horizontal, MatrixModel::IdRole);
        const double share = m_model->shareOf(column);
        header.setSectionHidden(column, share == 0.0 && !isRunning);
        order.insert({{share < 0.5, !recipes.contains(id.toString().toStdString())}, column});
    }
    int position = 1;
    for (const auto& [rank, column] : order)
        header.moveSection(header.visualIndex(column), position++);
}

void MatrixView::listTensors()
{
    m_all.clear();
    const std::vector<TensorInfo>& tensors = m_document.tensors();
    for (int tensor = 0; tensor < std::ssize(tensors); ++tensor)
        if (tensors[static_cast<std::size_t>(tensor)].isReadable() &&
            isDecidable(tensors[static_cast<std::size_t>(tensor)]) &&
            !edits::isExcluded(m_document, tensor))
            m_all.push_back(tensor);
    std::vector<int> rows = m_all;
    if (m_listed)
        std::erase_if(rows,
                      [&](int tensor) { return !std::ranges::binary_search(*m_listed, tensor); });
    m_model->setTensors(m_document.sharedTensors(), std::move(rows));
    orderColumns();
    m_table->setColumnWidth(0, 190);
    startIfSmall();
}

void MatrixView::setListed(std::optional<std::vector<int>> listed)
{
    if (listed)
        std::ranges::sort(*listed);
    if (listed == m_listed)
        return;
    m_listed = std::move(listed);
    listTensors();
    showProgress();
    showSelected();
}

void MatrixView::showMetric()
{
    m_model->setMetric(static_cast<MatrixMetric>(m_metrics->currentData().toInt()));
    showKey();
}

/// Of all rows; those that could not be read are not waited for.
bool MatrixView::isComputed() const
{
    const MatrixReader& reader = m_document.questions().matrix();
    return std::ranges::all_of(m_all, [&](int tensor) {
        const MatrixRow* known = reader.row(tensor);
        return known && (known->isRead || !known->problem.isEmpty());
    });
}

void MatrixView::showProgress()
{
    const MatrixReader& reader = m_document.questions().matrix();
    const bool isRunning = reader.isRunning();
    const int done = static_cast<int>(reader.done());
    const int total = static_cast<int>(reader.total());
    m_cancel->setVisible(isRunning);
    m_progress->setVisible(isRunning);
    m_progress->setRange(0, std::max(total, 1));
    m_progress->setValue(done);
    QString state = total > 0 ? countText(static_cast<std::uint64_t>(total), tr("%1 of 1 tensor"),
                                          tr("%2 of %1 tensors"))
                                    .arg(done)
                              : hint();
    constexpr int fewRows = 4;
    if (const int read = done - m_doneAtStart; isRunning && read >= fewRows && total > done) {
        const double left = static_cast<double>(m_since.elapsed()) / read * (total - done) / 1000.0;
        state += tr(", about %1 s left").arg(std::max(1, static_cast<int>(std::lround(left))));
    }
    const bool isWhole = total > 0 && !isRunning && isComputed();
    if (isWhole)
        state.clear();
    if (m_listed) {
        const auto shown = std::ranges::count_if(
            m_all, [&](int tensor) { return std::ranges::binary_search(*m_listed, tensor); });
        state =
            tr("%1 of %2 tensors pass the list's filter. ").arg(shown).arg(m_all.size()) + state;
    }
    m_state->setText(state.trimmed());
    m_state->setVisible(!m_state->text().isEmpty());
    m_start->setText(total > 0 ? tr("&Sweep the rest") : tr("&Sweep all tensors"));
    m_start->setVisible(!isRunning && !isWhole);
    m_table->setColumnWidth(0, 190);
    if (!isRunning) {
        orderColumns();
        showKey();
    }
}

void MatrixView::chooseCell(const QModelIndex& index)
{
    if (index.data(MatrixModel::IsGroupRole).toBool() ||
        (index.column() > 0 && index.data(MatrixModel::StateRole).toInt() == MatrixModel::None))
        return;
    const QString candidate =
        index.column() > 0
            ? m_sorted->headerData(index.column(), Qt::Horizontal, MatrixModel::IdRole).toString()
            : QString();
    Q_EMIT cellChosen(index.data(MatrixModel::TensorRole).toInt(), candidate.toStdString());
}

}  // namespace calibscope
