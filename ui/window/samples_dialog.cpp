// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/samples_dialog.h"

#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/edits.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/tensor_delegates.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace calibscope {

namespace {

constexpr int wideningDecimals = 2;

QString timesLabel(double widening)
{
    return SamplesDialog::tr("%1 ×").arg(fixedLabel(widening, wideningDecimals));
}

/// Whose errors are shown: what was accepted, else the recipe's choice.
std::optional<Choice> choiceOf(const Document& document, int tensor)
{
    const Decision* decision = decisionOf(document, tensor);
    return decision ? std::optional(decision->choice) : recipesChoice(document, tensor);
}

/// The row of the model below the sorted one.
int sourceRow(const QModelIndex& index)
{
    return static_cast<const QSortFilterProxyModel*>(index.model())->mapToSource(index).row();
}

}  // namespace

SamplesDialog::SamplesDialog(Document& document, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_query(document.questions().inBackground()),
      m_samples(sampleColumns()),
      m_ranges(rangeColumns()),
      m_words(new PlainLabel(this)),
      m_sampleTable(makeRowTable(*new KnownFirst(this), m_samples, tr("Samples"), this)),
      m_rangeTable(
          makeRowTable(*new KnownFirst(this), m_ranges, tr("Ranges that the sample sets"), this)),
      m_update(new QTimer(this))
{
    setObjectName(QStringLiteral("samplesThatSetRanges"));
    setWindowTitle(tr("Samples that set ranges"));
    m_words->setWordWrap(true);
    constexpr int nameWidth = 220;
    for (const auto& [table, column] : {std::pair(m_sampleTable, 5), std::pair(m_rangeTable, 0)}) {
        table->setItemDelegateForColumn(column, new ColumnNamesDelegate(table));
        table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
        table->horizontalHeader()->resizeSection(column, nameWidth);
        table->horizontalHeader()->setStretchLastSection(true);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QPushButton* button : buttons->findChildren<QPushButton*>())
        button->setAutoDefault(false);  // Enter is the table's
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_words);
    layout->addWidget(m_sampleTable, 1);
    layout->addWidget(new PlainLabel(
        tr("Ranges that the chosen sample sets, and largest errors that it has; a click "
           "shows the tensor:"),
        this));
    layout->addWidget(m_rangeTable, 1);
    layout->addWidget(buttons);
    resize(960, 560);
    const auto select = [this](const QModelIndex& index) {
        m_document.select(m_ranges.row(sourceRow(index)).tensor);
    };
    connect(m_rangeTable, &QTableView::clicked, this, select);
    connect(m_rangeTable, &QTableView::activated, this, select);
    connect(m_sampleTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &SamplesDialog::showRanges);
    m_update->setSingleShot(true);
    m_update->setInterval(std::chrono::milliseconds(200));
    connect(m_update, &QTimer::timeout, this, &SamplesDialog::refresh);
    connect(&m_query, &QueryState::changed, this, &SamplesDialog::take);
    connect(&document, &Document::dumpChanged, this, &SamplesDialog::start);
    connect(&document, &Document::tensorsChanged, this,
            [this](const std::vector<int>&, TensorValues values) {
                if (values != TensorValues::Same)
                    start();
            });
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        const Workbench& now = m_document.workbench();
        if (change.before.excluded != now.excluded ||
            !change.before.decisions.isSharedWith(now.decisions) ||
            change.before.recipe != now.recipe)
            start();
    });
    start();
}

