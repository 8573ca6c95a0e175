// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/formats_view.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/formats/rate_points.h"
#include "core/recipes/make_choice.h"
#include "core/report/python/python_snippet.h"
#include "ui/charts/rate_content.h"
#include "ui/document/decisions.h"
#include "ui/document/questions.h"
#include "ui/pages/calibrators/format_plots.h"
#include "ui/plot/number_label.h"
#include "ui/queries/addresses.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/translate.h"
#include "ui/widgets/row_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

constexpr std::size_t rememberedFamilies = 200;
constexpr std::size_t rememberedMaps = 8;
// Of a map's cells.
constexpr int leastPixels = 64;
constexpr int mostPixelsAcross = 1024;
constexpr int mostPixelsDown = 640;

}  // namespace

FormatsView::FormatsView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_rates(document.questions().inBackground(), rememberedFamilies),
      m_blocks(document.questions().ofPages()),
      m_maps(document.questions().ofPages(), rememberedMaps),
      m_rows(formatTable([this](const EncodedTensor& encoded) { return isAccepted(encoded); })),
      m_blockRows(blockTable()),
      m_sorted(new KnownFirst(this)),
      m_sortedValues(new KnownFirst(this)),
      m_plots(new FormatPlots(this)),
      m_state(new PlainLabel(this)),
      m_accept(new QPushButton(this)),
      m_table(makeRowTable(*m_sorted, m_rows, tr("The tensor under number formats"), this)),
      m_block(new QSpinBox(this)),
      m_worst(new QPushButton(tr("&Worst block"), this)),
      m_python(new QPushButton(tr("Copy as P&ython"), this)),
      m_facts(new PlainLabel(this)),
      m_values(makeRowTable(*m_sortedValues, m_blockRows, tr("Values of the block"), this))
{
    m_plots->setMinimumHeight(120);
    m_table->setMinimumHeight(60);
    m_state->setWordWrap(true);
    m_state->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_state->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_table->horizontalHeader()->setStretchLastSection(true);
    auto* formats = new QWidget(this);
    auto* column = new QVBoxLayout(formats);
    column->setContentsMargins({});
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->addWidget(m_state, 1);
    line->addWidget(m_accept, 0, Qt::AlignTop);
    column->addLayout(line);
    column->addWidget(m_table, 1);
    auto* parts = new QSplitter(Qt::Vertical, this);
    for (QWidget* part : std::initializer_list<QWidget*>{m_plots, formats, makeBlockPart()})
        parts->addWidget(part);
    parts->setChildrenCollapsible(false);
    parts->setStretchFactor(0, 4);
    parts->setStretchFactor(1, 4);
    parts->setStretchFactor(2, 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(parts);
    // The chosen one stays in view however high the table becomes.
    connect(m_table->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
        m_table->scrollTo(m_table->currentIndex(), QAbstractItemView::PositionAtCenter);
    });
    connect(m_accept, &QPushButton::clicked, this, &FormatsView::accept);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Workbench) && isVisible()) {
            for (int row = 0; row < m_rows.rowCount(); ++row)
                m_rows.refresh(row);
            showSentence();
        }
        m_plots->setLogCount(m_document.workbench().display.isLogCount);
    });
    m_plots->setLogCount(document.workbench().display.isLogCount);
    connect(&m_rates, &QueryState::changed, this, &FormatsView::takeRated);
    connect(&m_blocks, &QueryState::changed, this, &FormatsView::showBlock);
    connect(&plot(), &RatePlot::markChosen, this, [this](std::size_t mark) {
        if (mark < m_marked.size())
            choose(m_marked[mark]);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && !m_isChoosing)
                    choose(static_cast<std::size_t>(m_sorted->mapToSource(current).row()));
            });
    connect(&m_maps, &QueryState::changed, this, &FormatsView::showMap);
    connect(m_plots, &FormatPlots::plotChosen, this, &FormatsView::askMap);
    connect(m_plots, &FormatPlots::blockChosen, this, [this](quint64 block) { askBlock(block); });
    connect(m_plots, &FormatPlots::maximumChosen, this, &FormatsView::setMaximum);
    connect(m_plots, &FormatPlots::readoutChanged, this, &FormatsView::readoutChanged);
    connect(m_block, &QSpinBox::valueChanged, this,
            [this](int block) { askBlock(static_cast<std::uint64_t>(block)); });
    connect(m_python, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_code); });
    connect(m_worst, &QPushButton::clicked, this, [this] { askBlock(std::nullopt); });
    connect(&document, &Document::dumpChanged, this, &FormatsView::forget);
    connect(&document, &Document::tensorsChanged, this, &FormatsView::forget);
}

