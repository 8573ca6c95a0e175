// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/threshold_layer.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/framed_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/theme/theme.h"

#include <QImage>
#include <QPainter>

#include <cmath>
#include <limits>
#include <random>

namespace threshold_layer_test {

using namespace calibscope::test;
using namespace calibscope;

const EntropyTrial trial{.threshold = 2.5,
                         .edges = {0.0, 1.0, 2.0, 3.0},
                         .truncated = {90.0, 0.0, 10.0},
                         .coarse = {95.0, 0.0, 5.0},
                         .levels = 2};

RecordedPainting paintingOver(const Histogram& histogram, const EntropyTrial& shown = trial)
{
    HistogramContent content;
    content.setHistogram(histogram);
    const PlotFrame frame = frameOf(content);
    return recordPainting(framedSize, [&](QPainter& painter) {
        paintGhost(painter, frame, shown, histogram, QColor(0x0072b2));
    });
}

TEST_CASE("both histograms of a candidate are outlines, and no box covers a threshold")
{
    const RecordedPainting painting =
        paintingOver(histogramOf(Domain::Magnitude, 0.0, 4.0, {80, 10, 5, 5}));
    CHECK(painting.polylines == 2);
    CHECK(painting.texts.empty());
    CHECK(painting.rects.empty());
}

TEST_CASE("a window is drawn once among signed values, and folded over among magnitudes")
{
    EntropyTrial window = trial;
    window.isSigned = true;
    window.edges = {-1.0, 0.0, 1.0, 2.0};
    for (const Domain domain : {Domain::Signed, Domain::Magnitude}) {
        const double low = domain == Domain::Signed ? -4.0 : 0.0;
        const RecordedPainting painting =
            paintingOver(histogramOf(domain, low, 4.0, {80, 10, 5, 5}), window);
        CHECK(painting.polylines == 2);
    }
}

TEST_CASE("among signed values both are mirrored")
{
    const RecordedPainting painting =
        paintingOver(histogramOf(Domain::Signed, -4.0, 4.0, {5, 15, 40, 30, 5, 5}));
    CHECK(painting.polylines == 4);
}

TEST_CASE("a candidate without bins draws nothing")
{
    const EntropyTrial nothing;
    const RecordedPainting painting = recordPainting({100, 100}, [&](QPainter& painter) {
        PlotFrame frame;
        frame.y.emplace_back();
        paintGhost(painter, frame, nothing, histogramOf(Domain::Magnitude, 0, 1, {1}), Qt::red);
    });
    CHECK(painting.polylines == 0);
}

constexpr QRectF area(60.0, 110.0, 800.0, 400.0);
constexpr double leaders = 10.0;

QFontMetricsF metrics()
{
    loadFonts();
    return QFontMetricsF(pictureFont(13));
}

/// With so many rows of labels over a plot that is 20 pixels wider to both sides.
LabelBand bandOver(const QRectF& box, int rows)
{
    const double height = rows * std::ceil(metrics().height()) + leaders;
    return {QRectF(box.left() - 20.0, box.top() - height, box.width() + 40.0, height), box};
}

PlacedMarks allPlaced(const std::vector<ThresholdMark>& marks, Domain domain, const Range& shown,
                      const Range& full, const QRectF& box = area, int rows = 6)
{
    const AxisScale x(ScaleKind::Linear, shown, box.left(), box.right());
    return placeMarks(marks, domain, x, bandOver(box, rows), full, metrics());
}

std::vector<PlacedMark> placed(const std::vector<ThresholdMark>& marks, Domain domain,
                               const Range& shown, const Range& full)
{
    return allPlaced(marks, domain, shown, full).marks;
}

ThresholdMark affine(double low, double high)
{
    ThresholdMark mark = markAt("affine", 1.0);
    mark.clip = {low, high};
    return mark;
}

TEST_CASE("a clip range is one place in |x| and both ends in x")
{
    CHECK(markPlaces(markAt("t", 2.0), Domain::Magnitude) == std::vector{2.0});
    CHECK(markPlaces(markAt("t", 2.0), Domain::Signed) == std::vector{-2.0, 2.0});
    CHECK(markPlaces(affine(-0.25, 3.0), Domain::Magnitude) == std::vector{0.25, 3.0});
    CHECK(markPlaces(affine(-5.0, 3.0), Domain::Magnitude) == std::vector{3.0, 5.0});
    CHECK(markPlaces(affine(0.0, 3.0), Domain::Magnitude) == std::vector{3.0});
    CHECK(markPlaces(affine(1.0, 3.0), Domain::Magnitude) == std::vector{3.0});
    CHECK(markPlaces(affine(0.0, 3.0), Domain::Signed) == std::vector{3.0});
    CHECK(markPlaces(affine(-3.0, 0.0), Domain::Signed) == std::vector{-3.0});
    CHECK(markPlaces(affine(0.0, 0.0), Domain::Signed) == std::vector{0.0});
}

TEST_CASE("the full range of a symmetric scheme is drawn at its threshold")
{
    // -128/127 of the threshold at the lower end
    CHECK(markPlaces(affine(-2.0 * 128.0 / 127.0, 2.0), Domain::Magnitude) == std::vector{2.0});
    CHECK(markText(affine(-2.0 * 128.0 / 127.0, 2.0), Domain::Signed).toStdString() ==
          "affine  ±2");
}

TEST_CASE("a clip range that is not finite is nowhere")
{
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(markPlaces(affine(-infinity, infinity), Domain::Signed).empty());
    CHECK(placed({affine(-infinity, infinity)}, Domain::Signed, {0.0, 1.0}, {0.0, 1.0}).empty());
}

TEST_CASE("labels name the calibrator and its ends with four digits")
{
    CHECK(markText(markAt("entropy", 2.39071), Domain::Magnitude).toStdString() ==
          "entropy  2.391");
    CHECK(markText(markAt("entropy", 2.39071), Domain::Signed).toStdString() == "entropy  ±2.391");
    CHECK(markText(affine(-0.2785, 3.735), Domain::Signed).toStdString() ==
          "affine  −0.2785…3.735");
}

TEST_CASE("values on the clip range are kept")
{
    CHECK(isKept(markAt("t", 2.0), Domain::Magnitude, 2.0));
    CHECK_FALSE(isKept(markAt("t", 2.0), Domain::Magnitude, 2.001));
    CHECK(isKept(affine(-1.0, 3.0), Domain::Signed, -1.0));
    CHECK_FALSE(isKept(affine(-1.0, 3.0), Domain::Signed, -1.5));
}

TEST_CASE("in a signed histogram both lines are drawn and labelled once")
{
    const auto marks = placed({markAt("t", 2.0)}, Domain::Signed, {-4.0, 4.0}, {-4.0, 4.0});
    REQUIRE(marks.size() == 1);
    CHECK(marks[0].lines == std::vector{260.0, 660.0});
    CHECK(marks[0].label.left() == Approx(660.0));
    CHECK(marks[0].foot == Approx(660.0));
}

TEST_CASE("a threshold beyond the axis is named at its end while that is in view")
{
    const std::vector marks = {markAt("fixed", 9.0)};
    const auto atEnd = placed(marks, Domain::Magnitude, {0.0, 1.0}, {0.0, 1.0});
    REQUIRE(atEnd.size() == 1);
    CHECK(atEnd[0].lines.empty());
    CHECK(atEnd[0].text.toStdString() == "fixed  9 ›");
    CHECK(atEnd[0].foot == Approx(area.right()));
    CHECK(placed(marks, Domain::Magnitude, {0.2, 0.4}, {0.0, 1.0}).empty());
}

TEST_CASE("a threshold that was zoomed out of view has neither line nor label")
{
    CHECK(placed({markAt("t", 0.9)}, Domain::Magnitude, {0.0, 0.5}, {0.0, 1.0}).empty());
}

TEST_CASE("labels never overlap and lie in the band, and none goes missing without a word")
{
    std::mt19937 random(23);
    std::uniform_real_distribution<double> threshold(0.0, 1.2);
    std::uniform_real_distribution<double> width(120.0, 1500.0);
    for (int round = 0; round < 1000; ++round) {
        std::vector<ThresholdMark> marks;
        for (int mark = 0; mark < 1 + round % 12; ++mark)
            marks.push_back(
                markAt(QStringLiteral("calibrator %1").arg(mark), threshold(random), mark == 0));
        const Domain domain = round % 2 == 0 ? Domain::Magnitude : Domain::Signed;
        const QRectF box(60.0, 110.0, width(random), 300.0);
        const int rows = 1 + round % 5;
        const PlacedMarks all = allPlaced(marks, domain, {-1.0, 1.0}, {-1.0, 1.0}, box, rows);
        const LabelBand band = bandOver(box, rows);
        std::vector<QRectF> boxes;
        int hidden = 0;
        for (const PlacedMark& mark : all.marks)
            if (mark.text.isEmpty())
                ++hidden;
            else
                boxes.push_back(mark.label);
        for (const PlacedMark& mark : all.marks)
            CHECK((mark.text.isEmpty() || mark.mark.emphasised ||
                   std::abs(mark.leader - mark.foot) <= 70.0));  // else it is another one's
        CHECK(all.moreText.isEmpty() == (hidden == 0));
        if (hidden > 0) {
            CHECK(all.moreText == QStringLiteral("+%1 more").arg(hidden));
            CHECK(markTextAt(all, all.more.center()).count(u'\n') == hidden - 1);
            boxes.push_back(all.more);
        }
        for (std::size_t one = 0; one < boxes.size(); ++one) {
            CHECK(band.box.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(boxes[one]));
            for (std::size_t other = 0; other < one; ++other)
                CHECK_FALSE(boxes[one].adjusted(1e-6, 1e-6, -1e-6, -1e-6).intersects(boxes[other]));
        }
    }
}

TEST_CASE("where the band is small the labels of the first and of the emphasised ones stay")
{
    const QRectF narrow(60.0, 110.0, 230.0, 75.0);
    const std::vector marks = {markAt("first", 0.91), markAt("second", 0.92), markAt("third", 0.93),
                               markAt("fourth", 0.94, true)};
    const PlacedMarks all = allPlaced(marks, Domain::Magnitude, {0.0, 1.0}, {0.0, 1.0}, narrow, 1);
    REQUIRE(all.marks.size() == 4);
    CHECK_FALSE(all.marks[0].text.isEmpty());
    CHECK(all.marks[1].text.isEmpty());
    CHECK(all.marks[2].text.isEmpty());
    CHECK_FALSE(all.marks[3].text.isEmpty());
    for (const PlacedMark& mark : all.marks)
        CHECK(mark.lines.size() == 1);
    CHECK(all.moreText == "+2 more");
    CHECK(markTextAt(all, all.more.center()) == "second 0.92\nthird 0.93");
    CHECK(markTextAt(all, all.marks[0].label.center()) == "first 0.91");
}

TEST_CASE("a band holds all labels, but takes no more than about a third of the plot")
{
    std::vector<ThresholdMark> marks;
    const AxisScale x(ScaleKind::Linear, {0.0, 1.0}, 0.0, 800.0);
    CHECK(labelBandHeight(marks, Domain::Magnitude, x, {840.0, 300.0}, {0.0, 1.0}, metrics()) ==
          0.0);
    for (int mark = 0; mark < 12; ++mark)
        marks.push_back(
            markAt(QStringLiteral("calibrator number %1").arg(mark), 0.5 + 0.01 * mark));
    const double height =
        labelBandHeight(marks, Domain::Magnitude, x, {840.0, 300.0}, {0.0, 1.0}, metrics());
    CHECK(height > 3.0 * metrics().height());
    CHECK(height <= 0.36 * 300.0);
    CHECK(labelBandHeight(marks, Domain::Magnitude, x, {840.0, 60.0}, {0.0, 1.0}, metrics()) ==
          std::ceil(metrics().height()) + leaders);
}

TEST_CASE("between a line and the columns under it lies a pixel of the ground, in both themes")
{
    for (const ChartColors& colors : {lightChartColors(), darkChartColors()})
        for (int series = 0; series < 2 * seriesColorCount; ++series) {
            const SeriesStyle style = seriesStyle(series, colors);
            ThresholdMark mark = markAt("t", 0.5, series % 2 == 0);
            mark.color = style.color;
            mark.style = style.pen;
            PlotFrame frame;
            frame.area = QRectF(0.0, 0.0, 101.0, 60.0);
            frame.colors = colors;
            PlacedMarks marks;
            marks.marks.push_back(
                PlacedMark{.mark = mark, .lines = {50.5}, .text = {}, .fullText = {}, .label = {}});
            QImage picture(101, 60, QImage::Format_RGB32);
            picture.fill(colors.fill);
            {
                QPainter painter(&picture);
                paintMarkLines(painter, marks, frame);
            }
            CAPTURE(colors.isDark, series);
            bool hasLine = false;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 1; x + 1 < picture.width(); ++x) {
                    if (picture.pixelColor(x, y) != style.color)
                        continue;
                    hasLine = true;
                    for (const int beside : {x - 1, x + 1})
                        CHECK(picture.pixelColor(beside, y) != colors.fill);
                }
            CHECK(hasLine);
            CHECK(contrastRatio(style.color, colors.background) >= 3.0);
        }
}

