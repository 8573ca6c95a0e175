// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/browse/browse_plots.h"

#include "ui/charts/curve_content.h"
#include "ui/charts/error_content.h"
#include "ui/charts/heat_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/learning_content.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/panels/browse_marks.h"
#include "ui/panels/kept_zoom.h"
#include "ui/panels/manual_threshold.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_table_view.h"
#include "ui/widgets/batch_scrubber.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/plot_splitter.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <array>

namespace calibscope {

namespace {

// Two plots of a hundred pixels each fit into a window of 800 x 600.
constexpr int leastUpper = 200;
constexpr int leastLower = 215;

/// Why there is no histogram, in words and numbers.
QString noFiniteText(const Extents& extents)
{
    if (extents.values() == 0)
        return BrowsePlots::tr("This tensor has no values.");
    if (extents.overflowed > 0)
        return countText(extents.values(),
                         BrowsePlots::tr("The only value can't be used: it is finite in the file, "
                                         "but beyond float32, as which values are read. "
                                         "Calibrators have nothing to work with; the scale is 1."),
                         BrowsePlots::tr("None of the %1 values can be used: %2 NaN, %3 infinite, "
                                         "%4 finite in the file but beyond float32, as which "
                                         "values are read. Calibrators have nothing to work with; "
                                         "the scale is 1."))
            .arg(countLabel(extents.nan), countLabel(extents.infinite() - extents.overflowed),
                 countLabel(extents.overflowed));
    return countText(extents.values(),
                     BrowsePlots::tr("The only value is not finite: %1 NaN, %2 infinite. "
                                     "Calibrators have nothing to work with; the scale is 1."),
                     BrowsePlots::tr("None of the %1 values is finite: %2 NaN, %3 infinite. "
                                     "Calibrators have nothing to work with; the scale is 1."))
        .arg(countLabel(extents.nan), countLabel(extents.infinite()));
}

}  // namespace

BrowsePlots::BrowsePlots(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_splitter(new PlotSplitter(Qt::Vertical, this)),
      m_histogram(new HistogramPlot(this)),
      m_table(new PlotTableView(this)),
      m_zoom(new KeptZoom(document, QStringLiteral("browse"), *m_histogram))
{
    auto* upper = new QWidget(m_splitter);
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins({});
    upperLayout->setSpacing(4);
    m_manual = new ManualThreshold(document, upper);
    m_signs = new ElidedLabel(Qt::ElideRight, upper);
    m_signs->setForegroundRole(QPalette::PlaceholderText);
    m_signs->setObjectName(QStringLiteral("signs"));
    m_signs->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // gives way to the result
    auto* line = new QHBoxLayout;
    line->addWidget(m_manual);
    line->addWidget(m_signs, 1, Qt::AlignRight);
    upperLayout->addLayout(line);
    upperLayout->addWidget(m_histogram, 1);
    m_splitter->addWidget(upper);
    m_splitter->addWidget(makeLowerPart());
    m_splitter->setUsualShares({5, 3});
    m_splitter->setUsualLeast({leastUpper, leastLower});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_table);
    m_table->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_table->setAccessibleName(tr("Plot data"));
    m_table->hide();
    m_table->setPlot(*m_histogram);
    m_histogram->setMovable(true);
    m_histogram->setXLabelsShown(false);
    connectPlots();
}

QWidget* BrowsePlots::makeLowerPart()
{
    auto* lower = new QWidget(this);
    auto* layout = new QVBoxLayout(lower);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    m_switch = new PlotSwitch(lower);
    m_curve = new CurvePlot(lower);
    m_error = new ErrorPlot(lower);
    auto* samples = new QWidget(lower);
    m_answer = new ElidedLabel(Qt::ElideRight, samples);
    m_learning = new LearningPlot(samples);
    auto* samplesLayout = new QVBoxLayout(samples);
    samplesLayout->setContentsMargins({});
    samplesLayout->setSpacing(2);
    samplesLayout->addWidget(m_answer);
    samplesLayout->addWidget(m_learning, 1);
    QWidget* batches = makeBatches(lower);
    m_secondary = new QStackedLayout;
    addLowerPlot(Secondary::Curve, *m_curve, *m_curve,
                 [this](const Rows& rows) { showCurves(rows); });
    addLowerPlot(Secondary::ErrorPerBin, *m_error, *m_error,
                 [this](const Rows& rows) { showError(rowInFocus(rows)); });
    addLowerPlot(Secondary::Batches, *m_heat, *batches,
                 [this](const Rows& rows) { showBatches(rows); });
    addLowerPlot(Secondary::Samples, *m_learning, *samples,
                 [this](const Rows& rows) { showSamples(rows); });
    layout->addWidget(m_switch);
    layout->addLayout(m_secondary, 1);
    return lower;
}

template <typename Plot>
void BrowsePlots::addLowerPlot(Secondary which, Plot& plot, QWidget& widget,
                               std::function<void(const Rows&)> show)
{
    m_secondary->addWidget(&widget);
    m_lower[which] = {.widget = &widget,
                      .plot = &plot,
                      .clear = [&plot] { plot.clear({}); },
                      .isEmpty = [&plot] { return plot.isEmpty(); },
                      .show = std::move(show)};
}

QWidget* BrowsePlots::makeBatches(QWidget* lower)
{
    auto* batches = new QWidget(lower);
    m_heat = new HeatPlot(batches);
    m_scrubber = new BatchScrubber(batches);
    auto* layout = new QVBoxLayout(batches);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addWidget(m_heat, 1);
    layout->addWidget(m_scrubber);
    return batches;
}

void BrowsePlots::connectPlots()
{
    std::vector<PlotView*> plots{m_histogram};
    for (const auto& [which, part] : m_lower)
        plots.push_back(part.plot);
    for (PlotView* plot : plots) {
        if (plot != m_learning)  // its x is not a value
            m_stack.add(*plot);
        connect(plot, &PlotView::readoutChanged, this, &BrowsePlots::readoutChanged);
        connect(qApp, &QApplication::focusChanged, plot, [this, plot](QWidget*, QWidget* now) {
            if (now == plot)
                m_table->setPlot(*plot);
        });
    }
    connect(m_histogram, &PlotView::hovered, this,
            [this](std::optional<double> x) { m_pointed = x; });
    connect(m_histogram, &PlotView::menuRequested, this, [this](QMenu* menu) {
        menu->addSeparator();
        QAction* where = menu->addAction(tr("Show where these values lie"));
        where->setEnabled(shownHistogram() != nullptr);
        connect(where, &QAction::triggered, this, [this, x = m_pointed] { showWhere(x); });
    });
    connect(m_histogram, &PlotView::handleMoved, m_manual, &ManualThreshold::moveHandle);
    connect(m_manual, &ManualThreshold::handleTaken, m_histogram, &PlotView::chooseHandle);
    connect(m_manual, &ManualThreshold::left, m_histogram, [this] { m_histogram->setFocus(); });
    connect(m_switch, &PlotSwitch::secondaryChosen, this,
            [this](Secondary secondary) { edits::setSecondary(m_document, secondary); });
    connect(m_switch, &PlotSwitch::quantizedToggled, this,
            [this](bool isShown) { edits::setQuantizedShown(m_document, isShown); });
    connect(m_switch, &PlotSwitch::tableToggled, this, [this](bool isShown) {
        PlotDisplay display = m_document.workbench().display;
        display.isTableShown = isShown;
        edits::setDisplay(m_document, display);
    });
    connect(m_scrubber, &BatchScrubber::chosen, this, &BrowsePlots::batchesChosen);
    connect(m_heat, &HeatPlot::rowClicked, this,
            [this](std::size_t row) { Q_EMIT batchesChosen(static_cast<quint64>(row) + 1, true); });
}

PlotView* BrowsePlots::currentPlot() const
{
    for (const auto& [which, part] : m_lower)
        if (part.plot->hasFocus() && part.plot->isVisible())
            return part.plot;
    return m_histogram;
}

QString BrowsePlots::hoveredFacts() const
{
    return m_pointed ? m_histogram->factsText(*m_pointed) : QString();
}

void BrowsePlots::focusThreshold()
{
    m_manual->focusNumber();
}

void BrowsePlots::focusBatches()
{
    if (!reasonAgainst(Secondary::Batches).isEmpty())
        return;
    edits::setSecondary(m_document, Secondary::Batches);
    m_scrubber->setFocus(Qt::ShortcutFocusReason);
}

void BrowsePlots::showWhereValuesLie()
{
    showWhere(m_pointed);
}

/// Of the bin there; of an empty one the nearest that has values, as columns are wider than bins.
void BrowsePlots::showWhere(std::optional<double> x)
{
    const Histogram* histogram = shownHistogram();
    if (!histogram || histogram->total() == 0)
        return;
    const std::size_t count = histogram->counts.size();
    const std::size_t wanted = x ? histogram->binOf(*x) : count - 1;
    std::size_t bin = wanted;
    for (std::size_t distance = 0; distance < count; ++distance) {
        if (wanted >= distance && histogram->counts[wanted - distance] > 0) {
            bin = wanted - distance;
            break;
        }
        if (wanted + distance < count && histogram->counts[wanted + distance] > 0) {
            bin = wanted + distance;
            break;
        }
    }
    Q_EMIT valuesWanted(
        valuesOfBin(*histogram, bin),
        tr("%1 from %2 to %3")
            .arg(m_domain == Domain::Magnitude ? QStringLiteral("|x|") : QStringLiteral("x"),
                 valueLabel(histogram->edge(bin)), valueLabel(histogram->edge(bin + 1))));
}

const Histogram* BrowsePlots::shownHistogram() const
{
    return m_view ? m_view->profile.histogram({.domain = m_domain}) : nullptr;
}

void BrowsePlots::applyDisplay()
{
    const PlotDisplay& display = m_document.workbench().display;
    m_histogram->setCountAxis(display.isLogCount ? CountAxis::Log : CountAxis::Linear);
    m_histogram->setQuantity(display.quantity);
    m_error->setErrorAxis(display.isLogCount ? CountAxis::Log : CountAxis::Linear);
    m_stack.setLinked(display.areAxesLinked);
    showSwitches();
}

QString BrowsePlots::reasonAgainst(Secondary secondary) const
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!tensor)
        return {};
    switch (secondary) {
    case Secondary::Batches:
        return tensor->batchCount() > 1 ? QString() : tr("This tensor was recorded in one batch.");
    case Secondary::Curve: {
        const std::vector<OutcomeRow>& rows = m_document.questions().rows();
        return mayHaveCurve(rows) ? QString() : noCurveText(rows);
    }
    case Secondary::ErrorPerBin:
    case Secondary::Samples: return {};
    }
    return {};
}

