// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/curves_view.h"

#include "core/quant/binned_error.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/error_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/sqnr_content.h"
#include "ui/charts/threshold_layer.h"
#include "ui/document/card_choice.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/models/candidate_style.h"
#include "ui/panels/browse_marks.h"
#include "ui/panels/kept_zoom.h"
#include "ui/panels/manual_threshold.h"
#include "ui/panels/result_table.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"
#include "ui/widgets/plot_splitter.h"
#include "ui/widgets/segments.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace calibscope {

namespace {

/// "12 values (0.3 %) lie beyond": in P they are in the last bin.
QString beyondText(const EntropyTrial& trial)
{
    if (trial.beyond == 0.0)
        return tr("no values lie beyond");
    const double all = std::accumulate(trial.truncated.begin(), trial.truncated.end(), 0.0);
    const QString count =
        countText(static_cast<std::uint64_t>(trial.beyond), tr("1 value"), tr("%1 values"));
    const QString share = valueLabel(100.0 * trial.beyond / all, 2);
    if (trial.isSigned)
        return tr("%1 (%2 %) outside: in the end bins of P, not in Q").arg(count, share);
    return (trial.hasOutliersInQ ? tr("%1 (%2 %) beyond: in the last bin of P and of Q")
                                 : tr("%1 (%2 %) beyond: in the last bin of P, not in Q"))
        .arg(count, share);
}

QString divergenceText(const EntropyTrial& trial)
{
    const QString name = trial.isCoarseFirst ? tr("KL(Q‖P)") : tr("KL(P‖Q)");
    if (std::isinf(trial.divergence))
        return tr("%1 is infinite: one is empty where the other is not").arg(name);
    const QString value = tr("%1 = %2 nats").arg(name, valueLabel(trial.divergence));
    constexpr double worthTelling = 0.01;
    return std::abs(trial.ofLastBin) < worthTelling * trial.divergence
               ? value
               : tr("%1, %2 of them from the last bin").arg(value, valueLabel(trial.ofLastBin, 3));
}

}  // namespace

QString ghostText(const EntropyTrial& trial)
{
    const QString place =
        trial.isSigned
            ? tr("%1 to %2").arg(valueLabel(trial.edges.front()), valueLabel(trial.edges.back()))
            : valueLabel(trial.threshold);
    return tr("Cut at %1: %2 bins in %3 levels, %4. %5.")
        .arg(place, countLabel(trial.truncated.size()), countLabel(trial.levels), beyondText(trial),
             divergenceText(trial));
}

namespace {

constexpr int leastPlotHeight = 52;  // all of them and a table have to fit on a small screen
constexpr int labelsHeight = 40;     // of x, with its title

QString schemeWords(const Scheme& scheme)
{
    const QString bits = tr("%1 bits").arg(scheme.bits);
    return scheme.isAffine()     ? tr("affine, %1").arg(bits)
           : scheme.isUnsigned() ? tr("symmetric, unsigned, %1").arg(bits)
                                 : tr("symmetric, %1").arg(bits);
}

/// Of the rows that are drawn: each at the end of its clip range that is the farther from 0.
std::vector<SqnrDot> sqnrDots(const std::vector<OutcomeRow>& rows, const Extents& extents,
                              Domain domain, const ChartColors& colors)
{
    std::vector<SqnrDot> dots;
    for (const OutcomeRow& row : rows) {
        const std::optional<Range> clip = drawnClip(row, extents);
        const std::optional<double> db =
            row.hasResult() ? row.outcome->whole.metric("sqnr_db") : std::nullopt;
        if (!clip || !db)
            continue;
        const SeriesStyle style = candidateStyle(row.candidate.id, colors);
        const std::vector<double> places =
            markPlaces({.label = {}, .color = {}, .clip = *clip}, domain);
        if (places.empty())
            continue;
        // A symmetric range is marked on the side on which the line is.
        const bool isLowFarther = row.candidate.choice.scheme.isAffine()
                                      ? -places.front() > places.back()
                                      : places.front() < 0.0 && -extents.min > extents.max;
        const bool hasOther =
            domain == Domain::Signed && places.size() > 1 && row.candidate.choice.scheme.isAffine();
        dots.push_back(
            {.label = QString::fromStdString(row.candidate.label),
             .color = style.color,
             .marker = style.marker,
             .place = isLowFarther ? places.front() : places.back(),
             .otherEnd = hasOther ? std::optional(isLowFarther ? places.back() : places.front())
                                  : std::nullopt,
             .sqnrDb = *db,
             .isEstimate = row.isEstimate || !row.outcome->whole.hasExactMetrics,
             .isPerChannel = row.outcome->isPerChannel(),
             .emphasised = row.isProposed,
             .id = QString::fromStdString(row.candidate.id)});
    }
    return dots;
}

}  // namespace

