#include "ui/charts/change_content.h"

#include "ui/charts/column_bins.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double leastRatioShown = 2.0;
constexpr double mostRatioShown = 1e4;
constexpr int sampleColumns = 256;  // enough to find the axis' ends

}  // namespace

std::vector<ChangeContent::Change> ChangeContent::changes(const AxisScale& x, double left,
                                                          double width, int count) const
{
    std::vector<Change> all;
    for (const BinSpan& span : columnBins(shares().range, shares().bins(), x,
                                          {.left = left, .width = width, .count = count})) {
        Change change;
        for (std::size_t bin = span.first; bin < span.end; ++bin) {
            change.a += shares().a[bin];
            change.b += shares().b[bin];
            if (const double difference = shares().b[bin] - shares().a[bin];
                std::abs(difference) > std::abs(change.largest))
                change.largest = difference;
        }
        all.push_back(change);
    }
    return all;
}

/// The ratio at the ends of the axis: as far as both have values.
double ChangeContent::ratioLimit(const AxisScale& x) const
{
    const double length = x.pixelOfHigh() - x.pixelOfLow();
    double limit = leastRatioShown;
    for (const Change& change : changes(x, x.pixelOfLow(), length / sampleColumns, sampleColumns))
        if (change.a > 0.0 && change.b > 0.0)
            limit = std::max({limit, change.b / change.a, change.a / change.b});
    return std::min(limit * 1.3, mostRatioShown);
}

std::vector<AxisWish> ChangeContent::yAxes(const AxisScale& x, const QSizeF&,
                                           const QFontMetricsF&) const
{
    AxisWish request;
    if (m_kind == Kind::Ratio) {
        const double limit = ratioLimit(x);
        request.title = tr("B over A");
        request.kind = ScaleKind::Log;
        request.values = {1.0 / limit, limit};
        return {request};
    }
    const double length = x.pixelOfHigh() - x.pixelOfLow();
    double most = 0.0;
    for (const Change& change : changes(x, x.pixelOfLow(), length / sampleColumns, sampleColumns))
        most = std::max(most, std::abs(change.largest));
    if (most == 0.0)
        most = mark().leastShare;
    request.title = tr("B less A");
    request.values = {-1.05 * most, 1.05 * most};
    return {request};
}

std::vector<LegendEntry> ChangeContent::legend() const
{
    constexpr auto swatch = LegendEntry::Sign::Swatch;
    std::vector<LegendEntry> entries = {
        {.text = tr("more in B"), .color = mark().colorOfB, .sign = swatch},
        {.text = tr("less in B"), .color = mark().colorOfA, .sign = swatch}};
    if (m_saysBins)
        entries.push_back({.text = binsText(shares()), .color = Qt::transparent});
    return entries;
}

void ChangeContent::paintColumn(QPainter& painter, const PlotFrame& frame, const QRectF& column,
                                const Change& change) const
{
    const AxisScale& y = frame.y.front().scale;
    const double zero = y.toPixel(m_kind == Kind::Ratio ? 1.0 : 0.0);
    const bool isRatio = m_kind == Kind::Ratio;
    const double amount = isRatio ? change.b - change.a : change.largest;
    if (amount == 0.0)
        return;
    double end = amount > 0.0 ? frame.area.top() : frame.area.bottom();
    const bool isEndless = isRatio && (change.a == 0.0 || change.b == 0.0);
    if (!isEndless)
        end = std::clamp(y.toPixel(isRatio ? change.b / change.a : amount), frame.area.top(),
                         frame.area.bottom());
    const double least = 1.0 / deviceRatio(painter);
    const double height = std::max(std::abs(end - zero), least);
    const QRectF rect(column.left(), amount > 0.0 ? zero - height : zero, column.width(), height);
    const QColor& color = amount > 0.0 ? mark().colorOfB : mark().colorOfA;
    if (isEndless)
        fillHatched(painter, rect, color, frame.colors.background);
    else
        painter.fillRect(rect, color);
}

void ChangeContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const double ratio = deviceRatio(painter);
    const double left = snapped(frame.area.left(), ratio);
    const int count = static_cast<int>(std::ceil(frame.area.width() * ratio));
    const std::vector<Change> all = changes(frame.x.scale, left, 1.0 / ratio, count);
    for (std::size_t column = 0; column < all.size();) {
        std::size_t end = column + 1;
        while (end < all.size() && all[end].a == all[column].a && all[end].b == all[column].b &&
               all[end].largest == all[column].largest)
            ++end;
        paintColumn(painter, frame,
                    QRectF(left + static_cast<double>(column) / ratio, 0.0,
                           static_cast<double>(end - column) / ratio, 0.0),
                    all[column]);
        column = end;
    }
    const double zero =
        snapped(frame.y.front().scale.toPixel(m_kind == Kind::Ratio ? 1.0 : 0.0), ratio);
    painter.fillRect(QRectF(frame.area.left(), zero, frame.area.width(), 1.0 / ratio),
                     frame.colors.text);
}

QString ChangeContent::binReadout(std::size_t bin) const
{
    const double a = shares().a[bin];
    const double b = shares().b[bin];
    const bool isResampled = shares().isResampledA || shares().isResampledB;
    const QString sign = isResampled ? QStringLiteral("≈") : QString();
    QString text = tr("   B less A %1%2").arg(sign, percentOf(b - a));
    if (a > 0.0)
        text += tr("   B over A %1%2").arg(sign, valueLabel(b / a));
    return text;
}

QString ChangeContent::summary() const
{
    if (isEmpty())
        return emptyText();
    double half = 0.0;
    for (std::size_t bin = 0; bin < shares().bins(); ++bin)
        half += std::abs(shares().b[bin] - shares().a[bin]) / 2.0;
    return tr("What B has more or less than A by bin of %1: %2 of the values lie in other bins; "
              "%3.")
        .arg(xTitle(), percentOf(half), binsText(shares()));
}

std::optional<PlotTable> ChangeContent::table(const Range& shown) const
{
    std::vector<double> change;
    for (std::size_t bin = 0; bin < shares().bins(); ++bin)
        change.push_back(shares().b[bin] - shares().a[bin]);
    return tableOf(shown, {{tr("share of B less that of A"), change}});
}

}  // namespace calibscope