/// The choice itself stays: the next tensor may have what this one has not.
Secondary BrowsePlots::offered() const
{
    const Secondary wanted = m_document.workbench().secondary;
    return reasonAgainst(wanted).isEmpty() ? wanted : Secondary::ErrorPerBin;
}

void BrowsePlots::showSwitches()
{
    for (const LowerPlot& lower : lowerPlots)
        m_switch->setReason(lower.plot, reasonAgainst(lower.plot));
    m_switch->setShown(offered(), m_document.workbench().display);
    m_table->setVisible(m_document.workbench().display.isTableShown);
}

void BrowsePlots::showFirstBatch(const ViewQuery::Shared& batch, const QString& words)
{
    const PlotDisplay& display = m_document.workbench().display;
    const Histogram* histogram = batch->profile.histogram({.domain = display.domain});
    if (!histogram)
        return clear(words);
    if (m_firstBatch != batch || m_firstDisplay != display) {
        clear({});
        m_isClear = false;
        m_firstBatch = batch;
        m_firstDisplay = display;
        applyDisplay();
        m_histogram->setPreliminary(true);
        m_histogram->setHistogram(*histogram);
        m_stack.setLogX(display.isLogX);
        m_zoom->restore();
    }
    m_histogram->setTitle(tr("First batch only"), words);
}