TableDescriptor<RankedSample> SamplesDialog::sampleColumns() const
{
    using Row = RankedSample;
    TableDescriptor<Row> table;
    table.addNumber(
        tr("Sample"), tr("Its index in the calibration set"),
        [](const Row& row) { return countLabel(row.sample); },
        [](const Row& row) { return static_cast<double>(row.sample); });
    table.addNumber(
        tr("Ranges"), tr("Tensors whose value of largest magnitude it has alone"),
        [](const Row& row) { return countLabel(row.ranges.size()); },
        [](const Row& row) { return static_cast<double>(row.ranges.size()); });
    table.addNumber(
        tr("Median"), tr("Median of these ranges over those without the sample"),
        [](const Row& row) { return timesLabel(row.medianWidening()); },
        [](const Row& row) { return row.medianWidening(); });
    table.addNumber(
        tr("Widest"), tr("The largest of these ratios"),
        [](const Row& row) { return timesLabel(row.largestWidening()); },
        [](const Row& row) { return row.largestWidening(); });
    table.addNumber(
        tr("Errors"),
        tr("Tensors whose largest error it has, by what was accepted or the recipe's choice"),
        [](const Row& row) { return countLabel(row.errors.size()); },
        [](const Row& row) { return static_cast<double>(row.errors.size()); });
    table.add(tr("Tensor"), tr("The tensor with the largest ratio"), [this](const Row& row) {
        return row.ranges.empty() ? QString() : nameOf(m_found[row.ranges.front().tensor]);
    });
    return table;
}

TableDescriptor<SamplesDialog::Found> SamplesDialog::rangeColumns() const
{
    using Row = Found;
    TableDescriptor<Row> table;
    table.add(tr("Tensor"), {}, [this](const Row& row) { return nameOf(row); });
    table.addNumber(
        tr("Value"), tr("Its value of largest magnitude, which the sample has"),
        [](const Row& row) { return valueLabel(row.extreme.value); },
        [](const Row& row) { return row.extreme.value; });
    table.addNumber(
        tr("Without it"), tr("The largest magnitude in all other samples"),
        [](const Row& row) { return valueLabel(row.extreme.others.value_or(0.0)); },
        [](const Row& row) { return row.extreme.others; });
    table.addNumber(
        tr("Ratio"), tr("By that a min-max scale would be finer without the sample"),
        [](const Row& row) { return timesLabel(widening(row.extreme).value_or(1.0)); },
        [](const Row& row) { return widening(row.extreme); });
    table.add(tr("At"), tr("Index of the value, by axis"), [this](const Row& row) {
        return QString::fromStdString(indexText(infoOf(row.tensor).shape, row.extreme.index));
    });
    const auto ofError = [](auto member) {
        return [member](const Row& row) -> std::optional<double> {
            const std::optional<LargestError>& error = row.extreme.error;
            return error && error->problem.empty() ? std::optional<double>((*error).*member)
                                                   : std::nullopt;
        };
    };
    const auto label = [](auto value) {
        return [value](const Row& row) { return value(row) ? valueLabel(*value(row)) : QString(); };
    };
    const auto scale = ofError(&LargestError::scale);
    const auto scaleWithout = [](const Row& row) {
        return row.extreme.error ? row.extreme.error->scaleWithout : std::nullopt;
    };
    const auto error = ofError(&LargestError::error);
    table.addNumber(tr("Scale"), tr("Of what was accepted, else of the recipe's choice"),
                    label(scale), scale);
    table.addNumber(tr("Scale without"),
                    tr("The same choice's scale without the sample that sets the range"),
                    label(scaleWithout), scaleWithout);
    table.addNumber(tr("Largest error"),
                    tr("Of all values under that scale: the distance to the quantized value"),
                    label(error), error);
    table.add(tr("In sample, at"), tr("Where the largest error is, or why that is not known"),
              [this](const Row& row) {
                  if (!row.extreme.error)
                      return QString();
                  const LargestError& found = *row.extreme.error;
                  if (!found.problem.empty())
                      return QString::fromStdString(found.problem);
                  return tr("%1, %2").arg(
                      countLabel(found.sample),
                      QString::fromStdString(indexText(infoOf(row.tensor).shape, found.index)));
              });
    return table;
}

const TensorInfo& SamplesDialog::infoOf(int tensor) const
{
    return m_document.tensors()[static_cast<std::size_t>(tensor)];
}

QString SamplesDialog::nameOf(const Found& found) const
{
    return QString::fromStdString(infoOf(found.tensor).name);
}

