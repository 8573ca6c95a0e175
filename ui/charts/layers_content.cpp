// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/layers_content.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/name_parts.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace calibscope {

namespace {

constexpr Range anyDecibels{0.0, 60.0};
constexpr double barShare = 0.36;  // of a layer's room, for each of the two bars
constexpr double widestBar = 30.0;

bool isKnown(const LayerMark& layer)
{
    return layer.output || layer.input || layer.weight;
}

double rootOf(double meanSquare)
{
    return std::isfinite(meanSquare) && meanSquare > 0.0 ? std::sqrt(meanSquare) : 0.0;
}

}  // namespace

void DecibelsContent::paintChosen(QPainter& painter, const PlotFrame& frame) const
{
    if (!m_chosen || *m_chosen >= count())
        return;
    const double place = static_cast<double>(*m_chosen) + 1.0;
    const double left = frame.x.scale.toPixel(place - 0.5);
    const double right = std::max(frame.x.scale.toPixel(place + 0.5), left + 3.0);
    painter.fillRect(
        QRectF(left, frame.area.top(), right - left, frame.area.height()).intersected(frame.area),
        frame.colors.grid);
    for (const double edge : {left, right})
        drawVerticalLine(painter, edge, {frame.area.top(), frame.area.bottom()}, frame.colors.axis,
                         1.0, Qt::SolidLine);
}

std::vector<YAxis> DecibelsContent::decibelAxis(Range range, const QString& title)
{
    if (!(range.high > range.low))
        range = anyDecibels;
    YAxis axis;
    axis.values = {range.low < 0.0 ? range.low - 2.0 : 0.0, range.high + 0.03 * range.width()};
    axis.title = title;
    axis.shorterTitles = {tr("SQNR, dB"), tr("dB")};
    axis.standsOnLow = range.low >= 0.0;
    return {axis};
}

DecibelsPlot::DecibelsPlot(std::unique_ptr<DecibelsContent> content, QWidget* parent)
    : PlotView(std::move(content), parent),
      m_content(static_cast<DecibelsContent&>(PlotView::content()))
{
    connect(this, &PlotView::clicked, this, [this](const QPointF& values) {
        if (const std::optional<std::size_t> part = m_content.placeAt(values.x()))
            Q_EMIT partChosen(*part);
    });
}

void DecibelsPlot::setChosen(std::optional<std::size_t> part)
{
    m_content.setChosen(part);
    refresh(false);
}

void DecibelsPlot::keyPressEvent(QKeyEvent* event)
{
    const std::optional<std::size_t> part =
        neighbourByKey(*event, m_content.chosen(), m_content.count());
    if (!part)
        return PlotView::keyPressEvent(event);
    const Range shown = shownRange();
    const double x = static_cast<double>(*part) + 1.0;
    if (!shown.contains(x))
        showRange({x - shown.width() / 2.0, x + shown.width() / 2.0});
    if (part != m_content.chosen())
        Q_EMIT partChosen(*part);
}

void LayersContent::setLayers(LayersMark mark)
{
    m_mark = std::move(mark);
    m_xTitle = m_mark.xTitle;
    setChosen({});
    m_reason = tr("There is no layer to show.");
    std::vector<std::string> names;
    for (const LayerMark& layer : m_mark.layers)
        names.push_back(layer.name.toStdString());
    const NameParts parts(std::vector<std::string_view>(names.begin(), names.end()));
    for (std::size_t layer = 0; layer < names.size(); ++layer)
        m_mark.layers[layer].needs = parts.needs(names[layer]);
}

void LayersContent::clear()
{
    m_mark = {};
    setChosen({});
}

std::vector<YAxis> LayersContent::yAxes(const PlotRoom&) const
{
    Range range{0.0, -std::numeric_limits<double>::infinity()};
    const auto widen = [&range](const std::optional<double>& db, double beside = 0.0) {
        if (db && std::isfinite(*db))
            range = {std::min(range.low, *db - beside), std::max(range.high, *db + beside)};
    };
    for (const LayerMark& layer : m_mark.layers) {
        widen(layer.output, layer.interval);
        for (const std::optional<double>& db : {layer.ac, layer.input, layer.weight})
            widen(db);
    }
    range.high = std::max(range.high, sqnrLimits().good);
    return decibelAxis(range, tr("SQNR of the output, dB"));
}