CurvesView::CurvesView(Document& document, QWidget* parent) : QWidget(parent), m_document(document)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    auto* splitter = new PlotSplitter(Qt::Vertical, this);
    layout->addWidget(splitter);
    makePlots(*splitter);
    makeLower(*splitter);
    m_results = new ResultTable(
        [this]() -> const std::vector<OutcomeRow>& { return m_document.questions().rows(); },
        splitter);
    splitter->setUsualShares({215, 180, 312});

    connect(m_results, &ResultTable::tickRequested, this,
            [this](const std::string& candidate, bool isTicked) {
                edits::setTicked(m_document, candidate, isTicked);
            });
    connect(m_results, &ResultTable::baselineRequested, this,
            [this](const std::string& candidate) { edits::setBaseline(m_document, candidate); });
    connect(m_results, &ResultTable::hovered, &cardsOf(document), &CardChoice::hover);
    connect(m_results, &ResultTable::currentChanged, &cardsOf(document), &CardChoice::choose);
    connect(&cardsOf(document), &CardChoice::hoveredChanged, this, &CurvesView::showMarks);
    connect(&cardsOf(document), &CardChoice::chosenChanged, this,
            [this] { m_results->setCurrent(cardsOf(m_document).chosen()); });
    connect(&document.questions(), &Questions::sqnrLineFound, this, [this] {
        if (isVisible() && m_document.questions().reader().result())
            showSqnr();
    });
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Outcomes | DocumentChange::Ticks |
                            DocumentChange::Recipe))
            showOutcomes();
        if (change.before.baseline != m_document.workbench().baseline)
            m_results->setBaseline(m_document.workbench().baseline);
    });
}

void CurvesView::makePlots(PlotSplitter& splitter)
{
    auto* top = new QWidget(&splitter);
    auto* layout = new QVBoxLayout(top);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    m_histogram = new HistogramPlot(top);
    m_histogram->setXLabelsShown(false);
    layout->addWidget(m_histogram, 1);
    m_histogram->setMovable(true);
    m_zoom = new KeptZoom(m_document, QStringLiteral("calibrators"), *m_histogram);
}

void CurvesView::makeLower(PlotSplitter& splitter)
{
    auto* lower = new QWidget(&splitter);
    auto* layout = new QVBoxLayout(lower);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    m_lower = new Segments(lower);
    m_lower->setAccessibleName(tr("Plot below the histogram"));
    m_lower->add(tr("SQNR"), tr("SQNR against the threshold; a click sets a manual range"));
    m_lower->add(tr("Objective"),
                 tr("Cost of each threshold in the searches of the ticked calibrators"));
    m_lower->add(tr("Error by bin"), tr("Squared error by bin, split into rounding and clipping"));
    m_lower->add(tr("All"), tr("All three, one below the other"));
    m_manual = new ManualThreshold(m_document, lower);
    connect(m_histogram, &PlotView::handleMoved, m_manual, &ManualThreshold::moveHandle);
    connect(m_manual, &ManualThreshold::handleTaken, m_histogram, &PlotView::chooseHandle);
    connect(m_manual, &ManualThreshold::left, m_histogram, [this] { m_histogram->setFocus(); });
    auto* line = new QHBoxLayout;
    line->setSpacing(16);
    line->addWidget(m_lower);
    line->addWidget(m_manual, 1);
    layout->addLayout(line);
    auto* plots = new PlotSplitter(Qt::Vertical, lower);
    layout->addWidget(plots, 1);
    m_sqnr = new SqnrPlot(plots);
    m_curve = new CurvePlot(plots);
    m_error = new ErrorPlot(plots);
    plots->setUsualShares({170, 200, 130});
    connect(m_lower, &Segments::chosen, this, &CurvesView::showLower);
    for (PlotView* plot : std::initializer_list<PlotView*>{m_histogram, m_sqnr, m_curve, m_error}) {
        m_stack.add(*plot);
        connect(plot, &PlotView::readoutChanged, this, &CurvesView::readoutChanged);
    }
    connect(m_curve, &PlotView::hovered, this, &CurvesView::showGhost);
    connect(m_sqnr, &PlotView::hovered, this, &CurvesView::showThresholdGhost);
    connect(m_sqnr, &PlotView::clicked, this, [this](const QPointF& values) {
        edits::setManualRange(m_document, std::abs(values.x()), true);
    });
    connect(m_curve, &PlotView::clicked, this,
            [this](const QPointF& values) { setManualRange(values.x()); });
    showLower();
}