void BrowsePlots::showView(const ViewQuery::Shared& view)
{
    const PlotDisplay& display = m_document.workbench().display;
    applyDisplay();
    endFirstBatch();
    m_isClear = false;
    // A histogram that is set anew loses the user's zoom.
    const bool isAnew = m_view != view || m_domain != display.domain;
    if (isAnew) {
        // Another part of the same tensor: a scrubber that is moved keeps the place looked at.
        const bool isSameTensor = m_path == view->profile.info.path && m_domain == display.domain;
        m_path = view->profile.info.path;
        m_view = view;
        m_domain = display.domain;
        m_curve->setDomain(m_domain);
        const TensorProfile& profile = view->profile;
        if (const Histogram* histogram = shownHistogram(); histogram && profile.extents().finite)
            m_histogram->setHistogram(*histogram, isSameTensor ? HistogramPlot::Zoom::Keep
                                                               : HistogramPlot::Zoom::ShowAll);
        else
            m_histogram->clear(noFiniteText(profile.extents()));
        const Rug rug = rugOf(profile.extents(), profile.batches, m_domain);
        m_signs->setText(m_histogram->isEmpty() ? QString() : rugLegend(rug));
        m_histogram->setRug(rug);
        m_histogram->setTitle(QString::fromStdString(maskText(profile.info)));
    }
    m_stack.setLogX(display.isLogX);
    showMarks();
    if (isAnew)
        m_zoom->restore();  // marks widen the axis
}

void BrowsePlots::endFirstBatch()
{
    if (!m_firstBatch)
        return;
    m_firstBatch.reset();
    m_histogram->setPreliminary(false);
    m_histogram->setTitle({});
}

void BrowsePlots::clear(const QString& reason)
{
    if (m_isClear)  // how far reading is changes many times a second
        return m_histogram->clear(reason);
    m_isClear = true;
    m_view.reset();
    m_path.clear();
    endFirstBatch();
    m_histogram->setTitle({});
    m_manual->show({}, nullptr);
    m_histogram->setThresholds({});
    m_histogram->setXLabelsShown(true);
    m_histogram->setRug(std::nullopt);
    m_signs->setText({});
    m_histogram->setQuantized(std::nullopt);
    m_histogram->clear(reason);
    for (const auto& [which, part] : m_lower)
        part.clear();
}