/// Tensors hold other values, or are other ones.
void FormatsView::forget()
{
    m_tensor.reset();
    m_rates.forget();
    m_blocks.forget();
    m_maps.forget();
    m_encoded.clear();
    showFormats();
    showBlock();
    showMap();
    showTensor();
}

QWidget* FormatsView::makeBlockPart()
{
    auto* part = new QWidget(this);
    auto* label = new PlainLabel(tr("&Block"), part);
    label->setBuddy(m_block);
    m_block->setAccessibleName(tr("Block"));
    m_block->setToolTip(tr("The values that share a scale, counted from 0"));
    m_block->setKeyboardTracking(false);
    m_worst->setToolTip(tr("The block that adds most to the squared error"));
    m_facts->setWordWrap(true);
    m_facts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_facts->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_values->setMinimumHeight(60);
    m_values->horizontalHeader()->setStretchLastSection(true);
    auto* line = new QHBoxLayout;
    line->addWidget(label);
    line->addWidget(m_block);
    line->addWidget(m_worst);
    line->addStretch(1);
    line->addWidget(m_python);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(m_facts);
    layout->addWidget(m_values, 1);
    return part;
}

QString FormatsView::state() const
{
    return m_state->text();
}

QString FormatsView::blockSentence() const
{
    return m_facts->text();
}

void FormatsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showTensor();
}

void FormatsView::showTensor()
{
    const TensorInfo* tensor = m_document.selectedTensor();
    std::optional<TensorRef> wanted;
    if (tensor && isVisible())
        wanted = m_document.addressOf(m_document.selected());
    if (!isVisible() || wanted == m_tensor)
        return;
    m_tensor = std::move(wanted);
    m_rates.drop();
    m_blocks.drop();
    m_maps.drop();
    m_maximum.reset();
    m_encoded.clear();
    m_next = 0;
    showFormats();
    showBlock();
    showMap();
    if (m_tensor)
        askNext();
}

void FormatsView::askNext()
{
    if (m_next < usualFamilies().size())
        return m_rates.ask({.tensor = *m_tensor, .family = usualFamilies()[m_next]});
    m_rates.drop();
    showFormats();
}

void FormatsView::takeRated()
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!m_tensor || !tensor)
        return;
    const auto result = m_rates.shared();
    if (m_rates.state() != QueryState::State::Ready || !result)
        return showFormats();
    for (const protocol::RatedFormat& point : result->points)
        m_encoded.push_back({.tensor = *tensor,
                             .matrix = {.length = result->rowLength},
                             .format = parseBlockFormat(point.format),
                             .errors = point.errors,
                             .family = m_rates.request().family});
    ++m_next;
    if (m_next == usualFamilies().size())
        markBest(m_encoded);
    showFormats();
    askNext();
}

void FormatsView::showFormats()
{
    std::vector<RateMark> marks;
    m_marked.clear();
    for (std::size_t row = 0; row < m_encoded.size(); ++row) {
        const EncodedTensor& encoded = m_encoded[row];
        const std::optional<double> db = encoded.errors.sqnrDb();
        if (!db || !std::isfinite(*db))
            continue;
        m_marked.push_back(row);
        marks.push_back({.format = QString::fromStdString(encoded.format.id),
                         .family = QString::fromStdString(encoded.family),
                         .bits = encoded.errors.effectiveBits,
                         .db = *db,
                         .isBest = encoded.isBest});
    }
    m_isChoosing = true;
    m_rows.setRows(m_encoded);
    m_isChoosing = false;
    const bool isReading = m_rates.isReading();
    if (marks.empty())
        plot().clear(isReading
                         ? tr("Computing...")
                         : tr("No number format has an SQNR to show: none leaves an error, or "
                              "there is no finite value."));
    else
        plot().setMarks(std::move(marks));
    showSentence();
    if (const EncodedTensor* chosen = chosenRow())
        choose(static_cast<std::size_t>(chosen - m_encoded.data()));
}