void CurvesView::chooseLower(Lower lower)
{
    m_lower->setCurrent(static_cast<int>(lower));
    showLower();
}

/// The lowest plot with an axis labels it, and the others leave it to that one where they are linked.
void CurvesView::showLower()
{
    const auto lower = static_cast<Lower>(m_lower->current());
    const bool showsAll = lower == Lower::All;
    m_sqnr->setVisible(showsAll || lower == Lower::Sqnr);
    m_curve->setVisible(showsAll || lower == Lower::Curve);
    m_error->setVisible(showsAll || lower == Lower::Error);
    const bool isLinked = m_stack.areLinked();
    const auto label = [](PlotView* plot, bool isLabelled) {
        plot->setXLabelsShown(isLabelled);
        plot->setMinimumHeight(leastPlotHeight + (isLabelled ? labelsHeight : 0));
    };
    label(m_histogram, !isLinked);
    label(m_sqnr, !isLinked || !showsAll);
    label(m_curve, !isLinked || !showsAll || m_error->isEmpty());
    label(m_error, true);
}

PlotView* CurvesView::currentPlot() const
{
    for (PlotView* plot : std::initializer_list<PlotView*>{m_sqnr, m_curve, m_error})
        if (plot->hasFocus())
            return plot;
    return m_histogram;
}

void CurvesView::showReading()
{
    m_shownView.reset();
    m_sqnrLine = {};
    m_histogram->clear(tr("Reading..."));
    m_sqnr->clear({});
    m_curve->clear({});
    m_error->clear({});
    m_results->refresh();
}

void CurvesView::showView()
{
    const ViewQuery::Shared& view = m_document.questions().reader().shared();
    const PlotDisplay& display = m_document.workbench().display;
    m_histogram->setCountAxis(display.isLogCount ? CountAxis::Log : CountAxis::Linear);
    m_histogram->setQuantity(display.quantity);
    m_stack.setLinked(display.areAxesLinked);
    m_error->setErrorAxis(display.isLogCount ? CountAxis::Log : CountAxis::Linear);
    // A histogram that is set anew loses the user's zoom.
    const bool isAnew = m_shownView != view || m_shownDomain != display.domain;
    if (isAnew) {
        if (const Histogram* histogram = view->profile.histogram({.domain = display.domain}))
            m_histogram->setHistogram(*histogram);
        else
            m_histogram->clear(tr("This tensor has no finite value."));
        m_curve->setDomain(display.domain);
        m_shownView = view;
        m_shownDomain = display.domain;
    }
    m_stack.setLogX(display.isLogX);
    showOutcomes();
    if (isAnew)
        m_zoom->restore();  // marks widen the axis
}

void CurvesView::showOutcomes()
{
    if (!m_document.questions().reader().result() || !isVisible())
        return;
    m_results->refresh();
    m_results->setBaseline(m_document.workbench().baseline);
    m_results->setCurrent(cardsOf(m_document).chosen());
    showMarks();
}

