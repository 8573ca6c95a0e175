#include "ui/charts/threshold_layer.h"

#include "ui/plot/label_layout.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double labelPadding = 5.0;  // between a line and its label's text
constexpr double boldWidthFactor = 1.06;

double rowHeight(const QFontMetricsF& metrics)
{
    return std::ceil(metrics.height());
}

/// The ends differ by no more than -128 differs from 127.
bool isNearlySymmetric(const Range& clip)
{
    return std::abs(clip.low + clip.high) <= 0.01 * clip.high;
}

/// Lines in view, and beyond the axis' end if that is where the threshold lies.
PlacedMark linesOf(const ThresholdMark& mark, Domain domain, const AxisScale& x, const Range& full)
{
    PlacedMark placed{.mark = mark, .lines = {}, .tops = {}, .text = {}, .label = {}};
    const std::vector<double> places = markPlaces(mark, domain);
    for (const double place : places)
        if (x.values().contains(place))
            placed.lines.push_back(x.toPixel(place));
    if (!placed.lines.empty())
        placed.text = markText(mark, domain);
    else if (!places.empty() && places.back() > full.high && x.values().high >= full.high)
        placed.text = markText(mark, domain) + QStringLiteral(" ›");
    return placed;
}

double textWidth(const PlacedMark& placed, const QFontMetricsF& metrics)
{
    return metrics.horizontalAdvance(placed.text) * boldWidthFactor + 2.0 * labelPadding;
}

/// Places by mark and line; only a mark's last line carries its label. Marks without a text are not
/// among them.
std::vector<PlacedLabel> staggeredLabels(std::span<const PlacedMark> marks, const QRectF& area,
                                         const QFontMetricsF& metrics)
{
    std::vector<LineLabel> labels;
    for (const PlacedMark& placed : marks) {
        if (placed.text.isEmpty())
            continue;
        for (std::size_t line = 0; line + 1 < placed.lines.size(); ++line)
            labels.push_back({placed.lines[line], 0.0});
        const double last = placed.lines.empty() ? area.right() : placed.lines.back();
        labels.push_back({last, textWidth(placed, metrics)});
    }
    return staggerLabels(labels, {area.left(), area.right()});
}

/// Takes the text from the last mark that is not emphasised; one label stays. False: nothing was
/// done.
bool dropLastLabel(std::vector<PlacedMark>& marks)
{
    const auto hasText = [](const PlacedMark& placed) { return !placed.text.isEmpty(); };
    if (std::ranges::count_if(marks, hasText) <= 1)
        return false;
    const auto isDroppable = [&](const PlacedMark& placed) {
        return hasText(placed) && !placed.mark.emphasised;
    };
    auto last = std::find_if(marks.rbegin(), marks.rend(), isDroppable);
    if (last == marks.rend())
        last = std::find_if(marks.rbegin(), marks.rend(), hasText);
    last->text.clear();
    return true;
}

const QString lowSuffix = QStringLiteral("/low");
const QString highSuffix = QStringLiteral("/high");

}  // namespace

std::vector<double> markPlaces(const ThresholdMark& mark, Domain domain)
{
    const Range& clip = mark.clip;
    if (!std::isfinite(clip.low) || !std::isfinite(clip.high))
        return {};
    if (domain == Domain::Magnitude)
        return {isNearlySymmetric(clip) ? clip.high : std::max(-clip.low, clip.high)};
    std::vector<double> places;
    if (clip.low != 0.0 && clip.low != clip.high)
        places.push_back(clip.low);
    if (clip.high != 0.0 || places.empty())
        places.push_back(clip.high);
    return places;
}

QString markText(const ThresholdMark& mark, Domain domain)
{
    const Range& clip = mark.clip;
    QString value;
    if (domain == Domain::Magnitude)
        value = valueLabel(markPlaces(mark, domain).front());
    else if (isNearlySymmetric(clip))
        value = u'±' + valueLabel(clip.high);
    else
        value = valueLabel(clip.low) + u'…' + valueLabel(clip.high);
    return mark.label + QStringLiteral("  ") + value;
}

bool isKept(const ThresholdMark& mark, Domain domain, double value)
{
    if (domain == Domain::Magnitude)
        return value <= std::max(-mark.clip.low, mark.clip.high);
    return mark.clip.contains(value);
}

