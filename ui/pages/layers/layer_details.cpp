// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/layers/layer_details.h"

#include "ui/charts/layers_content.h"
#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/questions.h"
#include "ui/models/layer_model.h"
#include "ui/models/table_model.h"
#include "ui/pages/layers/operands_view.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/state_notice.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int operandWidth = 140;

/// The same layer, quantized by the same.
bool isSameQuestion(const std::optional<LayerRow>& one, const std::optional<LayerRow>& other)
{
    if (!one || !other)
        return one.has_value() == other.has_value();
    return one->found.layer == other->found.layer &&
           std::ranges::equal(
               one->choices, other->choices,
               [](const protocol::ChoiceOnTensor& a, const protocol::ChoiceOnTensor& b) {
                   return a.path == b.path && a.id == b.id && a.choice.isSameComputation(b.choice);
               });
}

}  // namespace

LayerDetails::LayerDetails(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_candidates(layerCandidateTable()),
      m_equalizations(calibscope::equalizationTable()),
      m_trials(document.questions().inBackground()),
      m_perChannel(document.questions().inBackground()),
      m_equalized(document.questions().inBackground()),
      m_stack(new QStackedWidget(this)),
      m_notice(new StateNotice(this))
{
    m_candidatePart = makeCandidates();
    m_channels = new LayerChannelsPlot(this);
    m_equalizationTable = makeRowTable(*new KnownFirst(this), m_equalizations,
                                       tr("Equalization between layers"), this);
    m_operands = new OperandsView(document, this);
    connect(m_operands, &OperandsView::readoutChanged, this, &LayerDetails::readoutChanged);
    for (QWidget* view : std::initializer_list<QWidget*>{m_notice, m_candidatePart, m_channels,
                                                         m_operands, m_equalizationTable})
        m_stack->addWidget(view);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_stack);
    connect(&m_trials, &QueryState::changed, this, [this] {
        if (!m_trials.isReading())
            m_candidates.setRows(
                candidateEffectRows(m_trials.result() ? *m_trials.result() : LayerCandidates()));
        refresh();
    });
    connect(&m_perChannel, &QueryState::changed, this, &LayerDetails::refresh);
    connect(&m_equalized, &QueryState::changed, this, [this] {
        if (m_equalized.result())
            m_equalizations.setRows(m_equalized.result()->pairs);
        refresh();
    });
    connect(m_channels, &PlotView::readoutChanged, this, &LayerDetails::readoutChanged);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Recipe) ||
            change.before.decisions != m_document.workbench().decisions)
            forgetEqualizations();
    });
    refresh();
}

QWidget* LayerDetails::makeCandidates()
{
    auto* part = new QWidget(this);
    m_sentence = new PlainLabel(part);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_accept = new QPushButton(tr("&Accept both"), part);
    m_accept->setToolTip(
        tr("Accepts the best candidates for both operands, as one step that can be undone"));
    connect(m_accept, &QPushButton::clicked, this, &LayerDetails::acceptBest);
    m_candidateTable =
        makeRowTable(*new KnownFirst(this), m_candidates, tr("Effects of candidates"), this);
    m_candidateTable->sortByColumn(LayerCandidateColumn::Difference, Qt::DescendingOrder);
    QHeaderView* header = m_candidateTable->horizontalHeader();
    header->setSectionResizeMode(LayerCandidateColumn::Operand, QHeaderView::Interactive);
    header->resizeSection(LayerCandidateColumn::Operand, operandWidth);
    header->setSectionResizeMode(LayerCandidateColumn::Candidate, QHeaderView::Stretch);
    connect(m_candidateTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == LayerCandidateColumn::Accept)
            acceptRow(index);
    });
    connect(m_candidateTable, &QTableView::activated, this, &LayerDetails::acceptRow);
    auto* line = new QHBoxLayout;
    line->addWidget(m_sentence, 1);
    line->addWidget(m_accept, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(m_candidateTable, 1);
    return part;
}

void LayerDetails::setView(View view)
{
    m_view = view;
    ask();
    refresh();
}

void LayerDetails::show(const std::optional<LayerRow>& row)
{
    const bool isSame = isSameQuestion(m_row, row);
    m_row = row;
    if (isSame)
        return;
    m_trials.drop();
    m_perChannel.drop();
    ask();
    refresh();
}

void LayerDetails::forget()
{
    show(std::nullopt);
    m_operands->forget();
    forgetEqualizations();
}

void LayerDetails::forgetEqualizations()
{
    m_equalized.drop();
    m_equalizations.setRows({});
    ask();
    refresh();
}

void LayerDetails::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    ask();
    refresh();
}

void LayerDetails::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_channels)
        refresh();
}

void LayerDetails::ask()
{
    if (!isVisible())
        return;
    if (m_view == View::Equalization)
        return askEqualizations();
    if (!m_row || !m_row->isComputable() || m_view == View::Operands)
        return;
    if (m_view == View::Candidates)
        askTrials();
    else
        askChannels();
}

void LayerDetails::askTrials()
{
    if (m_trials.state() != QueryState::State::Idle)
        return;
    m_trials.ask(m_document.questions().layers().trialsRequestOf(*m_row));
}

void LayerDetails::askChannels()
{
    if (m_perChannel.state() != QueryState::State::Idle)
        return;
    protocol::LayerRequest request =
        m_document.questions().layers().requestOf(*m_row, LayerReader::finePositions);
    request.perChannel = true;
    m_perChannel.ask(request);
}

