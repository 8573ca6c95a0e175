// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/layers/operands_view.h"

#include "core/formats/block_format.h"
#include "core/report/tables/layer_report.h"
#include "ui/charts/operand_channels_content.h"
#include "ui/charts/rate_content.h"
#include "ui/document/document.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

OperandAnalysis analysisAt(int index)
{
    return static_cast<OperandAnalysis>(index);
}

RateAxes axesOf(OperandAnalysis analysis)
{
    RateAxes axes{.x = tr("alpha"),
                  .y = tr("output SQNR, dB"),
                  .areBits = false,
                  .all = tr("SQNR of the layer's output in %1 trials, %2 of them the best.")};
    if (analysis == OperandAnalysis::Formats) {
        axes = rateAxes();
        axes.y = tr("output SQNR, dB");
        axes.all = tr("SQNR of the layer's output by effective bits of its weight under %1, %2 of "
                      "which no other one exceeds.");
    }
    if (analysis == OperandAnalysis::AwqClip)
        axes.x = tr("ends of blocks, as shares");
    if (analysis == OperandAnalysis::Rotate)
        axes.x = tr("log2 of the channels rotated together");
    return axes;
}

/// Those that no other one exceeds with as few bits.
void markFrontier(std::vector<RateMark>& marks)
{
    for (RateMark& mark : marks)
        mark.isBest = std::ranges::none_of(marks, [&](const RateMark& other) {
            return other.bits <= mark.bits && other.db >= mark.db &&
                   (other.bits < mark.bits || other.db > mark.db);
        });
}

/// What the axis does not show: a line of its own for each method.
bool isLevel(const OperandTrial& trial)
{
    return !trial.setting && (trial.method == "none" || trial.method == "clip");
}

QString nameOf(const OperandTrial& trial)
{
    const QString method = QString::fromStdString(trial.method);
    if (trial.method == "clip")
        return trial.setting ? tr("%1 of the ends").arg(valueLabel(*trial.setting))
                             : tr("each block at its best share");
    if (trial.method == "rotate")
        return tr("groups of %1").arg(valueLabel(*trial.setting));
    return trial.setting ? tr("%1, alpha %2").arg(method, valueLabel(*trial.setting))
                         : QString::fromStdString(trial.format);
}

}  // namespace

OperandsView::OperandsView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_trials(document.questions().inBackground()),
      m_analysis(new QComboBox(this)),
      m_format(new QComboBox(this)),
      m_sentence(new PlainLabel(this)),
      m_curve(new RatePlot(this)),
      m_channels(new OperandChannelsPlot(this))
{
    m_analysis->setAccessibleName(tr("What is tried on the operands"));
    m_analysis->setToolTip(tr("calib layers --analysis formats, smooth, awq, awq-clip, rotate"));
    for (const QString& text : {tr("Formats of the weight"), tr("SmoothQuant"), tr("AWQ"),
                                tr("AWQ, clip"), tr("Hadamard rotation")})
        m_analysis->addItem(text);
    m_format->setAccessibleName(tr("Number format of the weight"));
    m_format->setToolTip(m_format->accessibleName());
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_curve->setAccessibleName(tr("SQNR of the layer's output"));
    m_channels->setAccessibleName(tr("Channels of both operands"));
    for (PlotView* plot : std::initializer_list<PlotView*>{m_curve, m_channels}) {
        plot->setMinimumHeight(100);
        connect(plot, &PlotView::readoutChanged, this, &OperandsView::readoutChanged);
    }
    auto* line = new QHBoxLayout;
    line->addWidget(m_analysis);
    line->addWidget(m_format);
    line->addStretch(1);
    auto* plots = new QSplitter(Qt::Horizontal, this);
    plots->addWidget(m_curve);
    plots->addWidget(m_channels);
    plots->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(m_sentence);
    layout->addWidget(plots, 1);
    connect(m_analysis, &QComboBox::currentIndexChanged, this, [this] {
        fillFormats();
        ask();
    });
    connect(m_format, &QComboBox::currentIndexChanged, this, &OperandsView::ask);
    connect(&m_trials, &QueryState::changed, this, &OperandsView::showTrials);
    connect(m_curve, &RatePlot::markChosen, this, &OperandsView::choose);
    fillFormats();
}

/// Those that the analysis takes, with the one that it begins with.
void OperandsView::fillFormats()
{
    const QSignalBlocker silent(m_format);
    const OperandAnalysis analysis = analysisAt(m_analysis->currentIndex());
    m_format->clear();
    m_format->setVisible(analysis != OperandAnalysis::Formats);
    QString usual = QStringLiteral("int8-row");
    if (analysis != OperandAnalysis::Smooth) {
        usual = QStringLiteral("uint4-g128:zero-in-range=no");
        m_format->addItem(usual);
    }
    if (analysis == OperandAnalysis::Rotate)
        usual = QStringLiteral("int4-row");
    for (const BlockFormat& format : blockFormats())
        if (analysis != OperandAnalysis::AwqClip ||
            (!format.superBlock &&
             (format.granularity.isGroup() || format.granularity.kind == Granularity::Kind::Row)))
            m_format->addItem(QString::fromStdString(format.id));
    m_format->setCurrentText(usual);
}

QString OperandsView::sentence() const
{
    return m_sentence->text();
}