std::vector<PlacedMark> placeMarks(std::span<const ThresholdMark> marks, Domain domain,
                                   const AxisScale& x, const QRectF& area, const Range& full,
                                   const QFontMetricsF& metrics)
{
    std::vector<PlacedMark> placedMarks;
    for (const ThresholdMark& mark : marks) {
        PlacedMark placed = linesOf(mark, domain, x, full);
        placed.text = metrics.elidedText(placed.text, Qt::ElideMiddle,
                                         area.width() / boldWidthFactor - 2.0 * labelPadding);
        if (!placed.text.isEmpty())
            placedMarks.push_back(std::move(placed));
    }
    constexpr double labelShare = 0.55;  // of the area's height, at most
    const int mostRows =
        std::max(static_cast<int>(labelShare * area.height() / rowHeight(metrics)), 1);
    std::vector<PlacedLabel> places = staggeredLabels(placedMarks, area, metrics);
    while (rowCount(places) > mostRows && dropLastLabel(placedMarks))
        places = staggeredLabels(placedMarks, area, metrics);

    const int rows = rowCount(places);
    auto next = places.begin();
    for (PlacedMark& placed : placedMarks) {
        const auto topOf = [&](int row) {
            return area.top() + (rows - 1 - row) * rowHeight(metrics);
        };
        if (placed.text.isEmpty()) {
            placed.tops.assign(placed.lines.size(), topOf(-1));
            continue;
        }
        for (std::size_t line = 0; line < std::max<std::size_t>(placed.lines.size(), 1);
             ++line, ++next) {
            placed.tops.push_back(topOf(next->row));
            placed.label = QRectF(next->left, topOf(next->row), textWidth(placed, metrics),
                                  rowHeight(metrics));
        }
    }
    return placedMarks;
}

double labelHeight(std::span<const PlacedMark> marks, const QRectF& area)
{
    double bottom = area.top();
    for (const PlacedMark& placed : marks)
        if (!placed.text.isEmpty())
            bottom = std::max(bottom, placed.label.bottom());
    return bottom - area.top();
}

void paintMarks(QPainter& painter, std::span<const PlacedMark> marks, const PlotFrame& frame)
{
    std::vector<PlacedMark> ordered(marks.begin(), marks.end());
    std::stable_partition(ordered.begin(), ordered.end(),
                          [](const PlacedMark& placed) { return !placed.mark.emphasised; });
    for (const PlacedMark& placed : ordered)
        for (std::size_t line = 0; line < placed.lines.size(); ++line)
            drawVerticalLine(painter, placed.lines[line], {placed.tops[line], frame.area.bottom()},
                             placed.mark.color, placed.mark.emphasised ? 3.0 : 2.0,
                             placed.mark.style);
    for (const PlacedMark& placed : ordered) {
        if (placed.text.isEmpty())
            continue;
        QFont font = frame.font;
        font.setBold(placed.mark.emphasised);
        painter.setFont(font);
        const QFontMetricsF metrics(font);
        const double width = metrics.horizontalAdvance(placed.text);
        const bool isLeftOfLine =
            !placed.lines.empty() && placed.label.center().x() < placed.lines.back();
        const double left = isLeftOfLine ? placed.label.right() - labelPadding - width
                                         : placed.label.left() + labelPadding;
        const double baseline = placed.label.top() + metrics.ascent();
        painter.fillRect(QRectF(left - 2.0, placed.label.top(), width + 4.0, metrics.height()),
                         frame.colors.background);
        painter.setPen(readableOn(frame.colors.background, placed.mark.color));
        painter.drawText(QPointF(left, baseline), placed.text);
    }
    painter.setFont(frame.font);
}

QString handleId(const MovedEnd& end)
{
    return end.id + (end.isLow ? lowSuffix : highSuffix);
}

std::optional<MovedEnd> movedEnd(const QString& handleId)
{
    if (handleId.endsWith(lowSuffix))
        return MovedEnd{handleId.chopped(lowSuffix.size()), true};
    if (handleId.endsWith(highSuffix))
        return MovedEnd{handleId.chopped(highSuffix.size()), false};
    return std::nullopt;
}

std::vector<PlotHandle> thresholdHandles(std::span<const ThresholdMark> marks,
                                         const Histogram& histogram)
{
    const double farthest = 1.25 * std::max(std::abs(histogram.low), std::abs(histogram.high));
    const double step = histogram.width();
    std::vector<PlotHandle> handles;
    for (const ThresholdMark& mark : marks)
        for (const double place : markPlaces(mark, histogram.spec.domain)) {
            const bool isLow = place < 0.0;
            // Beyond the data stays where it is until it is moved.
            const double outer = std::max(farthest, std::abs(place));
            handles.push_back(
                {.id = handleId({mark.id, isLow}),
                 .label = (isLow ? tr("lower threshold of %1") : tr("upper threshold of %1"))
                              .arg(mark.label),
                 .value = place,
                 .allowed = isLow ? Range{-outer, -step} : Range{step, outer},
                 .step = step,
                 .color = mark.color});
        }
    std::ranges::stable_sort(handles, {}, &PlotHandle::value);
    return handles;
}

}  // namespace calibscope