const EncodedTensor* FormatsView::chosenRow() const
{
    const auto chosen = std::ranges::find(
        m_encoded, m_chosen, [](const EncodedTensor& encoded) { return encoded.format.id; });
    return chosen == m_encoded.end() ? nullptr : &*chosen;
}

/// What is computed, or how to read it, with notes on the chosen format.
void FormatsView::showSentence()
{
    showAccept();
    if (m_rates.state() == QueryState::State::Failed)
        return m_state->setText(m_rates.problem());
    if (m_rates.isReading())
        return m_state->setText(tr("Computing %1, %2 of %3 families of formats")
                                    .arg(QString::fromStdString(m_rates.request().family),
                                         countLabel(m_next + 1),
                                         countLabel(usualFamilies().size())));
    QStringList sentences{
        tr("Scales follow from the largest magnitude of each block. Filled, bold: "
           "no other format has as high an SQNR with so few bits.")};
    if (!m_refused.isEmpty())
        sentences += m_refused;
    const EncodedTensor* chosen = chosenRow();
    if (chosen && !chosen->errors.notes().empty())
        sentences += tr("%1: %2.").arg(QString::fromStdString(m_chosen),
                                       QString::fromStdString(joinedNotes(chosen->errors.notes())));
    m_state->setText(sentences.join(QLatin1Char(' ')));
}

namespace {

/// Nothing, and why, where no choice says the same.
std::optional<Choice> choiceOf(const EncodedTensor& encoded, QString& problem)
{
    try {
        return formatChoice(encoded.format, encoded.tensor);
    } catch (const Error& error) {
        problem = tr("Not to be accepted: %1.").arg(QString::fromUtf8(error.what()));
        return std::nullopt;
    }
}

}  // namespace

bool FormatsView::isAccepted(const EncodedTensor& encoded) const
{
    QString problem;
    const Decision* decision = m_tensor ? decisionOf(m_document, m_document.selected()) : nullptr;
    const std::optional<Choice> choice = choiceOf(encoded, problem);
    return decision && choice && decision->choice.isSameComputation(*choice);
}

void FormatsView::showAccept()
{
    m_refused.clear();
    const EncodedTensor* chosen = chosenRow();
    const bool isDecided = chosen && isAccepted(*chosen);
    if (chosen && !choiceOf(*chosen, m_refused))
        m_accept->setToolTip(m_refused);
    else if (chosen) {
        const QString reason = notDecidableText(m_document, m_document.selected());
        if (!reason.isEmpty())
            m_refused = tr("Not to be accepted: %1").arg(reason);
        m_accept->setToolTip(
            !reason.isEmpty()
                ? m_refused
                : tr("Accepts %1 for the tensor").arg(QString::fromStdString(m_chosen)));
    }
    m_accept->setText(isDecided ? tr("✓ Accepted") : tr("Accept"));
    m_accept->setEnabled(chosen && !isDecided && m_refused.isEmpty());
}

void FormatsView::accept()
{
    const EncodedTensor* chosen = chosenRow();
    if (chosen && m_accept->isEnabled())
        acceptChoice(m_document, formatChoice(chosen->format, chosen->tensor), m_chosen);
}

void FormatsView::choose(std::size_t row)
{
    const std::string format = m_encoded[row].format.id;
    const bool isOther = m_blocks.state() == QueryState::State::Idle || format != m_chosen;
    if (format != m_chosen)
        m_maximum.reset();
    m_chosen = format;
    showSentence();
    const auto mark = std::ranges::find(m_marked, row);
    plot().setChosen(mark == m_marked.end()
                         ? std::nullopt
                         : std::optional(static_cast<std::size_t>(mark - m_marked.begin())));
    m_isChoosing = true;
    const QModelIndex index = m_sorted->mapFromSource(m_rows.index(static_cast<int>(row), 0));
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index, QAbstractItemView::PositionAtCenter);
    m_isChoosing = false;
    if (isOther) {
        askBlock(std::nullopt);
        askMap();
    }
}

