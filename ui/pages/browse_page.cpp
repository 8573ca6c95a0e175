#include "ui/pages/browse_page.h"

#include "ui/candidate_style.h"
#include "ui/charts/curve_plot.h"
#include "ui/charts/histogram_plot.h"
#include "ui/charts/number_label.h"
#include "ui/charts/search_mark.h"
#include "ui/models/tensor_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/layout_strip.h"
#include "ui/widgets/state_notice.h"
#include "ui/widgets/understanding_editor.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int flickerMs = 120;  // a reading that ends sooner goes from plot to plot

QString factsOf(const TensorInfo& tensor)
{
    QStringList facts;
    if (!tensor.op.empty())
        facts += QString::fromStdString(tensor.op);
    facts += shapeLabel(tensor);
    facts += typeLabel(tensor);
    if (!tensor.parts.empty())
        facts += BrowsePage::tr("%1 datasets").arg(countLabel(tensor.parts.size()));
    facts += BrowsePage::tr("%1 values").arg(countLabel(tensor.valueCount()));
    if (tensor.batchCount() > 1)
        facts += BrowsePage::tr("%1 batches").arg(countLabel(tensor.batchCount()));
    if (tensor.role == Role::Weight && tensor.channelCount() > 0)
        facts += BrowsePage::tr("%1 channels").arg(countLabel(tensor.channelCount()));
    return facts.join(QStringLiteral("   "));
}

std::vector<ThresholdMark> thresholdMarks(const std::vector<OutcomeRow>& rows,
                                          const ChartColors& colors)
{
    std::vector<ThresholdMark> marks;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const OutcomeRow& row = rows[place];
        if (!row.isTicked || !row.hasResult())
            continue;
        const SeriesStyle style = candidateStyle(place, colors);
        marks.push_back({.label = QString::fromStdString(row.candidate.label),
                         .color = style.color,
                         .style = style.pen,
                         .clip = row.outcome->whole.quantizer.clip,
                         .emphasised = row.isChosenRecipes});
    }
    return marks;
}

std::vector<CurveMark> curveMarks(const std::vector<OutcomeRow>& rows, const ChartColors& colors)
{
    std::vector<CurveMark> marks;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const OutcomeRow& row = rows[place];
        if (!row.isTicked || !row.hasResult())
            continue;
        std::optional<CurveMark> mark = searchMark(*row.outcome);
        if (!mark)
            continue;
        const SeriesStyle style = candidateStyle(place, colors);
        mark->label = QString::fromStdString(row.candidate.label);
        mark->color = style.color;
        mark->style = style.pen;
        mark->emphasised = row.isChosenRecipes;
        marks.push_back(std::move(*mark));
    }
    return marks;
}

}  // namespace

BrowsePage::BrowsePage(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_notice(new StateNotice(this)),
      m_patience(new QTimer(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 12, 8);
    layout->setSpacing(4);
    layout->addWidget(makeHeader());
    m_strip = new LayoutStrip(session, this);
    m_editor = new UnderstandingEditor(session, this);
    layout->addWidget(m_strip);
    layout->addWidget(m_editor);
    connect(m_strip, &LayoutStrip::changeRequested, this, &BrowsePage::editUnderstanding);
    m_plots = makePlots();
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_plots);
    m_stack->addWidget(m_notice);
    layout->addLayout(m_stack, 1);

    m_patience->setSingleShot(true);
    m_patience->setInterval(flickerMs);
    connect(m_patience, &QTimer::timeout, this, &BrowsePage::showReading);
    connect(m_notice, &StateNotice::buttonClicked, &session, &Session::readAgain);
    connect(&session, &Session::selectionChanged, this, &BrowsePage::showSelection);
    connect(&session, &Session::tensorsChanged, this, &BrowsePage::showSelection);
    connect(&session, &Session::viewChanged, this, &BrowsePage::showState);
    connect(&session, &Session::ticksChanged, this, &BrowsePage::showMarks);
    connect(&session, &Session::outcomesChanged, this, &BrowsePage::showMarks);
    connect(&session, &Session::recipeChanged, this, &BrowsePage::showMarks);
    connect(&session, &Session::displayChanged, this, &BrowsePage::showState);
    showSelection();
    showState();
}

QWidget* BrowsePage::makeHeader()
{
    auto* header = new QWidget(this);
    m_name = new ElidedLabel(Qt::ElideMiddle, header);
    QFont large = m_name->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    m_name->setFont(large);
    m_facts = new ElidedLabel(Qt::ElideRight, header);
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_facts->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);

    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins({});
    layout->setSpacing(20);
    layout->addWidget(m_name);
    layout->addWidget(m_facts, 1);
    return header;
}

