// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/threshold_layer.h"

#include "ui/plot/label_layout.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/plot/svg_device.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace calibscope {

namespace {

constexpr double labelPadding = 4.0;  // between a leader line and its label's text
constexpr double boldWidthFactor = 1.06;
constexpr double leaderHeight = 10.0;  // of the strip in which leader lines run aslant
constexpr double widestLabel = 250.0;
constexpr double widestShare = 0.4;  // of a wide plot
constexpr double edgeRoom = 4.0;     // between labels and the plot's edges

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
    PlacedMark placed{.mark = mark, .series = markText(mark, domain)};
    const std::vector<double> places = markPlaces(mark, domain);
    for (const double place : places)
        if (x.values().contains(place))
            placed.lines.push_back(x.toPixel(place));
    if (!placed.lines.empty())
        placed.fullText = placed.series;
    else if (!places.empty() && places.back() > full.high && x.values().high >= full.high)
        placed.fullText = placed.series + QStringLiteral(" ›");
    placed.foot = placed.lines.empty() ? x.toPixel(x.values().high) : placed.lines.back();
    return placed;
}

double textWidth(const QString& text, const QFontMetricsF& metrics)
{
    return metrics.horizontalAdvance(text) * boldWidthFactor + 2.0 * labelPadding;
}

std::vector<PlacedMark> marksInView(std::span<const ThresholdMark> marks, Domain domain,
                                    const AxisScale& x, const Range& bounds, const Range& full,
                                    const QFontMetricsF& metrics)
{
    const double widest =
        std::min(std::max(widestLabel, widestShare * bounds.width()), bounds.width()) /
            boldWidthFactor -
        2.0 * labelPadding;
    std::vector<PlacedMark> inView;
    for (const ThresholdMark& mark : marks) {
        PlacedMark placed = linesOf(mark, domain, x, full);
        // Their ends tell them apart, and hold the value.
        placed.text = metrics.elidedText(placed.fullText, Qt::ElideMiddle, widest);
        if (!placed.fullText.isEmpty())
            inView.push_back(std::move(placed));
    }
    return inView;
}

bool hasLabel(const PlacedMark& placed)
{
    return !placed.text.isEmpty();
}

/// Positions of those marks that have a text.
std::optional<std::vector<PlacedLabel>> labelPlaces(std::span<const PlacedMark> marks,
                                                    const Range& bounds, int mostRows,
                                                    const QFontMetricsF& metrics)
{
    std::vector<LineLabel> labels;
    for (const PlacedMark& placed : marks)
        if (hasLabel(placed))
            labels.push_back({placed.foot, textWidth(placed.text, metrics)});
    return placeInBand(labels, bounds, mostRows);
}

/// The mark whose label is so far from its line that it is read as another one's, the farthest that
/// is not emphasised; nullptr: all are near.
PlacedMark* farFromLine(std::vector<PlacedMark>& marks, std::span<const PlacedLabel> places)
{
    double farthest = 70.0;
    PlacedMark* found = nullptr;
    auto next = places.begin();
    for (PlacedMark& placed : marks) {
        if (!hasLabel(placed))
            continue;
        const double distance = std::abs((next++)->leader - placed.foot);
        if (placed.mark.emphasised || distance < farthest)
            continue;
        farthest = distance;
        found = &placed;
    }
    return found;
}

/// Takes the text from the last mark that is not emphasised, else from the last one.
void dropLastLabel(std::vector<PlacedMark>& marks)
{
    const auto isDroppable = [](const PlacedMark& placed) {
        return hasLabel(placed) && !placed.mark.emphasised;
    };
    auto last = std::find_if(marks.rbegin(), marks.rend(), isDroppable);
    if (last == marks.rend())
        last = std::find_if(marks.rbegin(), marks.rend(), hasLabel);
    last->text.clear();
}

QString moreText(std::ptrdiff_t count)
{
    return tr("+%1 more").arg(count);
}

Range boundsOf(const QRectF& box)
{
    return {box.left() + edgeRoom, box.right() - edgeRoom};
}

const QString lowSuffix = QStringLiteral("/low");
const QString highSuffix = QStringLiteral("/high");