void BrowsePlots::showMarks()
{
    if (!m_view)
        return;
    const std::vector<OutcomeRow>& rows = m_document.questions().rows();
    m_histogram->setThresholds(
        thresholdMarks(rows, m_view->profile.extents(), chartColors(palette())));
    m_manual->show(rows, shownHistogram());
    showSwitches();
    showQuantized(rowInFocus(rows));
    showSecondary(rows);
}

void BrowsePlots::showQuantized(const OutcomeRow* row)
{
    const Histogram* bins = shownHistogram();
    if (!m_document.workbench().display.isQuantizedShown || !row || !bins)
        return m_histogram->setQuantized(std::nullopt);
    m_histogram->setQuantized(quantizedMark(*row, m_view->profile, *bins, chartColors(palette())));
}

void BrowsePlots::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showMarks();  // in the colours of the new theme
    QWidget::changeEvent(event);
}

namespace {

constexpr std::uint64_t stripColumns = 512;  // a little finer than a plot on a small screen

}  // namespace

void BrowsePlots::showSecondary(const Rows& rows)
{
    const Secondary secondary = offered();
    // What is not on screen would widen the axis that all share.
    for (const auto& [which, part] : m_lower)
        if (which != secondary)
            part.clear();
    const LowerPart& shown = m_lower.at(secondary);
    m_secondary->setCurrentWidget(shown.widget);
    shown.show(rows);
    labelHistogram(shown.isEmpty() || shown.plot == m_learning);
}

void BrowsePlots::labelHistogram(bool isLowerEmpty)
{
    m_histogram->setXLabelsShown(isLowerEmpty || !m_stack.areLinked());
}

void BrowsePlots::showCurves(const Rows& rows)
{
    std::vector<CurveMark> curves =
        curveMarks(rows, m_view->profile, m_domain, chartColors(palette()));
    if (curves.empty())
        m_curve->clear(noCurveText(rows));
    else
        m_curve->setCurves(std::move(curves));
}

void BrowsePlots::showError(const OutcomeRow* row)
{
    const Histogram* bins = shownHistogram();
    if (!bins || m_view->profile.extents().finite == 0)
        return m_error->clear({});
    if (!row)
        return m_error->clear(tr("Tick a calibrator to see where its error comes from."));
    if (row->outcome->isPerChannel())
        return m_error->clear(tr("%1 has a scale for each channel: choose a channel above to see "
                                 "where its error comes from.")
                                  .arg(QString::fromStdString(row->candidate.label)));
    m_error->setError(errorMark(*row, m_view->profile, *bins, chartColors(palette())));
}

void BrowsePlots::showBatches(const Rows& rows)
{
    const TensorInfo* tensor = m_document.selectedTensor();
    const std::uint64_t batches = tensor ? tensor->batchCount() : 1;
    m_scrubber->setVisible(batches > 1);
    if (batches < 2)
        return m_heat->clear(tr("This tensor was recorded in one batch."));
    const std::optional<std::uint64_t> shown = m_document.questions().part().batches;
    m_scrubber->setBatches(batches, shown);
    const protocol::StripRequest request{
        .tensor = {}, .rows = StripRows::Batch, .domain = m_domain, .columns = stripColumns};
    const StripQuery::Found found = m_document.questions().strip(request);
    if (!found.result) {
        if (!found.isPending && found.problem.isEmpty())
            m_document.questions().requestStrip(request);
        return m_heat->clear(found.problem.isEmpty() ? tr("Reading the batches...")
                                                     : found.problem);
    }
    m_heat->setGrid({.domain = m_domain,
                     .range = found.result->range,
                     .rows = found.result->rows,
                     .columns = found.result->columns,
                     .counts = found.result->counts},
                    {tr("batch"), tr("batches")});
    m_heat->setPaths(heatPaths(rows, m_view->profile, chartColors(palette())));
    m_heat->setRowsInUse(shown.value_or(batches));
}

void BrowsePlots::showSamples(const Rows& rows)
{
    std::vector<Choice> choices;
    for (const OutcomeRow& row : rows)
        if (row.isTicked || row.isProposed)
            choices.push_back(row.candidate.choice);
    m_answer->setVisible(!choices.empty());
    if (choices.empty())
        return m_learning->clear(tr("Tick a calibrator to see whether its samples are enough."));
    m_document.questions().requestStudies(choices);
    const LearningMarks found = learningMarks(
        rows, [this](const Choice& choice) { return m_document.questions().study(choice); },
        chartColors(palette()));
    m_answer->setText(found.answer);
    m_answer->setVisible(!found.answer.isEmpty());
    if (found.curves.empty())
        return m_learning->clear(found.reason.isEmpty() ? tr("Drawing other samples…")
                                                        : found.reason);
    m_learning->setCurves(found.curves, found.unit);
}

}  // namespace calibscope
