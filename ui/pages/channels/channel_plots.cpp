// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels/channel_plots.h"

#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"

#include <QGuiApplication>
#include <QStackedWidget>

#include <algorithm>
#include <bit>
#include <utility>

namespace calibscope {

namespace {

bool sharesBins(const Histogram& one, const Histogram& other)
{
    return one.low == other.low && one.high == other.high &&
           one.counts.size() == other.counts.size();
}

Histogram inBins(const Histogram& fine, const Range& range, std::size_t bins)
{
    Histogram coarse{.spec = fine.spec,
                     .low = range.low,
                     .high = range.high,
                     .counts = std::vector<std::uint64_t>(bins),
                     .notes = {}};
    coarse.spec.bins = static_cast<int>(bins);
    for (std::size_t bin = 0; bin < fine.counts.size(); ++bin)
        coarse.counts[coarse.binOf(fine.centre(bin))] += fine.counts[bin];
    return coarse;
}

}  // namespace

std::vector<Histogram> inEqualBins(std::vector<Histogram> histograms, std::size_t bins)
{
    if (histograms.empty() || std::ranges::all_of(histograms, [&](const Histogram& histogram) {
            return sharesBins(histogram, histograms.front());
        }))
        return histograms;
    Range range = histograms.front().range();
    for (const Histogram& histogram : histograms)
        range = {std::min(range.low, histogram.low), std::max(range.high, histogram.high)};
    if (!(range.low < range.high))
        return histograms;
    for (Histogram& histogram : histograms)
        histogram = inBins(histogram, range, bins);
    return histograms;
}

std::size_t binsToOutline(const std::vector<Histogram>& histograms)
{
    constexpr std::uint64_t fewest = 32;
    constexpr std::uint64_t most = 256;
    constexpr std::uint64_t valuesPerBin = 4;
    std::uint64_t least = most * valuesPerBin;
    for (const Histogram& histogram : histograms)
        least = std::min(least, histogram.total());
    return std::bit_floor(std::clamp(least / valuesPerBin, fewest, most));
}

namespace {

constexpr std::size_t mostOutlines = 7;  // more could not be distinguished

}  // namespace

ChannelPlots::ChannelPlots(QWidget* parent)
    : PlotSplitter(Qt::Vertical, parent),
      m_scales(new ContentPlot<ScaleRowsContent>(this)),
      m_heat(new ContentPlot<ChannelHeatContent>(this)),
      m_stack(new QStackedWidget(this)),
      m_histogram(new HistogramPlot(m_stack)),
      m_outlines(new ContentPlot<ChannelOutlinesContent>(m_stack))
{
    m_stack->addWidget(m_histogram);
    m_stack->addWidget(m_outlines);
    setUsualShares({5, 5, 4});
    m_scales->setXLabelsShown(false);
    m_scales->linkX(*m_heat);
    connectPlot(*m_scales);
    connectPlot(*m_heat);
    connect(m_histogram, &PlotView::readoutChanged, this, &ChannelPlots::readoutChanged);
    connect(m_outlines, &PlotView::readoutChanged, this, &ChannelPlots::readoutChanged);
    setColors();
}

void ChannelPlots::connectPlot(PlotView& plot)
{
    connect(&plot, &PlotView::readoutChanged, this, &ChannelPlots::readoutChanged);
    connect(&plot, &PlotView::hovered, this, [this](std::optional<double> x) {
        Q_EMIT hovered(x ? m_scales->shown().channelAt(*x) : std::nullopt);
    });
    connect(&plot, &PlotView::clicked, this, [this](const QPointF& values) {
        const bool isAdded = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        if (const auto channel = m_scales->shown().channelAt(values.x()))
            Q_EMIT clicked(*channel, isAdded);
    });
}

void ChannelPlots::setScales(ScaleRowsMark mark)
{
    const bool isReordered = m_order != mark.order;
    m_order = mark.order;
    m_xTitle = mark.xTitle;
    m_scales->shown().setRows(std::move(mark));
    m_scales->shown().setChosen(chosenMarks());
    m_scales->update(isReordered);
    if (isReordered && m_strip)
        setStrip(&*std::as_const(m_strip), m_domain, {});
}

void ChannelPlots::clearScales(const QString& reason)
{
    m_order.clear();
    m_scales->shown().setEmpty(reason);
    m_scales->update(true);
}

void ChannelPlots::setStrip(const Strip* strip, Domain domain, const QString& problem)
{
    m_problem = strip ? QString() : problem;
    m_scales->setXLabelsShown(!m_problem.isEmpty());
    if (!strip) {
        m_strip.reset();
        m_full.clear();
        m_heat->shown().setEmpty(problem.isEmpty() ? tr("Counting the values of each channel…")
                                                   : problem);
    } else {
        if (!m_strip || strip != &*m_strip)
            m_strip = *strip;
        m_domain = domain;
        if (m_order.size() == m_strip->rows)
            m_heat->shown().setStrip(*m_strip, domain, m_order, m_xTitle);
        m_heat->shown().setChosen(chosenMarks());
    }
    m_heat->update(true);
    m_shownOne.reset();
    showHistograms();
}

void ChannelPlots::setTensorClip(std::optional<Range> clip)
{
    m_heat->shown().setTensorClip(clip);
    m_heat->update(false);
}

void ChannelPlots::setChosen(const std::vector<std::size_t>& channels, bool isFarthestFirst)
{
    m_chosen = channels;
    m_isFarthestFirst = isFarthestFirst;
    m_scales->shown().setChosen(chosenMarks());
    m_scales->update(false);
    m_heat->shown().setChosen(chosenMarks());
    m_heat->update(false);
    showHistograms();
}

void ChannelPlots::setUsual(std::optional<std::size_t> channel)
{
    m_usual.clear();
    if (channel)
        m_usual.push_back(*channel);
    m_shownOne.reset();
    showHistograms();
}

void ChannelPlots::setHovered(std::optional<std::size_t> channel)
{
    m_hovered.clear();
    if (channel)
        m_hovered.push_back(*channel);
    showHistograms();
}

void ChannelPlots::setHistogram(std::size_t channel, const Histogram& histogram)
{
    std::erase_if(m_full, [this](const auto& known) {
        return std::ranges::count(m_chosen, known.first) == 0 &&
               std::ranges::count(m_usual, known.first) == 0;
    });
    m_full[channel] = histogram;
    m_shownOne.reset();
    showHistograms();
}

void ChannelPlots::setMarks(Marks marks)
{
    m_marks = std::move(marks);
    m_shownOne.reset();
    showHistograms();
}

void ChannelPlots::setCountAxis(CountAxis axis)
{
    m_histogram->setCountAxis(axis);
    m_outlines->shown().setCountAxis(axis);
    m_outlines->update(false);
}

const std::vector<std::size_t>& ChannelPlots::shownChannels() const
{
    if (m_hovered.empty() && m_chosen.empty())
        return m_usual;
    return m_hovered.empty() ? m_chosen : m_hovered;
}

PlotView* ChannelPlots::currentPlot() const
{
    for (PlotView* plot : std::initializer_list<PlotView*>{m_heat, m_histogram, m_outlines})
        if (plot->isVisible() && (plot->hasFocus() || plot->underMouse()))
            return plot;
    return m_scales;
}

std::vector<std::size_t> ChannelPlots::drawnChannels() const
{
    std::vector<std::size_t> channels = shownChannels();
    channels.resize(std::min(channels.size(), mostOutlines));
    return channels;
}

const Histogram* ChannelPlots::fullHistogramOf(std::size_t channel) const
{
    const auto known = m_full.find(channel);
    return known != m_full.end() && known->second.spec.domain == m_domain ? &known->second
                                                                          : nullptr;
}

std::optional<Histogram> ChannelPlots::stripHistogramOf(std::size_t channel) const
{
    if (!m_strip || channel >= m_strip->rows)
        return std::nullopt;
    const std::span<const std::uint64_t> row = m_strip->row(channel);
    return Histogram{.spec = {.bins = static_cast<int>(row.size()), .domain = m_domain},
                     .low = m_strip->range.low,
                     .high = m_strip->range.high,
                     .counts = {row.begin(), row.end()},
                     .notes = {}};
}

void ChannelPlots::showHistograms()
{
    const std::vector<std::size_t>& channels = shownChannels();
    if (channels.size() == 1)
        return showOne(channels.front());
    m_shownOne.reset();
    if (channels.empty()) {
        m_histogram->setTitle({});
        m_histogram->setThresholds({});
        m_histogram->clear(m_strip ? tr("Point at a channel to see its histogram. Click to select "
                                        "it, Shift+click to compare several.")
                                   : m_problem);
        m_stack->setCurrentWidget(m_histogram);
        return;
    }
    showSeveral();
}

void ChannelPlots::showOne(std::size_t channel)
{
    if (m_shownOne == channel)
        return;
    m_shownOne = channel;
    m_stack->setCurrentWidget(m_histogram);
    const bool isUsual = m_hovered.empty() && m_chosen.empty();
    m_histogram->setTitle(tr("channel %1").arg(channel),
                          isUsual ? tr("farthest live channel") : QString());
    const Histogram* full = fullHistogramOf(channel);
    const std::optional<Histogram> row = full ? std::nullopt : stripHistogramOf(channel);
    if (full || row) {
        m_histogram->setHistogram(full ? *full : *row);
        m_histogram->setThresholds(m_marks ? m_marks(channel) : std::vector<ThresholdMark>{});
    } else {
        m_histogram->setThresholds({});
        m_histogram->clear(m_problem);
    }
}

/// All in the same bins, or counts would say nothing: in full once all of them were read.
std::vector<Histogram> ChannelPlots::drawnHistograms() const
{
    std::vector<Histogram> full;
    std::vector<Histogram> rows;
    for (const std::size_t channel : drawnChannels()) {
        if (const Histogram* histogram = fullHistogramOf(channel))
            full.push_back(*histogram);
        if (std::optional<Histogram> row = stripHistogramOf(channel))
            rows.push_back(*std::move(row));
    }
    if (full.size() < drawnChannels().size())
        return rows;
    const std::size_t bins = binsToOutline(full);
    return inEqualBins(std::move(full), bins);
}

void ChannelPlots::showSeveral()
{
    std::vector<Histogram> histograms = drawnHistograms();
    const QString title = tr("%1 channels").arg(countLabel(m_chosen.size()));
    if (histograms.empty() && !m_problem.isEmpty()) {
        m_histogram->setTitle(title);
        m_histogram->setThresholds({});
        m_histogram->clear(m_problem);
        m_stack->setCurrentWidget(m_histogram);
        return;
    }
    std::vector<OutlineMark> outlines;
    for (std::size_t place = 0; place < histograms.size(); ++place)
        outlines.push_back(
            {.label = tr("channel %1").arg(m_chosen[place]),
             .color = colorOf(place),
             .style = seriesStyle(static_cast<int>(place), chartColors(palette())).pen,
             .histogram = std::move(histograms[place])});
    const std::size_t left = m_chosen.size() - outlines.size();
    const QString some =
        m_isFarthestFirst ? tr("the %1 farthest from the median") : tr("the first %1 of them");
    m_outlines->setTitle(title, left > 0 ? some.arg(outlines.size()) : QString());
    m_outlines->shown().setOutlines(std::move(outlines));
    m_outlines->update(true);
    m_stack->setCurrentWidget(m_outlines);
}

QColor ChannelPlots::colorOf(std::size_t place) const
{
    return seriesStyle(static_cast<int>(place), chartColors(palette())).color;
}

std::vector<ChosenChannel> ChannelPlots::chosenMarks() const
{
    std::vector<ChosenChannel> marks;
    for (std::size_t place = 0; place < m_chosen.size(); ++place)
        marks.push_back({.channel = m_chosen[place],
                         .color = place < mostOutlines && m_chosen.size() > 1
                                      ? colorOf(place)
                                      : chartColors(palette()).text});
    return marks;
}

void ChannelPlots::setColors()
{
    setChosen(std::vector(m_chosen), m_isFarthestFirst);
}

}  // namespace calibscope