/// One step for each pixel: the largest of its bins. `sign` is -1 on the mirrored side.
QPolygonF outlineOf(const PlotFrame& frame, const EntropyTrial& trial,
                    const std::vector<double>& counts, double unit, double sign)
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    const double bottom = frame.area.bottom();
    const auto top = [&](double count) { return std::min(y.toPixel(count * unit), bottom); };
    QPolygonF line;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const double from = x.toPixel(sign * trial.edges[bin]);
        const double to = x.toPixel(sign * trial.edges[bin + 1]);
        const double height = counts[bin] > 0.0 ? top(counts[bin]) : bottom;
        // Bins narrower than a pixel share it.
        if (!line.isEmpty() && std::abs(to - line[line.size() - 2].x()) < 1.0) {
            const double highest = std::min(line.back().y(), height);
            line[line.size() - 2].setY(highest);
            line.back() = {to, highest};
            continue;
        }
        line << QPointF(from, height) << QPointF(to, height);
    }
    if (!line.isEmpty())
        line << QPointF(line.back().x(), bottom);
    return line;
}

}  // namespace

std::vector<double> markPlaces(const ThresholdMark& mark, Domain domain)
{
    const Range& clip = mark.clip;
    if (!std::isfinite(clip.low) || !std::isfinite(clip.high))
        return {};
    if (domain == Domain::Magnitude) {
        if (isNearlySymmetric(clip))
            return {clip.high};
        const double nearer = std::min(-clip.low, clip.high);
        const double farther = std::max(-clip.low, clip.high);
        return nearer > 0.0 ? std::vector{nearer, farther} : std::vector{farther};
    }
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
        value = valueLabel(markPlaces(mark, domain).back());
    else if (isNearlySymmetric(clip))
        value = u'±' + valueLabel(clip.high);
    else
        value = valueLabel(clip.low) + u'…' + valueLabel(clip.high);
    return mark.label.isEmpty() ? value : mark.label + QStringLiteral("  ") + value;
}

bool isKept(const ThresholdMark& mark, Domain domain, double value)
{
    if (domain == Domain::Magnitude)
        return value <= std::max(-mark.clip.low, mark.clip.high);
    return mark.clip.contains(value);
}

PlacedMarks placeMarks(std::span<const ThresholdMark> marks, Domain domain, const AxisScale& x,
                       const LabelBand& band, const Range& full, const QFontMetricsF& metrics)
{
    Range bounds = boundsOf(band.box);
    PlacedMarks placed{.marks = marksInView(marks, domain, x, bounds, full, metrics),
                       .leadersFrom = band.box.bottom() - leaderHeight};
    const int mostRows = static_cast<int>(
        std::floor((band.box.height() - leaderHeight + 1e-6) / rowHeight(metrics)));
    std::optional<std::vector<PlacedLabel>> places =
        labelPlaces(placed.marks, bounds, mostRows, metrics);
    double feet = 0.0;
    for (const PlacedMark& mark : placed.marks)
        feet += (mark.foot - (bounds.low + bounds.high) / 2.0) /
                static_cast<double>(placed.marks.size());
    std::vector<QString> texts;
    for (const PlacedMark& mark : placed.marks)
        texts.push_back(mark.text);
    const auto countHidden = [&placed] {
        const auto hidden =
            std::ssize(placed.marks) - std::ranges::count_if(placed.marks, hasLabel);
        placed.moreText = hidden > 0 ? moreText(hidden) : QString();
    };
    PlacedMark* far = nullptr;
    while (!places || (far = farFromLine(placed.marks, *places)) != nullptr) {
        if (places)
            far->text.clear();
        else
            dropLastLabel(placed.marks);
        countHidden();
        const double width = metrics.horizontalAdvance(placed.moreText) + labelPadding;
        bounds = boundsOf(band.box);
        const double taken = width + 2.0 * labelPadding;  // where fewer of the lines are
        const double left = feet > 0.0 ? bounds.low : bounds.high - width;
        bounds = feet > 0.0 ? Range{bounds.low + taken, bounds.high}
                            : Range{bounds.low, bounds.high - taken};
        placed.more = QRectF(left, band.box.top(), width, rowHeight(metrics));
        places = labelPlaces(placed.marks, bounds, mostRows, metrics);
    }
    // What had to go while others were there may have room now.
    for (std::size_t index = 0; index < texts.size(); ++index) {
        PlacedMark& mark = placed.marks[index];
        if (hasLabel(mark) || texts[index].isEmpty())
            continue;
        mark.text = texts[index];
        auto tried = labelPlaces(placed.marks, bounds, mostRows, metrics);
        if (tried && !farFromLine(placed.marks, *tried))
            places = std::move(tried);
        else
            mark.text.clear();
    }
    countHidden();
    auto next = places->begin();
    for (PlacedMark& mark : placed.marks)
        if (hasLabel(mark)) {
            mark.label =
                QRectF(next->left, placed.leadersFrom - (next->row + 1) * rowHeight(metrics),
                       textWidth(mark.text, metrics), rowHeight(metrics));
            mark.leader = next->leader;
            ++next;
        }
    return placed;
}