void CurvesView::showMarks()
{
    const protocol::TensorView* view = m_document.questions().reader().result();
    if (!view || !isVisible())
        return;
    const std::vector<OutcomeRow>& rows = m_document.questions().rows();
    const ChartColors& colors = chartColors(palette());
    const OutcomeRow* shown = shownRow();
    std::vector<ThresholdMark> thresholds = thresholdMarks(rows, view->profile.extents(), colors);
    std::vector<CurveMark> curves =
        curveMarks(rows, view->profile, m_document.workbench().display.domain, colors);
    if (shown && (shown->isOpen || !shown->isProposed))
        for (CurveMark& mark : curves)
            mark.emphasised = mark.showsParts = mark.id.toStdString() == shown->candidate.id;
    m_pointed =
        shown && shown->candidate.id == cardsOf(m_document).hovered()
            ? tr("Under the pointer: %1").arg(QString::fromStdString(shown->candidate.label))
            : QString();
    Q_EMIT explained(explanation());
    m_histogram->setThresholds(std::move(thresholds));
    m_manual->show(rows, histogramShown());
    if (curves.empty())
        m_curve->clear(noCurveText(rows));
    else
        m_curve->setCurves(std::move(curves));
    showSqnr();
    showError();
}

void CurvesView::showSqnr()
{
    const ViewQuery::Shared& view = m_document.questions().reader().shared();
    const OutcomeRow* row = shownRow();
    const Extents& extents = view->profile.extents();
    if (!row || extents.finite == 0)
        return m_sqnr->clear(extents.finite == 0 ? tr("This tensor has no finite value.")
                                                 : QString());
    const Scheme scheme = schemeFor(row->candidate.choice.scheme, Range{extents.min, extents.max});
    const ThresholdRatio* line = m_document.questions().sqnrLine(scheme);
    if (!line) {
        m_document.questions().requestSqnrLine(scheme);
        if (m_sqnrLine.view != view)
            m_sqnr->clear({});  // else the former scheme's stays for so long
        return;
    }
    m_sqnrLine = {view, scheme};
    const Domain domain = m_document.workbench().display.domain;
    SqnrMark mark{
        .line = *line,
        .scheme = schemeWords(scheme),
        .domain = domain,
        .dataEnds = {extents.min, extents.max},
        .isAffine = scheme.isAffine(),
        .dots = sqnrDots(m_document.questions().rows(), extents, domain, chartColors(palette()))};
    for (SqnrDot& dot : mark.dots)
        dot.emphasised = dot.id.toStdString() == row->candidate.id;
    m_sqnr->setMark(std::move(mark));
}

const Histogram* CurvesView::histogramShown() const
{
    const protocol::TensorView* view = m_document.questions().reader().result();
    return view ? view->profile.histogram({.domain = m_document.workbench().display.domain})
                : nullptr;
}

void CurvesView::showError()
{
    const OutcomeRow* row = shownRow();
    const Histogram* bins = histogramShown();
    const TensorProfile& profile = m_document.questions().reader().result()->profile;
    const bool hasResult = row && row->hasResult() && bins && profile.extents().finite > 0;
    const bool hasError = hasResult && !row->outcome->isPerChannel();
    if (hasError)
        m_error->setError(errorMark(*row, profile, *bins, chartColors(palette())));
    else if (hasResult)
        m_error->clear(tr("%1 has a scale for each channel. Choose a channel to see the error in "
                          "its bins.")
                           .arg(QString::fromStdString(row->candidate.label)));
    else
        m_error->clear(tr("There is no result whose error could be shown."));
    showLower();
}

/// The card under the pointer, else the proposed one.
const OutcomeRow* CurvesView::shownRow() const
{
    const std::string& shown = cardsOf(m_document).hovered();
    const std::vector<OutcomeRow>& rows = m_document.questions().rows();
    const auto found = std::ranges::find(
        rows, shown, [](const OutcomeRow& row) -> const std::string& { return row.candidate.id; });
    return found == rows.end() ? proposedRow(rows) : &*found;
}

/// Whose candidates the pointer shows: the card that is shown if it searches by divergence, else
/// the first drawn one that has.
const OutcomeRow* CurvesView::ghostRow() const
{
    const auto hasCandidates = [](const OutcomeRow& row) {
        const std::string& id = row.candidate.choice.calibrator;
        return row.isTicked && row.hasResult() && (id == "entropy" || id == "kl-window") &&
               !row.outcome->curve.threshold.empty();
    };
    const OutcomeRow* shown = shownRow();
    if (shown && hasCandidates(*shown))
        return shown;
    const std::vector<OutcomeRow>& rows = m_document.questions().rows();
    const auto found = std::ranges::find_if(rows, hasCandidates);
    return found == rows.end() ? nullptr : &*found;
}