PlotView* OperandsView::currentPlot() const
{
    for (PlotView* plot : std::initializer_list<PlotView*>{m_curve, m_channels})
        if (plot->hasFocus())
            return plot;
    return nullptr;
}

void OperandsView::showLayer(const std::optional<LayerRow>& row)
{
    const bool isSame = row && m_row && row->found.layer == m_row->found.layer;
    m_row = row;
    if (isSame && m_trials.state() != QueryState::State::Idle)
        return;
    m_trials.drop();
    ask();
}

void OperandsView::forget()
{
    m_trials.drop();
    m_row.reset();
    showTrials();
}

void OperandsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_trials.state() == QueryState::State::Idle)
        ask();
}

void OperandsView::ask()
{
    if (!isVisible() || !m_row)
        return;
    const OperandAnalysis analysis = analysisAt(m_analysis->currentIndex());
    protocol::OperandTrialsRequest request{
        .layer = m_document.questions().layers().requestOf(*m_row, LayerReader::finePositions),
        .analysis = std::string(operandAnalysisWords.at(static_cast<std::size_t>(analysis)))};
    request.layer.decisions.clear();
    if (analysis != OperandAnalysis::Formats)
        request.format = m_format->currentText().toStdString();
    m_trials.ask(request);
}

QString OperandsView::sentenceOf(const OperandTrials& found) const
{
    QStringList sentences;
    const auto best = std::ranges::find(found.trials, true, &OperandTrial::isBest);
    const OperandTrial& first = found.trials.front();
    const bool isOfFormats = analysisAt(m_analysis->currentIndex()) == OperandAnalysis::Formats;
    if (isOfFormats)
        sentences += tr("The weight alone is quantized. Filled: no other format has as high an "
                        "SQNR with so few bits.");
    else if (best != found.trials.end() && best->outputSqnrDb && first.outputSqnrDb)
        sentences +=
            tr("Best: %1, %2 dB; as it is %3 dB.")
                .arg(nameOf(*best), dbLabel(*best->outputSqnrDb), dbLabel(*first.outputSqnrDb));
    constexpr std::size_t mostNamed = 3;
    if (const std::string shares = errorShareText(found.errorShares, mostNamed); !shares.empty())
        sentences += tr("In %1, %2.")
                         .arg(QString::fromStdString(isOfFormats ? "int8-row" : first.format),
                              QString::fromStdString(shares));
    if (found.positions < found.of)
        sentences += tr("Computed on %1 of %2 positions.")
                         .arg(countLabel(found.positions), countLabel(found.of));
    for (const std::string& note : found.notes)
        sentences += QString::fromStdString(note) + u'.';
    return sentences.join(u' ');
}

void OperandsView::showTrials()
{
    m_marked.clear();
    const OperandTrials* found = m_trials.result();
    const bool isReady = m_trials.state() == QueryState::State::Ready && found;
    if (!isReady || !found->whyNot.empty()) {
        const QString text = isReady ? QString::fromStdString(found->whyNot)
                             : m_trials.state() == QueryState::State::Failed ? m_trials.problem()
                                                                             : tr("Computing...");
        m_sentence->setText(isReady || m_trials.state() == QueryState::State::Failed ? text
                                                                                     : QString());
        m_curve->clear(text);
        return m_channels->clear({});
    }
    const OperandAnalysis analysis = analysisAt(m_analysis->currentIndex());
    const bool isOfFormats = analysis == OperandAnalysis::Formats;
    RateAxes axes = axesOf(analysis);
    std::vector<RateMark> marks;
    std::optional<std::size_t> best;
    for (std::size_t index = 0; index < found->trials.size(); ++index) {
        const OperandTrial& trial = found->trials[index];
        if (!trial.outputSqnrDb || !std::isfinite(*trial.outputSqnrDb))
            continue;
        if (isLevel(trial)) {
            axes.level = *trial.outputSqnrDb;
            axes.levelName = trial.method == "none" ? tr("as it is") : nameOf(trial);
            continue;
        }
        if (trial.isBest && !isOfFormats)
            best = marks.size();
        m_marked.push_back(index);
        marks.push_back({.format = nameOf(trial),
                         .family = QString::fromStdString(trial.method),
                         .bits = analysis == OperandAnalysis::Rotate && trial.setting
                                     ? std::log2(*trial.setting)
                                     : trial.setting.value_or(trial.effectiveBits),
                         .db = *trial.outputSqnrDb,
                         .isBest = trial.isBest});
    }
    m_sentence->setText(found->trials.empty() ? QString() : sentenceOf(*found));
    if (isOfFormats)
        markFrontier(marks);
    m_curve->setAxes(axes);
    if (marks.empty())
        m_curve->clear(found->trials.size() == 1
                           ? tr("There is nothing to try on the channels of this layer.")
                           : tr("No trial leaves an error."));
    else
        m_curve->setMarks(std::move(marks));
    m_channels->setChannels({.input = found->inputLargest, .weight = found->weightLargest});
    if (best)
        choose(*best);
}

void OperandsView::choose(std::size_t mark)
{
    const OperandTrials* found = m_trials.result();
    if (!found || mark >= m_marked.size())
        return;
    m_curve->setChosen(mark);
    const OperandTrial& trial = found->trials[m_marked[mark]];
    m_channels->setChannels(
        {.input = found->inputLargest, .weight = found->weightLargest, .factors = trial.factors});
}

}  // namespace calibscope
