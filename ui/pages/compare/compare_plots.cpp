// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_plots.h"

#include "ui/plot/number_label.h"

#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

const Histogram* histogramOf(const protocol::TensorView& view, Domain domain)
{
    const Histogram* histogram = view.profile.histogram({.domain = domain});
    return histogram && view.profile.extents().finite > 0 ? histogram : nullptr;
}

bool hasClip(const Outcome& outcome)
{
    return outcome.problem.empty() && !outcome.isPerChannel();
}

/// What is said where neither recording has a histogram.
QString sameValueText(const protocol::TensorView& a, const protocol::TensorView& b)
{
    const Extents& ofA = a.profile.extents();
    const Extents& ofB = b.profile.extents();
    if (ofA.finite == 0 && ofB.finite == 0)
        return ComparePlots::tr("Neither recording has a finite value.");
    if (ofA.finite == 0 || ofB.finite == 0)
        return ofA.finite == 0 ? ComparePlots::tr("A has no finite value, B has %1.")
                                     .arg(countLabel(ofB.finite))
                               : ComparePlots::tr("B has no finite value, A has %1.")
                                     .arg(countLabel(ofA.finite));
    return ComparePlots::tr("All values of A are %1, all of B are %2.")
        .arg(valueLabel(ofA.min, 6), valueLabel(ofB.min, 6));
}

}  // namespace

ComparePlots::ComparePlots(QWidget* parent)
    : PlotSplitter(Qt::Vertical, parent),
      m_upper(new QStackedWidget(this)),
      m_overlay(new ContentPlot<SharesContent>(m_upper)),
      m_sides(new PlotSplitter(Qt::Horizontal, m_upper)),
      m_sideA(new HistogramPlot(m_sides)),
      m_sideB(new HistogramPlot(m_sides)),
      m_difference(new ContentPlot<ChangeContent>(m_upper)),
      m_lower(new ContentPlot<ChangeContent>(this))
{
    for (QWidget* page : std::initializer_list<QWidget*>{m_overlay, m_sides, m_difference})
        m_upper->addWidget(page);
    addWidget(m_upper);
    addWidget(m_lower);
    setUsualShares({3, 2});
    m_sides->setUsualShares({1, 1});
    m_overlay->setTitle(tr("A and B"));
    m_sideA->setTitle(tr("A"));
    m_sideB->setTitle(tr("B"));
    m_difference->setTitle(tr("B − A"));
    for (PlotView* plot : plots()) {
        if (plot != m_overlay)
            m_overlay->linkX(*plot);
        connect(plot, &PlotView::readoutChanged, this, &ComparePlots::readoutChanged);
    }
    clear({});
}

std::vector<PlotView*> ComparePlots::plots() const
{
    return {m_overlay, m_sideA, m_sideB, m_difference, m_lower};
}

PlotView* ComparePlots::currentPlot() const
{
    for (PlotView* plot : plots())
        if (plot->hasFocus() && plot->isVisible())
            return plot;
    if (m_upper->currentWidget() == m_sides)
        return m_sideA->isHidden() ? m_sideB : m_sideA;
    return m_upper->currentWidget() == m_difference ? static_cast<PlotView*>(m_difference)
                                                    : m_overlay;
}

/// What is not on screen would widen the axis that all share.
void ComparePlots::clearAll(const QString& reason)
{
    m_overlay->shown().setEmpty(reason);
    m_difference->shown().setEmpty(reason);
    m_lower->shown().setEmpty({});
    if (std::exchange(m_areSidesFilled, false)) {
        m_sideA->clear(reason);
        m_sideB->clear(reason);
    }
}

void ComparePlots::clear(const QString& reason)
{
    m_shown.clear();
    clearAll(reason);
    m_upper->setCurrentWidget(m_overlay);
    m_lower->hide();
    m_overlay->setXLabelsShown(true);
    for (PlotView* plot : {static_cast<PlotView*>(m_overlay), static_cast<PlotView*>(m_lower)})
        plot->update();
    m_overlay->update(true);
}

bool ComparePlots::show(const PairReader::Found& found, const Look& look)
{
    const PlotZoom before = m_overlay->zoom();
    std::string shown = look.display.domain == Domain::Magnitude ? "|x|" : "x";
    for (const std::optional<protocol::TensorView>* view : {&found.a, &found.b})
        shown += ' ' + (*view ? (*view)->profile.info.path : std::string());
    m_isAnew = shown != m_shown;
    clearAll({});
    if (found.a && found.b)
        showBoth(found, look);
    else if (found.a)
        showOne(*found.a, ComparedSide::A, look);
    else if (found.b)
        showOne(*found.b, ComparedSide::B, look);
    m_overlay->setLogX(look.display.isLogX);
    m_shown = shown;
    m_overlay->update(m_isAnew);
    m_difference->update(m_isAnew);
    m_lower->update(m_isAnew);
    if (!m_isAnew)
        m_overlay->setZoom(before);
    return m_isAnew;
}

void ComparePlots::showOne(const protocol::TensorView& view, ComparedSide recording,
                           const Look& look)
{
    m_upper->setCurrentWidget(m_sides);
    m_lower->hide();
    m_sideA->setVisible(recording == ComparedSide::A);
    m_sideB->setVisible(recording == ComparedSide::B);
    fillSide(recording == ComparedSide::A ? *m_sideA : *m_sideB, view, look, {});
}