QString SamplesDialog::sentence() const
{
    if (m_document.dumpState() != Document::DumpState::Open)
        return {};
    QStringList sentences;
    if (m_asked == 0)
        sentences += tr("No activation has several samples: none sets a range.");
    else if (!m_waiting.empty())
        sentences += tr("Reading %1 of %2 activations...")
                         .arg(countLabel(m_asked - m_waiting.size() + 1), countLabel(m_asked));
    else
        sentences += tr("Of %1 activations read, one sample alone sets the range of %2.")
                         .arg(countLabel(m_found.size()),
                              countLabel(static_cast<std::uint64_t>(
                                  std::ranges::count_if(m_found, [](const Found& found) {
                                      return widening(found.extreme).value_or(1.0) > 1.0;
                                  }))));
    if (m_failed > 0)
        sentences += countText(m_failed, tr("1 can't be read or has no finite value."),
                               tr("%1 can't be read or have no finite value."));
    return sentences.join(u' ');
}

void SamplesDialog::start()
{
    m_query.drop();
    m_waiting.clear();
    m_found.clear();
    m_failed = 0;
    if (m_document.dumpState() == Document::DumpState::Open)
        for (int tensor = 0; tensor < std::ssize(m_document.tensors()); ++tensor) {
            const TensorInfo& info = infoOf(tensor);
            if (info.role == Role::Activation && info.isReadable() && info.batchAxis &&
                info.sampleCount() > 1 && !edits::isExcluded(m_document, tensor))
                m_waiting.push_back(tensor);
        }
    m_asked = m_waiting.size();
    refresh();
    askNext();
}

void SamplesDialog::askNext()
{
    if (!m_waiting.empty())
        m_query.ask({.tensor = m_document.addressOf(m_waiting.front()),
                     .choice = choiceOf(m_document, m_waiting.front())});
}

void SamplesDialog::take()
{
    if (m_waiting.empty() || m_query.isReading())
        return;
    const int tensor = m_waiting.front();
    m_waiting.pop_front();
    if (const SampleExtreme* extreme = m_query.result())
        m_found.push_back({.tensor = tensor, .extreme = *extreme});
    else
        ++m_failed;
    if (!m_update->isActive())
        m_update->start();
    askNext();
}

void SamplesDialog::refresh()
{
    std::vector<SetRange> ranges;
    for (std::size_t index = 0; index < m_found.size(); ++index) {
        const SampleExtreme& extreme = m_found[index].extreme;
        ranges.push_back({.tensor = index,
                          .sample = extreme.sample,
                          .widening = widening(extreme).value_or(1.0),
                          .errorSample = {}});
        if (extreme.error && extreme.error->problem.empty())
            ranges.back().errorSample = extreme.error->sample;
    }
    const QModelIndex current = m_sampleTable->currentIndex();
    const std::optional<std::uint64_t> chosen =
        current.row() > 0 ? std::optional(m_samples.row(sourceRow(current)).sample) : std::nullopt;
    m_samples.setRows(rankedSamples(ranges));
    m_words->setText(sentence());
    int row = 0;
    for (int other = 0; other < m_samples.rowCount(); ++other)
        if (m_samples.row(other).sample == chosen)
            row = other;
    const auto& sorted = static_cast<const QSortFilterProxyModel&>(*m_sampleTable->model());
    m_sampleTable->setCurrentIndex(sorted.mapFromSource(m_samples.index(row, 0)));
    showRanges();
}

void SamplesDialog::showRanges()
{
    const QModelIndex current = m_sampleTable->currentIndex();
    std::vector<Found> rows;
    if (current.isValid()) {
        const RankedSample& ranked = m_samples.row(sourceRow(current));
        for (const SetRange& range : ranked.ranges)
            rows.push_back(m_found[range.tensor]);
        for (const SetRange& range : ranked.errors)
            if (std::ranges::find(ranked.ranges, range.tensor, &SetRange::tensor) ==
                ranked.ranges.end())
                rows.push_back(m_found[range.tensor]);
    }
    m_ranges.setRows(std::move(rows));
}

void showSamples(Document& document, QWidget& window)
{
    auto* open = window.findChild<SamplesDialog*>();
    if (!open) {
        open = new SamplesDialog(document, &window);
        open->setAttribute(Qt::WA_DeleteOnClose);
    }
    open->show();
    open->raise();
    open->activateWindow();
}

}  // namespace calibscope
