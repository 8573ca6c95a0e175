// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/error_content.h"

#include "ui/charts/threshold_layer.h"
#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double shownDecades = 5.0;  // of a logarithmic axis: what is less looks like nothing

QString shareLabel(double part, double whole)
{
    return whole > 0.0 ? valueLabel(100.0 * part / whole, 3) + QStringLiteral(" %") : QString();
}

}  // namespace

void ErrorContent::setError(ErrorMark mark)
{
    m_mark = std::move(mark);
    const BinnedError& error = m_mark.error;
    m_isEmpty = !(error.total() > 0.0) || !(error.range.low < error.range.high);
    if (error.count == 0)
        m_reason = tr("There is no finite value.");
    else if (error.total() > 0.0)
        m_reason = tr("All values are equal; their squared error under %1 is ≈%2.")
                       .arg(m_mark.label, valueLabel(error.mean()));
    else
        m_reason = tr("%1 causes no error: every value is a quantization level.").arg(m_mark.label);
}

void ErrorContent::clear()
{
    m_mark = {};
    m_isEmpty = true;
}

double ErrorContent::edge(std::size_t bin) const
{
    const Range& range = m_mark.error.range;
    return range.low + static_cast<double>(bin) / static_cast<double>(bins()) * range.width();
}

ErrorContent::Split ErrorContent::binSplit(std::size_t bin) const
{
    return {m_mark.error.rounding[bin], m_mark.error.clipping[bin]};
}

ErrorContent::Split ErrorContent::largest(std::size_t first, std::size_t end) const
{
    Split most;
    for (std::size_t bin = first; bin < end; ++bin)
        if (const Split split = binSplit(bin); split.total() > most.total())
            most = split;
    return most;
}

XAxis ErrorContent::xAxis() const
{
    std::size_t first = 0;
    std::size_t end = bins();
    while (first + 1 < end && binSplit(first).total() == 0.0)
        ++first;
    while (end > first + 1 && binSplit(end - 1).total() == 0.0)
        --end;
    const BinnedError& error = m_mark.error;
    const double low = error.domain == Domain::Magnitude ? 0.0 : edge(first);
    // What lies in the first bin from 0 on has no other place; the histogram knows better.
    return {.all = {low, edge(end)},
            .title = valueTitle(error.domain),
            .log = positiveLog(error.range.low, edge(1)),
            .linearOnly = negativeText()};
}

std::vector<YAxis> ErrorContent::yAxes(const PlotRoom& room) const
{
    const AxisScale& x = room.x;
    const double length = x.pixelOfHigh() - x.pixelOfLow();
    const PixelColumns columns{.left = x.pixelOfLow(), .width = length / 64.0, .count = 64};
    double most = 0.0;
    for (const BinSpan& span : columnBins(m_mark.error.range, bins(), x, columns))
        most = std::max(most, largest(span.first, span.end).total());
    YAxis request;
    request.title = tr("squared error per bin");
    request.shorterTitles = {tr("error² per bin"), tr("error²")};
    request.standsOnLow = true;
    request.freePixels = 4.0;
    if (!(most > 0.0))
        most = largest(0, bins()).total();
    request.values = {0.0, most};
    if (m_axis == CountAxis::Log) {
        const double floor = std::pow(10.0, std::floor(std::log10(most) - shownDecades));
        request.kind = ScaleKind::Log;
        request.values = {floor, most};
        request.zeroAt = floor;
    }
    return {request};
}

std::vector<LegendEntry> ErrorContent::legend() const
{
    const BinnedError& error = m_mark.error;
    const double count = static_cast<double>(error.count);
    const auto entry = [&](const QString& what, double sum, const QColor& color, bool isHatched) {
        const QString share = shareLabel(sum, error.total());
        return LegendEntry{.text = tr("%1  MSE ≈%2 (%3)").arg(what, valueLabel(sum / count), share),
                           .color = color,
                           .sign = LegendEntry::Sign::Swatch,
                           .isHatched = isHatched,
                           .brief = what + u' ' + share};
    };
    return {entry(tr("rounding"), error.allRounding, m_mark.roundingColor, false),
            entry(tr("clipping"), error.allClipping, m_mark.clippingColor, true)};
}

void ErrorContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const double ratio = deviceRatio(painter);
    const double left = snapped(frame.area.left(), ratio);
    const PixelColumns columns{.left = left,
                               .width = 1.0 / ratio,
                               .count = static_cast<int>(std::ceil(frame.area.width() * ratio))};
    const auto spans = columnBins(m_mark.error.range, bins(), frame.x.scale, columns);
    const AxisScale& y = frame.y.front().scale;
    const double bottom = frame.area.bottom();
    const auto topOf = [&](double value) {
        return value > 0.0 ? std::min(snapped(y.toPixel(value), ratio), bottom - 1.0 / ratio)
                           : bottom;
    };
    std::size_t column = 0;
    while (column < spans.size()) {
        const Split split = largest(spans[column].first, spans[column].end);
        std::size_t end = column + 1;
        while (end < spans.size() && largest(spans[end].first, spans[end].end) == split)
            ++end;
        const double x = left + static_cast<double>(column) / ratio;
        const double width = static_cast<double>(end - column) / ratio;
        const double roundingTop = topOf(split.rounding);
        const double top = topOf(split.total());
        if (split.rounding > 0.0)
            painter.fillRect(QRectF(x, roundingTop, width, bottom - roundingTop),
                             m_mark.roundingColor);
        if (split.clipping > 0.0) {
            const QRectF part(x, top, width, std::max(roundingTop - top, 1.0 / ratio));
            fillHatched(painter, part, m_mark.clippingColor, frame.colors.background);
        }
        column = end;
    }
    const ThresholdMark mark{.label = {}, .color = frame.colors.crosshair, .clip = m_mark.clip};
    for (const double place : markPlaces(mark, m_mark.error.domain))
        if (frame.x.scale.values().contains(place))
            drawVerticalLine(painter, frame.x.scale.toPixel(place),
                             {frame.area.top(), frame.area.bottom()}, mark.color, 1.0,
                             Qt::SolidLine);
}

QString ErrorContent::readout(double x, const PlotFrame&) const
{
    const Range& range = m_mark.error.range;
    if (!range.contains(x))
        return xTitle() + u' ' + valueLabel(x) + tr("   no value here");
    const double share = (x - range.low) / range.width();
    const auto bin =
        std::min(static_cast<std::size_t>(share * static_cast<double>(bins())), bins() - 1);
    const Split split = binSplit(bin);
    return tr("%1 from %2 to %3   squared error ≈%4 (%5 of all)   rounding ≈%6   clipping ≈%7")
        .arg(xTitle(), valueLabel(edge(bin), 5), valueLabel(edge(bin + 1), 5),
             valueLabel(split.total()), shareLabel(split.total(), m_mark.error.total()),
             valueLabel(split.rounding), valueLabel(split.clipping));
}

QString ErrorContent::sentences() const
{
    const BinnedError& error = m_mark.error;
    return tr("Squared error by bin under %1: MSE ≈%2, of which %3 rounding and %4 clipping.")
        .arg(m_mark.label, valueLabel(error.mean()), shareLabel(error.allRounding, error.total()),
             shareLabel(error.allClipping, error.total()));
}

std::optional<PlotTable> ErrorContent::table(const Range& shown) const
{
    return binTable([this](std::size_t bin) { return edge(bin); }, shown,
                    {{tr("squared error of rounding, estimated"), m_mark.error.rounding},
                     {tr("squared error of clipping, estimated"), m_mark.error.clipping}});
}

}  // namespace calibscope