std::optional<EntropyTrial> CurvesView::candidateAt(double x) const
{
    const OutcomeRow* row = ghostRow();
    const protocol::TensorView* view = m_document.questions().reader().result();
    if (!row || !view)
        return std::nullopt;
    const Choice& choice = row->outcome->choice;
    const Extents& extents = view->profile.extents();
    const Scheme scheme = schemeFor(choice.scheme, {extents.min, extents.max});
    const CalibratorInput input{.settings = choice.settings, .scheme = scheme};
    if (choice.calibrator != "kl-window")
        return entropyTrialAt(input, view->profile, std::abs(x));
    const Outcome& outcome = *row->outcome;
    const std::vector<double> places =
        windowPlaces(outcome, view->profile, m_document.workbench().display.domain);
    if (places.empty())
        return windowTrialAt(input, view->profile, std::abs(x));
    const auto nearest =
        std::ranges::min_element(places, {}, [x](double place) { return std::abs(place - x); });
    return windowTrialAt(
        input, view->profile,
        outcome.curve.threshold[static_cast<std::size_t>(nearest - places.begin())]);
}

void CurvesView::showGhost(std::optional<double> x)
{
    const std::optional<EntropyTrial> candidate = x ? candidateAt(*x) : std::nullopt;
    explain(candidate ? ghostText(*candidate) +
                            tr(" Solid: P; dashed: Q, in %1 levels.").arg(candidate->levels)
                      : QString());
    const Histogram* histogram = histogramShown();
    if (!candidate || !histogram)
        return m_histogram->setGhost({});
    const QColor color = candidateStyle(ghostRow()->candidate.id, chartColors(palette())).color;
    m_histogram->setGhost([candidate = *candidate, shape = *histogram,
                           color](QPainter& painter, const PlotFrame& frame) {
        paintGhost(painter, frame, candidate, shape, color);
    });
}

void CurvesView::explain(const QString& text)
{
    m_explanation = text;
    Q_EMIT explained(explanation());
}

/// What the threshold under the pointer clips, and what becomes of the rest.
void CurvesView::showThresholdGhost(std::optional<double> x)
{
    const protocol::TensorView* view = m_document.questions().reader().result();
    const Histogram* histogram = histogramShown();
    if (!x || !view || !histogram || m_sqnr->isEmpty() || *x == 0.0) {
        explain({});
        return m_histogram->setGhost({});
    }
    const Extents& extents = view->profile.extents();
    const Quantizer quantizer =
        quantizerAt(m_sqnrLine.scheme, {extents.min, extents.max}, std::abs(*x));
    const BinnedError error = binnedError(view->profile.sketch, quantizer, *histogram);
    const std::optional<double> db = m_sqnr->shown().lineAt(*x);
    const double clipped = error.total() > 0.0 ? 100.0 * error.allClipping / error.total() : 0.0;
    explain(tr("Threshold %1 (%2): %3, %4 % of the squared error is clipping, %5 % rounding. A "
               "click sets it manually.")
                .arg(valueLabel(std::abs(*x), 5), m_sqnr->shown().mark().scheme,
                     db ? tr("SQNR ≈%1 dB").arg(fixedLabel(*db, 2)) : tr("beyond all values"),
                     valueLabel(clipped, 3), valueLabel(100.0 - clipped, 3)));
    const ThresholdMark mark{
        .label = {}, .color = manualStyle(chartColors(palette())).color, .clip = quantizer.clip};
    m_histogram->setGhost(
        [mark, domain = histogram->spec.domain](QPainter& painter, const PlotFrame& frame) {
            paintClipGhost(painter, frame, mark, domain);
        });
}

void CurvesView::setManualRange(double x)
{
    const std::optional<EntropyTrial> candidate = candidateAt(x);
    if (candidate && candidate->isSigned)
        return edits::setManualRange(
            m_document,
            Range{std::min(candidate->edges.front(), 0.0), std::max(candidate->edges.back(), 0.0)},
            true);
    edits::setManualRange(m_document, candidate ? candidate->threshold : std::abs(x), true);
}

void CurvesView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showMarks();  // in the colours of the new theme
    QWidget::changeEvent(event);
}

}  // namespace calibscope