std::vector<PlaceName> LayersContent::xNames() const
{
    std::vector<PlaceName> names;
    for (const LayerMark& layer : m_mark.layers)
        names.push_back({static_cast<double>(names.size()) + 1.0, layer.name, layer.needs});
    return names;
}

std::vector<LegendEntry> LayersContent::legend() const
{
    constexpr auto swatch = LegendEntry::Sign::Swatch;
    const QColor& ink = m_mark.inkColor;
    return {
        {.text = tr("both, ± 95 %"), .color = ink, .sign = LegendEntry::Sign::Dot},
        {.text = tr("without channel means (AC)"), .color = ink, .sign = LegendEntry::Sign::Ring},
        {.text = tr("input alone"), .color = m_mark.inputColor, .sign = swatch},
        {.text = tr("weight alone"),
         .color = m_mark.weightColor,
         .sign = swatch,
         .isHatched = true},
        {.text = tr("limit, %1 dB").arg(valueLabel(sqnrLimits().good, 3)),
         .color = sqnrColor(SqnrGrade::Fair, lightChartColors()),
         .style = Qt::DashLine,
         .colorOnDark = sqnrColor(SqnrGrade::Fair, darkChartColors())}};
}

void LayersContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const Places places = placesIn(frame.x.scale.values());
    paintChosen(painter, frame);
    paintBars(painter, frame, places);
    paintLimit(painter, frame);
    paintWhiskers(painter, frame, places);
    paintDots(painter, frame, places);
    paintMissing(painter, frame, places);
}

void LayersContent::paintLimit(QPainter& painter, const PlotFrame& frame)
{
    const double y = std::round(frame.y.front().scale.toPixel(sqnrLimits().good)) + 0.5;
    painter.setPen(QPen(sqnrColor(SqnrGrade::Fair, frame.colors), 1.0, Qt::DashLine));
    painter.drawLine(QPointF(frame.area.left(), y), QPointF(frame.area.right(), y));
}

void LayersContent::paintBars(QPainter& painter, const PlotFrame& frame, const Places& places) const
{
    const double width = std::clamp(std::floor(roomOf(frame) * barShare), 1.0, widestBar);
    const double base =
        frame.y.front().scale.toPixel(std::max(0.0, frame.y.front().scale.values().low));
    const double ratio = deviceRatio(painter);
    const auto barTo = [&](double db, double left) {
        const double end = heightOf(db, frame);
        return QRectF(snapped(left, ratio), std::min(base, end), width, std::abs(end - base));
    };
    for (std::size_t place = places.first; place < places.second; ++place) {
        const LayerMark& layer = m_mark.layers[place];
        const double middle = frame.x.scale.toPixel(static_cast<double>(place) + 1.0);
        if (layer.input)
            painter.fillRect(barTo(*layer.input, middle - width), m_mark.inputColor);
        if (!layer.weight)
            continue;
        const QRectF bar = barTo(*layer.weight, middle);
        if (width < 4.0)
            painter.fillRect(bar, m_mark.weightColor);
        else
            fillHatched(painter, bar, m_mark.weightColor, frame.colors.background);
    }
}

/// A line of the ground's colour on both sides, so that it is seen on the bars.
void LayersContent::paintWhiskers(QPainter& painter, const PlotFrame& frame,
                                  const Places& places) const
{
    const double cap = std::min(dotRadius(frame), roomOf(frame) * 0.4);
    for (std::size_t place = places.first; place < places.second; ++place) {
        const LayerMark& layer = m_mark.layers[place];
        if (!layer.output || !std::isfinite(*layer.output) || !(layer.interval > 0.0))
            continue;
        const double x = frame.x.scale.toPixel(static_cast<double>(place) + 1.0);
        const double top = heightOf(*layer.output + layer.interval, frame);
        const double bottom = heightOf(*layer.output - layer.interval, frame);
        for (const auto& [color, width] :
             {std::pair(frame.colors.background, 3.0), std::pair(frame.colors.text, 1.0)}) {
            painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(x, top), QPointF(x, bottom));
            for (const double end : {top, bottom})
                painter.drawLine(QPointF(x - cap, end), QPointF(x + cap, end));
        }
    }
}