std::string FormatsView::format() const
{
    return m_maximum ? m_chosen + ":tensor-maximum=" + numberText(*m_maximum) : m_chosen;
}

void FormatsView::setMaximum(std::optional<double> maximum)
{
    m_maximum = maximum;
    askMap();
    askBlock(static_cast<std::uint64_t>(m_block->value()));
}

void FormatsView::askMap()
{
    if (!m_tensor || !chosenRow() || m_plots->chosen() == FormatPlots::Plot::Curve)
        return;
    const auto cells = [](int pixels, int most) {
        return static_cast<std::uint64_t>(std::clamp(pixels, leastPixels, most));
    };
    const QSize size = m_plots->size();
    m_maps.ask({.tensor = *m_tensor,
                .format = format(),
                .rows = cells(size.height(), mostPixelsDown),
                .columns = cells(size.width(), mostPixelsAcross)});
}

void FormatsView::showMap()
{
    if (m_maps.state() == QueryState::State::Ready)
        return m_plots->showMap(parseBlockFormat(m_maps.request().format), m_maps.shared());
    if (m_maps.isReading() && m_maps.former())
        return;  // the former one stays
    m_plots->clearMap(m_maps.state() == QueryState::State::Failed ? m_maps.problem()
                      : m_maps.isReading()                        ? tr("Computing...")
                                                                  : tr("Choose a format."));
}

RatePlot& FormatsView::plot() const
{
    return m_plots->curve();
}

void FormatsView::askBlock(std::optional<std::uint64_t> block)
{
    if (m_tensor && !m_chosen.empty())
        m_blocks.ask({.tensor = *m_tensor, .format = format(), .block = block});
}

/// A program for the block that is shown.
void FormatsView::showPython()
{
    m_code.clear();
    QString problem;
    const protocol::EncodedBlock* block = m_blocks.result();
    const TensorInfo* tensor = m_document.selectedTensor();
    if (block && tensor) {
        const PythonSnippet snippet =
            pythonSnippet({.subject = SnippetSubject::Block,
                           .file = pathThere(m_document.path()).toStdString(),
                           .tensor = *tensor,
                           .format = parseBlockFormat(m_blocks.request().format),
                           .block = block->block});
        m_code = QString::fromStdString(snippet.text);
        problem = QString::fromStdString(snippet.problem);
    }
    m_python->setEnabled(!m_code.isEmpty());
    m_python->setToolTip(problem.isEmpty()
                             ? tr("A program for h5py and NumPy that prints the same numbers")
                             : problem);
}

void FormatsView::showBlock()
{
    const protocol::EncodedBlock* block = m_blocks.result();
    const bool isAsked = m_blocks.state() != QueryState::State::Idle;
    m_block->setEnabled(isAsked);
    m_worst->setEnabled(isAsked && !m_blocks.isReading());
    if (m_blocks.isReading())
        return;  // the former one stays
    showPython();
    if (!block) {
        m_plots->setBlock(std::nullopt);
        m_blockRows.setRows({});
        m_facts->setText(m_blocks.state() == QueryState::State::Failed
                             ? m_blocks.problem()
                             : tr("Choose a format to see the values of a block under it."));
        return;
    }
    const QSignalBlocker silent(m_block);
    m_block->setRange(0, static_cast<int>(std::min<std::uint64_t>(block->blocks - 1, 2147483647)));
    m_block->setSuffix(tr(" (0 to %1)").arg(countLabel(block->blocks - 1)));
    m_block->setValue(static_cast<int>(block->block));
    m_plots->setBlock(block->block);
    const BlockFormat format = parseBlockFormat(m_blocks.request().format);
    m_blockRows.setRows(blockValues(format, *block));
    m_facts->setText(blockText(format, *block));
}

}  // namespace calibscope