void ComparePlots::fillSide(HistogramPlot& plot, const protocol::TensorView& view, const Look& look,
                            std::vector<ThresholdMark> thresholds)
{
    plot.setCountAxis(look.display.isLogCount ? CountAxis::Log : CountAxis::Linear);
    plot.setQuantity(look.display.quantity);
    plot.setThresholds(std::move(thresholds));
    plot.setXLabelsShown(true);
    m_areSidesFilled = true;
    if (const Histogram* histogram = histogramOf(view, look.display.domain))
        plot.setHistogram(*histogram,
                          m_isAnew ? HistogramPlot::Zoom::ShowAll : HistogramPlot::Zoom::Keep);
    else
        plot.clear(tr("There is no finite value."));
}

void ComparePlots::showBoth(const PairReader::Found& found, const Look& look)
{
    const Domain domain = look.display.domain;
    const Histogram* a = histogramOf(*found.a, domain);
    const Histogram* b = histogramOf(*found.b, domain);
    SharesMark mark{.shares = {},
                    .domain = domain,
                    .leastShare = 0.0,
                    .colorOfA = recordingStyle(ComparedSide::A, chartColors(palette())).color,
                    .colorOfB = recordingStyle(ComparedSide::B, chartColors(palette())).color};
    if (a && b) {
        mark.shares = sharesInCommonBins(*a, *b);
        mark.leastShare = 1.0 / static_cast<double>(std::max(a->total(), b->total()));
    }
    if (look.mode == CompareMode::SideBySide)
        showSides(found, look);
    if (mark.shares.bins() == 0) {
        const QString reason = sameValueText(*found.a, *found.b);
        m_overlay->shown().setEmpty(reason);
        m_difference->shown().setEmpty(reason);
        m_lower->hide();
        if (look.mode != CompareMode::SideBySide)
            m_upper->setCurrentWidget(m_overlay);
        return;
    }
    showShares(std::move(mark), found, look);
}

void ComparePlots::showSides(const PairReader::Found& found, const Look& look)
{
    m_upper->setCurrentWidget(m_sides);
    m_sideA->show();
    m_sideB->show();
    fillSide(*m_sideA, *found.a, look, thresholds(found, look, ComparedSide::A));
    fillSide(*m_sideB, *found.b, look, thresholds(found, look, ComparedSide::B));
}

void ComparePlots::showShares(SharesMark mark, const PairReader::Found& found, const Look& look)
{
    const bool isDifference = look.mode == CompareMode::Difference;
    const ChartColors& colors = chartColors(palette());
    m_lower->show();
    // A difference is stated where it is large, a ratio also in the tail.
    m_lower->shown().setKind(isDifference || look.display.isLogCount
                                 ? ChangeContent::Kind::Ratio
                                 : ChangeContent::Kind::Difference);
    m_lower->shown().setSaysBins(look.mode == CompareMode::SideBySide);
    m_lower->shown().setShares(mark);
    if (look.mode == CompareMode::SideBySide)
        return;
    if (isDifference) {
        m_upper->setCurrentWidget(m_difference);
        m_difference->setXLabelsShown(false);
        m_difference->shown().setKind(ChangeContent::Kind::Difference);
        m_difference->shown().setShares(std::move(mark));
        return;
    }
    m_upper->setCurrentWidget(m_overlay);
    m_overlay->setXLabelsShown(false);
    mark.colorOfA = colors.fill;
    m_overlay->shown().setAxis(look.display.isLogCount ? CountAxis::Log : CountAxis::Linear);
    m_overlay->shown().setThresholds(thresholds(found, look));
    m_overlay->shown().setShares(std::move(mark));
}

/// That of `own` first and emphasised: it lies over the other one, and has room for its label. One
/// of both where they read alike.
std::vector<ThresholdMark> ComparePlots::thresholds(const PairReader::Found& found,
                                                    const Look& look,
                                                    std::optional<ComparedSide> own) const
{
    const auto place = std::ranges::find(found.candidates, look.standing.id, &CandidateName::id);
    if (!found.both || place == found.candidates.end())
        return {};
    const auto index = static_cast<std::size_t>(place - found.candidates.begin());
    if (index >= found.both->comparison.choices.size())
        return {};
    const ChoiceComparison& comparison = found.both->comparison.choices[index];
    const QString name = QString::fromStdString(look.standing.label);
    std::vector<ThresholdMark> marks;
    const auto add = [&](ComparedSide side, const Outcome& outcome, const QString& label) {
        const SeriesStyle style = recordingStyle(side, chartColors(palette()));
        if (hasClip(outcome))
            marks.push_back({.label = label.arg(name),
                             .color = style.color,
                             .style = style.pen,
                             .clip = outcome.whole.quantizer.clip,
                             .emphasised = side == own,
                             .step = outcome.whole.quantizer.scale});
    };
    add(ComparedSide::A, comparison.a, tr("%1, A"));
    add(ComparedSide::B, comparison.b, tr("%1, B"));
    if (own == ComparedSide::B)
        std::ranges::reverse(marks);
    const auto valueOf = [](const ThresholdMark& mark) {
        return valueLabel(mark.clip.low) + u' ' + valueLabel(mark.clip.high);
    };
    if (marks.size() == 2 && valueOf(marks[0]) == valueOf(marks[1])) {
        marks.pop_back();
        marks.front().label = tr("%1, A and B").arg(name);
    }
    return marks;
}

}  // namespace calibscope