void LayersContent::paintDots(QPainter& painter, const PlotFrame& frame, const Places& places) const
{
    const double radius = dotRadius(frame);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t place = places.first; place < places.second; ++place) {
        const LayerMark& layer = m_mark.layers[place];
        const double x = frame.x.scale.toPixel(static_cast<double>(place) + 1.0);
        if (layer.ac) {
            painter.setBrush(Qt::NoBrush);
            for (const auto& [color, width] :
                 {std::pair(frame.colors.background, 3.0), std::pair(frame.colors.text, 1.3)}) {
                painter.setPen(QPen(color, width));
                painter.drawEllipse(QPointF(x, heightOf(*layer.ac, frame)), radius, radius);
            }
        }
        if (layer.output) {
            const SqnrGrade grade = sqnrGrade(*layer.output);
            painter.setPen(QPen(frame.colors.background, 1.5));
            painter.setBrush(grade == SqnrGrade::Good ? frame.colors.text
                                                      : sqnrColor(grade, frame.colors));
            painter.drawEllipse(QPointF(x, heightOf(*layer.output, frame)), radius, radius);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void LayersContent::paintMissing(QPainter& painter, const PlotFrame& frame,
                                 const Places& places) const
{
    constexpr double arm = 3.0;
    const double y = frame.area.bottom() - arm - 2.0;
    painter.setPen(QPen(frame.colors.faintText, 1.0));
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t place = places.first; place < places.second; ++place) {
        const LayerMark& layer = m_mark.layers[place];
        if (isKnown(layer) || layer.reason.isEmpty())
            continue;
        const double x = frame.x.scale.toPixel(static_cast<double>(place) + 1.0);
        painter.drawLine(QPointF(x - arm, y - arm), QPointF(x + arm, y + arm));
        painter.drawLine(QPointF(x - arm, y + arm), QPointF(x + arm, y - arm));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString LayersContent::factsOf(const LayerMark& layer, const QString& separator) const
{
    if (!isKnown(layer))
        return layer.name + separator +
               (layer.reason.isEmpty() ? tr("not computed yet") : layer.reason);
    QStringList facts{layer.name};
    if (layer.output)
        facts +=
            layer.interval > 0.0 && std::isfinite(*layer.output)
                ? tr("output %1 ± %2 dB").arg(dbLabel(*layer.output), valueLabel(layer.interval, 2))
                : tr("output %1 dB").arg(dbLabel(*layer.output));
    if (layer.ac)
        facts += tr("AC %1 dB").arg(dbLabel(*layer.ac));
    if (layer.input)
        facts += tr("input alone %1 dB").arg(dbLabel(*layer.input));
    if (layer.weight)
        facts += tr("weight alone %1 dB").arg(dbLabel(*layer.weight));
    return facts.join(separator);
}

QString LayersContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::size_t> place = placeAt(x);
    return place ? factsOf(m_mark.layers[*place], QStringLiteral("   ")) : QString();
}

QString LayersContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const std::optional<std::size_t> place = placeAt(frame.x.scale.toValue(point.x()));
    return place ? factsOf(m_mark.layers[*place], QStringLiteral("\n")) : QString();
}

QString LayersContent::sentences() const
{
    const LayerMark* worst = nullptr;
    std::size_t known = 0;
    for (const LayerMark& layer : m_mark.layers) {
        if (!layer.output)
            continue;
        ++known;
        if (!worst || *layer.output < *worst->output)
            worst = &layer;
    }
    QString text = tr("SQNR of the output of %1 of %2 layers.")
                       .arg(countLabel(known), countLabel(m_mark.layers.size()));
    if (worst)
        text += tr(" The lowest is %1 with %2 dB.").arg(worst->name, dbLabel(*worst->output));
    return text;
}

std::optional<PlotTable> LayersContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("layer")},
                                {tr("output dB")},
                                {tr("± dB")},
                                {tr("AC dB")},
                                {tr("input alone dB")},
                                {tr("weight alone dB")}}};
    const auto [first, end] = placesIn(shown);
    for (std::size_t place = first; place < end; ++place) {
        const LayerMark& layer = m_mark.layers[place];
        const bool hasInterval = layer.output && layer.interval > 0.0;
        if (shown.contains(static_cast<double>(place) + 1.0))
            table.addRow(layer.name, orNan(layer.output),
                         hasInterval ? layer.interval : orNan(std::nullopt), orNan(layer.ac),
                         orNan(layer.input), orNan(layer.weight));
    }
    return table;
}