QWidget* BrowsePage::makePlots()
{
    auto* plots = new QSplitter(Qt::Vertical, this);
    plots->setChildrenCollapsible(false);
    m_histogram = new HistogramPlot(plots);
    m_histogram->setXLabelsShown(false);
    m_curve = new CurvePlot(plots);
    m_histogram->linkX(*m_curve);
    plots->setStretchFactor(0, 3);
    plots->setStretchFactor(1, 2);
    connect(m_histogram, &PlotView::readoutChanged, this, &BrowsePage::readoutChanged);
    connect(m_curve, &PlotView::readoutChanged, this, &BrowsePage::readoutChanged);
    return plots;
}

void BrowsePage::editUnderstanding()
{
    m_editor->edit();
}

void BrowsePage::fit()
{
    m_histogram->fit();
}

PlotView* BrowsePage::currentPlot() const
{
    return m_histogram;
}

bool BrowsePage::showsPlots() const
{
    return m_stack->currentWidget() == m_plots;
}

void BrowsePage::showSelection()
{
    const TensorInfo* tensor = m_session.selectedTensor();
    m_name->setText(tensor ? QString::fromStdString(tensor->name) : QString());
    m_facts->setText(tensor ? factsOf(*tensor) : QString());
}

void BrowsePage::showState()
{
    m_patience->stop();
    if (m_session.reader().state() != ViewReader::State::Ready)
        m_shownView = nullptr;
    switch (m_session.reader().state()) {
    case ViewReader::State::Ready: return showView(*m_session.reader().view());
    case ViewReader::State::Reading: return m_patience->start();
    case ViewReader::State::Stopped:
        return say(tr("Stopped"),
                   tr("Reading was stopped before all values of this tensor were counted."),
                   tr("Continue"));
    case ViewReader::State::Failed:
        return say(tr("This tensor could not be read"),
                   m_session.reader().hasEngineDied()
                       ? tr("The engine that reads files ended before it was done. A new one "
                            "starts with the next tensor that is read.")
                       : m_session.reader().problem(),
                   tr("Try again"));
    case ViewReader::State::Idle:
        if (const TensorInfo* tensor = m_session.selectedTensor())
            say(tr("This tensor can't be read"), QString::fromStdString(tensor->unreadable));
        else if (m_session.dumpState() == Session::DumpState::Open)
            say(tr("No tensor"), tr("This file holds no dataset that can be shown."));
        return;
    }
}

void BrowsePage::showView(const serve::TensorView& view)
{
    const Session::Display& display = m_session.display();
    m_histogram->setCountAxis(display.isLogCount ? CountAxis::Log : CountAxis::Linear);
    // A histogram that is set anew loses the user's zoom.
    if (m_shownView != &view || m_shownDomain != display.domain) {
        const Histogram* histogram = view.profile.histogram({.domain = display.domain});
        if (histogram)
            m_histogram->setHistogram(*histogram);
        else
            m_histogram->clear(tr("This tensor has no finite value."));
        m_shownView = &view;
        m_shownDomain = display.domain;
    }
    showMarks();
    m_stack->setCurrentWidget(m_plots);
}

void BrowsePage::showMarks()
{
    if (!m_session.reader().view())
        return;
    const std::vector<OutcomeRow> rows = m_session.outcomeRows();
    const ChartColors& colors = chartColors(palette());
    m_histogram->setThresholds(thresholdMarks(rows, colors));
    std::vector<CurveMark> curves = curveMarks(rows, colors);
    const bool searches = std::ranges::any_of(rows, [](const OutcomeRow& row) {
        const Choice& choice = row.candidate.choice;
        return row.isTicked && row.hasResult() && choice.granularity == Granularity::Tensor &&
               calibrator(choice.calibrator).hasCurve;
    });
    if (curves.empty())
        m_curve->clear(searches
                           ? tr("There was nothing to search: the notes of the result say why.")
                           : tr("No ticked calibrator searches a curve. Tick an entropy to see its "
                                "KL divergence against the threshold."));
    else
        m_curve->setCurves(std::move(curves));
}

void BrowsePage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showMarks();  // in the colours of the new theme
    QWidget::changeEvent(event);
}

void BrowsePage::showReading()
{
    m_histogram->clear(tr("Reading..."));
    m_curve->clear({});
    m_stack->setCurrentWidget(m_plots);
}

void BrowsePage::say(const QString& title, const QString& sentence, const QString& button)
{
    m_notice->say(title, sentence, button);
    m_stack->setCurrentWidget(m_notice);
}

}  // namespace calibscope