void LayerDetails::askEqualizations()
{
    if (m_equalized.state() != QueryState::State::Idle)
        return;
    const LayerReader& layers = m_document.questions().layers();
    const protocol::LayerRequest like = layers.requestOf({}, 0);
    m_equalized.ask({.path = like.path,
                     .allowExternal = like.allowExternal,
                     .edited = like.edited,
                     .decisions = layers.allChoices(),
                     .positions = LayerReader::finePositions});
}

void LayerDetails::say(const QString& title, const QString& sentence)
{
    m_notice->say(title, sentence);
    m_stack->setCurrentWidget(m_notice);
}

void LayerDetails::refresh()
{
    if (m_view == View::Equalization) {
        if (m_equalized.state() == QueryState::State::Failed)
            return say(tr("Not computed"), m_equalized.problem());
        if (!m_equalized.result())
            return say(tr("Computing"), tr("Gains of equalizing channels between layers…"));
        if (m_equalizations.rowCount() == 0)
            return say(tr("Nothing to equalize"),
                       tr("No two recorded layers follow each other with nothing but moves of "
                          "values or a ReLU between them."));
        return m_stack->setCurrentWidget(m_equalizationTable);
    }
    if (!m_row)
        return say(tr("No layer chosen"), tr("Choose one in the plot or among the layers."));
    if (!m_row->isComputable())
        return say(QString::fromStdString(m_row->found.layer), m_row->reason());
    if (m_view == View::Operands) {
        m_stack->setCurrentWidget(m_operands);
        return m_operands->showLayer(m_row);
    }
    const bool isOfCandidates = m_view == View::Candidates;
    const QueryState& query = isOfCandidates ? static_cast<const QueryState&>(m_trials)
                                             : static_cast<const QueryState&>(m_perChannel);
    if (query.state() == QueryState::State::Failed)
        return say(tr("Not computed"), query.problem());
    if (query.state() != QueryState::State::Ready)
        return say(tr("Computing"), isOfCandidates ? tr("Effect of each candidate on this layer…")
                                                   : tr("The error of each output channel…"));
    if (isOfCandidates)
        return showTrials();
    const LayerResult& found = *m_perChannel.result();
    if (!found.whyNot.empty())
        return say(tr("Not computed"), QString::fromStdString(found.whyNot));
    const ChartColors& colors = chartColors(palette());
    m_channels->setChannels({.channels = found.channels,
                             .meanColor = seriesStyle(1, colors).color,
                             .spreadColor = colors.clipped});
    m_channels->setTitle(
        QString::fromStdString(m_row->found.layer),
        found.biasGainDb
            ? tr("correcting the mean errors gains %1 dB").arg(fixedLabel(*found.biasGainDb, 2))
            : QString());
    m_stack->setCurrentWidget(m_channels);
}

void LayerDetails::showTrials()
{
    const LayerCandidates& found = *m_trials.result();
    if (!found.decided.whyNot.empty())
        return say(tr("Not computed"), QString::fromStdString(found.decided.whyNot));
    QStringList sentences;
    for (const QString& sentence : {bestSingleSentence(found), bestPairSentence(found)})
        if (!sentence.isEmpty())
            sentences += sentence;
    if (!found.decided.isExact())
        sentences += tr("Computed on %1 of %2 positions.")
                         .arg(countLabel(found.decided.positions), countLabel(found.decided.of));
    m_sentence->setText(sentences.join(u' '));
    const bool isBetter =
        found.bestInput && found.bestWeight &&
        !(found.input[*found.bestInput].isDecided && found.weight[*found.bestWeight].isDecided);
    m_accept->setVisible(isBetter);
    m_stack->setCurrentWidget(m_candidatePart);
}

QString LayerDetails::sentence() const
{
    return m_sentence->text();
}

PlotView* LayerDetails::currentPlot() const
{
    if (m_stack->currentWidget() == m_operands)
        return m_operands->currentPlot();
    return m_stack->currentWidget() == m_channels && m_channels->hasFocus() ? m_channels : nullptr;
}

void LayerDetails::acceptRow(const QModelIndex& index)
{
    const auto& sorted = static_cast<const QSortFilterProxyModel&>(*m_candidateTable->model());
    const LayerCandidateRow row = m_candidates.row(sorted.mapToSource(index).row());
    if (row.effect.isDecided || !row.effect.outputSqnrDb)
        return;
    if (row.isInput)
        accept(row.candidate, std::nullopt);
    else
        accept(std::nullopt, row.candidate);
}

void LayerDetails::acceptBest()
{
    if (const LayerCandidates* found = m_trials.result())
        accept(found->bestInput, found->bestWeight);
}

void LayerDetails::accept(const std::optional<std::size_t>& input,
                          const std::optional<std::size_t>& weight)
{
    if (!m_trials.result())
        return;
    const LayerCandidates& found = *m_trials.result();
    std::vector<CandidateFor> wanted;
    if (input)
        wanted.push_back({.tensor = m_row->input, .candidate = found.input[*input].candidate});
    if (weight)
        wanted.push_back({.tensor = m_row->weight, .candidate = found.weight[*weight].candidate});
    std::erase_if(wanted, [](const CandidateFor& one) { return one.tensor < 0; });
    (void)acceptEach(m_document, wanted,
                     tr("Accept for layer %1").arg(QString::fromStdString(m_row->found.layer)));
}

}  // namespace calibscope