double labelBandHeight(std::span<const ThresholdMark> marks, Domain domain, const AxisScale& x,
                       const QSizeF& size, const Range& full, const QFontMetricsF& metrics)
{
    constexpr double mostOfPlot = 0.36;
    constexpr int mostRows = 6;
    const Range bounds = boundsOf({QPointF(), size});
    std::vector<PlacedMark> inView = marksInView(marks, domain, x, bounds, full, metrics);
    if (inView.empty())
        return 0.0;
    const double row = rowHeight(metrics);
    const int rows = std::clamp(static_cast<int>((mostOfPlot * size.height() - leaderHeight) / row),
                                1, mostRows);
    const auto places = labelPlaces(inView, bounds, rows, metrics);
    return leaderHeight + row * (places ? rowCount(*places) : rows);
}

void paintMarkLines(QPainter& painter, const PlacedMarks& marks, const PlotFrame& frame)
{
    for (const bool isEmphasised : {false, true})
        for (const PlacedMark& placed : marks.marks) {
            const SeriesScope series(painter, placed.series);
            for (const double line : placed.lines)
                if (placed.mark.emphasised == isEmphasised)
                    drawHaloedLine(painter, line, {frame.area.top(), frame.area.bottom()},
                                   placed.mark.color, isEmphasised ? 3.0 : 2.0, placed.mark.style,
                                   frame.colors.background);
        }
}