TEST_CASE("each end that is drawn is a handle, from left to right, a step is a bin")
{
    const Histogram histogram = histogramOf(Domain::Signed, -2.0, 2.0, {1, 2, 3, 4});
    const std::vector<ThresholdMark> marks = {markAt("wide", 1.5), markAt("narrow", 0.5)};
    const auto handles = thresholdHandles(marks, histogram);
    REQUIRE(handles.size() == 4);
    CHECK(handles[0].value == -1.5);
    CHECK(handles[1].value == -0.5);
    CHECK(handles[3].value == 1.5);
    CHECK(handles[3].step == 1.0);
    CHECK(handles[3].label.toStdString() == "upper threshold of wide");
    CHECK(handles[0].label.toStdString() == "lower threshold of wide");
    CHECK(handles[0].allowed == Range{-2.5, -1.0});
    CHECK(handles[3].allowed == Range{1.0, 2.5});
}

TEST_CASE("in |x| a clip range has one handle")
{
    const Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 4.0, {1, 2, 3, 4});
    const std::vector<ThresholdMark> marks = {markAt("one", 3.0), affine(-0.25, 3.5)};
    const auto handles = thresholdHandles(marks, histogram);
    REQUIRE(handles.size() == 2);
    CHECK(handles[0].value == 3.0);
    CHECK(handles[1].value == 3.5);
}

TEST_CASE("a threshold far beyond the data may stay there")
{
    const Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 4.0, {1, 2, 3, 4});
    const std::vector<ThresholdMark> marks = {markAt("fixed", 100.0)};
    CHECK(thresholdHandles(marks, histogram).front().allowed.high == 100.0);
}

TEST_CASE("a handle's id tells whose end it is")
{
    const auto low = movedEnd(handleId({"entropy/open", true}));
    REQUIRE(low);
    CHECK(low->id.toStdString() == "entropy/open");
    CHECK(low->isLow);
    CHECK_FALSE(movedEnd(handleId({"max", false}))->isLow);
    CHECK_FALSE(movedEnd("something"));
}

}  // namespace threshold_layer_test