void LayersPlot::setLayers(LayersMark mark)
{
    const bool isOther = mark.layers.size() != shown().count();
    shown().setLayers(std::move(mark));
    update(isOther);
}

std::vector<YAxis> LayerChannelsContent::yAxes(const PlotRoom&) const
{
    double most = 0.0;
    for (std::size_t channel = 0; channel < m_mark.channels.size(); ++channel) {
        most = std::max(most, rootOf(m_mark.channels.noise[channel]));
        if (const double mean = std::abs(m_mark.channels.meanError[channel]); std::isfinite(mean))
            most = std::max(most, mean);
    }
    if (!(most > 0.0))
        most = 1.0;
    YAxis axis;
    axis.values = {-1.05 * most, 1.05 * most};
    axis.title = tr("error of the output");
    axis.shorterTitles = {tr("error")};
    return {axis};
}

std::vector<LegendEntry> LayerChannelsContent::legend() const
{
    constexpr auto swatch = LegendEntry::Sign::Swatch;
    return {{.text = tr("mean error"), .color = m_mark.meanColor, .sign = swatch},
            {.text = tr("± root mean square"), .color = m_mark.spreadColor, .sign = swatch}};
}

void LayerChannelsContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& y = frame.y.front().scale;
    const double ratio = deviceRatio(painter);
    const double zero = y.toPixel(0.0);
    const double room = frame.area.width() / frame.x.scale.values().width();
    const auto [first, end] = placesIn(frame.x.scale.values());
    const double width = std::max(room * 0.7, 1.0 / ratio);
    const auto column = [&](std::size_t channel, double from, double to, double share) {
        const double left = frame.x.scale.toPixel(static_cast<double>(channel)) - share * width / 2;
        const QRectF rect(QPointF(snapped(left, ratio), std::min(from, to)),
                          QSizeF(share * width, std::max(std::abs(to - from), 1.0 / ratio)));
        return rect.intersected(frame.area);
    };
    for (std::size_t channel = first; channel < end; ++channel) {
        const double root = rootOf(m_mark.channels.noise[channel]);
        painter.fillRect(column(channel, y.toPixel(-root), y.toPixel(root), 1.0),
                         m_mark.spreadColor);
    }
    for (std::size_t channel = first; channel < end; ++channel)
        if (const double mean = m_mark.channels.meanError[channel]; std::isfinite(mean))
            painter.fillRect(column(channel, zero, y.toPixel(mean), room > 4.0 ? 0.6 : 1.0),
                             m_mark.meanColor);
    painter.fillRect(
        QRectF(frame.area.left(), snapped(zero, ratio), frame.area.width(), 1.0 / ratio),
        frame.colors.text);
}

QString LayerChannelsContent::readout(double x, const PlotFrame&) const
{
    const LayerChannels& channels = m_mark.channels;
    const std::optional<std::size_t> place = placeAt(x);
    if (!place)
        return {};
    const std::size_t channel = *place;
    QString text = tr("channel %1   mean error %2   root mean square %3")
                       .arg(channel)
                       .arg(valueLabel(channels.meanError[channel]),
                            valueLabel(rootOf(channels.noise[channel])));
    if (channels.isDead[channel])
        return text + tr("   no signal");
    return text + tr("   correcting it gains %1 dB").arg(valueLabel(channels.gainDb[channel], 3));
}

QString LayerChannelsContent::sentences() const
{
    const LayerChannels& channels = m_mark.channels;
    const auto largest = std::ranges::max_element(channels.meanError, {}, [](double error) {
        return std::isfinite(error) ? std::abs(error) : 0.0;
    });
    return tr("Mean error of %1 output channels; the largest is %2 in channel %3.")
        .arg(countLabel(channels.size()), valueLabel(*largest))
        .arg(largest - channels.meanError.begin());
}

std::optional<PlotTable> LayerChannelsContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("channel")},
                                {tr("mean error")},
                                {tr("root mean square error")},
                                {tr("root mean square output")},
                                {tr("gain of correcting dB")}}};
    const LayerChannels& channels = m_mark.channels;
    const auto [first, end] = placesIn(shown);
    for (std::size_t channel = first; channel < end; ++channel)
        table.addRow(std::uint64_t{channel}, channels.meanError[channel],
                     rootOf(channels.noise[channel]), rootOf(channels.signal[channel]),
                     channels.gainDb[channel]);
    return table;
}

}  // namespace calibscope