void paintMarkLabels(QPainter& painter, const PlacedMarks& marks, const PlotFrame& frame)
{
    for (const PlacedMark& placed : marks.marks) {
        if (!hasLabel(placed))
            continue;
        const QRectF& label = placed.label;
        const SeriesScope series(painter, placed.series);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(placed.mark.color, placed.mark.emphasised ? 1.8 : 1.2, Qt::SolidLine,
                            Qt::FlatCap, Qt::BevelJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(QPolygonF{{placed.leader, label.top() + 2.0},
                                       {placed.leader, marks.leadersFrom},
                                       {placed.foot, frame.area.top()}});
        painter.setRenderHint(QPainter::Antialiasing, false);
        QFont font = frame.font;
        font.setBold(placed.mark.emphasised);
        painter.setFont(font);
        painter.setPen(readableOn(frame.colors.background, placed.mark.color));
        const QFontMetricsF metrics(font);
        const bool isMirrored = placed.leader > label.center().x();
        const double left =
            isMirrored ? label.right() - labelPadding - metrics.horizontalAdvance(placed.text)
                       : label.left() + labelPadding;
        painter.drawText(QPointF(left, label.top() + metrics.ascent()), placed.text);
    }
    painter.setFont(frame.font);
    if (marks.moreText.isEmpty())
        return;
    painter.setPen(frame.colors.text);
    painter.drawText(marks.more, Qt::AlignRight | Qt::AlignVCenter, marks.moreText);
}

QString markTextAt(const PlacedMarks& marks, const QPointF& point)
{
    QStringList hidden;
    for (const PlacedMark& placed : marks.marks) {
        if (hasLabel(placed) && placed.label.contains(point))
            return placed.fullText.simplified();
        if (!hasLabel(placed))
            hidden += placed.fullText.simplified();
    }
    return marks.more.contains(point) ? hidden.join(u'\n') : QString();
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
    for (const ThresholdMark& mark : marks) {
        std::vector<double> ends = markPlaces(mark, histogram.spec.domain);
        // Among magnitudes the end that is farther from 0 is moved, and the other one follows.
        if (histogram.spec.domain == Domain::Magnitude && ends.size() > 1)
            ends.erase(ends.begin());
        for (const double place : ends) {
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
    }
    std::ranges::stable_sort(handles, {}, &PlotHandle::value);
    return handles;
}

double ThresholdsContent::bandHeight(const PlotRoom& room) const
{
    const AxisScale& x = room.x;
    const XAxis axis = xAxis();
    const bool isLog = x.kind() == ScaleKind::Log && axis.log;
    const Range all = isLog ? Range{axis.log->floor, axis.all.high} : axis.all;
    const AxisScale whole(x.kind(), all, x.pixelOfLow(), x.pixelOfHigh());
    return labelBandHeight(m_thresholds, domain(), whole, room.size, axis.all, room.metrics);
}

PlacedMarks ThresholdsContent::placedMarks(const PlotFrame& frame) const
{
    return placeMarks(m_thresholds, domain(), frame.x.scale, {frame.band, frame.area}, fullRange(),
                      QFontMetricsF(frame.font));
}

void ThresholdsContent::paintBand(QPainter& painter, const PlotFrame& frame) const
{
    paintMarkLabels(painter, placedMarks(frame), frame);
}

bool ThresholdsContent::isLabelled(const PlotFrame& frame) const
{
    return std::ranges::all_of(placedMarks(frame).marks, [](const PlacedMark& placed) {
        return placed.text == placed.fullText;
    });
}

QString ThresholdsContent::toolTip(const QPointF& point, const PlotFrame& frame) const
{
    return frame.band.contains(point) ? markTextAt(placedMarks(frame), point) : QString();
}

void paintGhost(QPainter& painter, const PlotFrame& frame, const EntropyTrial& given,
                const Histogram& histogram, const QColor& color)
{
    if (frame.y.empty() || given.edges.size() < 2)
        return;
    const bool isOfMagnitudes = histogram.spec.domain == Domain::Magnitude;
    const EntropyTrial trial = isOfMagnitudes ? asMagnitudes(given) : given;
    const bool isMirrored = !isOfMagnitudes && !trial.isSigned;
    const double width = trial.edges[1] - trial.edges[0];
    // A magnitude's count is shared by both of its signs.
    const double unit = histogram.width() / width / (isMirrored ? 2.0 : 1.0);
    const QPen solid(frame.colors.text, 1.4);
    const QPen dashed(color, 1.8, Qt::DashLine);
    for (const double sign : {1.0, -1.0}) {
        if (sign < 0.0 && !isMirrored)
            continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(solid);
        painter.drawPolyline(outlineOf(frame, trial, trial.truncated, unit, sign));
        painter.setPen(dashed);
        painter.drawPolyline(outlineOf(frame, trial, trial.coarse, unit, sign));
    }
}

void paintClipGhost(QPainter& painter, const PlotFrame& frame, const ThresholdMark& mark,
                    Domain domain)
{
    const AxisScale& x = frame.x.scale;
    constexpr float veil = 0.62F;
    QColor ground = frame.colors.background;
    ground.setAlphaF(veil);
    const double left = frame.area.left();
    const double right = frame.area.right();
    const auto clamped = [&](double value) { return std::clamp(x.toPixel(value), left, right); };
    const double low = domain == Domain::Signed ? clamped(mark.clip.low) : left;
    const double high = clamped(
        domain == Domain::Signed ? mark.clip.high : std::max(-mark.clip.low, mark.clip.high));
    painter.fillRect(QRectF(left, frame.area.top(), low - left, frame.area.height()), ground);
    painter.fillRect(QRectF(high, frame.area.top(), right - high, frame.area.height()), ground);
    for (const double place : markPlaces(mark, domain))
        if (x.values().contains(place))
            drawHaloedLine(painter, x.toPixel(place), {frame.area.top(), frame.area.bottom()},
                           mark.color, 2.0, Qt::DashLine, frame.colors.background);
}

}  // namespace calibscope
