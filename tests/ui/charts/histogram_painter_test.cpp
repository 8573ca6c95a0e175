// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_painter.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/recorded_painting.h"

#include <QPainter>

namespace histogram_painter_test {

using namespace calibscope::test;
using namespace calibscope;

const std::vector<std::uint64_t> countBefore = {0, 60, 90, 99, 100};

PlotFrame frameShowing(const Range& x, ScaleKind kind = ScaleKind::Linear)
{
    PlotFrame frame;
    frame.outer = QRectF(0.0, 0.0, 1000.0, 300.0);
    frame.area = frame.outer;
    frame.x.scale = AxisScale(kind, x, 0.0, 1000.0);
    frame.y.push_back({.scale = AxisScale(ScaleKind::Linear, {0.0, 100.0}, 300.0, 0.0)});
    return frame;
}

Quantizer symmetric(double threshold)
{
    return makeQuantizer({}, {.threshold = threshold}).quantizer;
}

RecordedPainting recorded(const std::function<void(QPainter&)>& paint)
{
    return recordPainting({1000, 300}, paint);
}

TEST_CASE("shares up to an edge and above it add up to one")
{
    const auto upTo = cumulativeShares(countBefore, CumulativeAxis::UpTo);
    const auto above = cumulativeShares(countBefore, CumulativeAxis::Above);
    CHECK(upTo == std::vector<double>{0.0, 0.6, 0.9, 0.99, 1.0});
    REQUIRE(above.size() == upTo.size());
    for (std::size_t edge = 0; edge < upTo.size(); ++edge)
        CHECK(above[edge] + upTo[edge] == Approx(1.0));
    CHECK(above.back() == 0.0);
}

TEST_CASE("without a value there are no shares")
{
    CHECK(cumulativeShares({}, CumulativeAxis::UpTo).empty());
    CHECK(cumulativeShares(std::vector<std::uint64_t>{0, 0}, CumulativeAxis::Above).empty());
}

TEST_CASE("a single value is seen on the logarithmic axis, no value is at its floor")
{
    const YAxis request = cumulativeAxisWish(1000, CumulativeAxis::Above, QStringLiteral("|x|"));
    CHECK(request.kind == ScaleKind::Log);
    CHECK(request.values == Range{0.0005, 1.0});
    CHECK(request.zeroAt == 0.0005);
    CHECK(request.title.toStdString() == "1 − CDF of |x|");
    CHECK(cumulativeAxisWish(1000, CumulativeAxis::UpTo, QStringLiteral("x")).values ==
          Range{0.0, 1.0});
}

TEST_CASE("a percentile is exact at an edge and estimated inside a bin")
{
    const Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 4.0, {60, 30, 9, 1});
    const auto text = [&](double x) {
        return percentileText(histogram, countBefore, x, QStringLiteral("|x|")).toStdString();
    };
    CHECK(text(1.0) == "|x| 1   percentile 60   above 40 values (40 %)");
    CHECK(text(1.5) == "|x| 1.5   percentile ≈75   above ≈25 values (≈25 %)");
    CHECK(text(4.0) == "|x| 4   percentile 100   above 0 values (0 %)");
    CHECK(text(9.0) == "|x| 9   percentile 100   above 0 values (0 %)");
}

TEST_CASE("a percentile next to 100 is not rounded to it")
{
    const Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 2.0, {999999, 1});
    CHECK(percentileText(histogram, std::vector<std::uint64_t>{0, 999999, 1000000}, 1.0,
                         QStringLiteral("|x|"))
              .toStdString() == "|x| 1   percentile 99.9999   above 1 value (0.0001 %)");
}

TEST_CASE("levels are ticks where they are apart, each once")
{
    const PlotFrame wide = frameShowing({0.0, 4.0});
    const auto near = [&](double high) {
        const PlotFrame frame = frameShowing({0.0, high});
        return recorded([&](QPainter& painter) {
                   paintLevels(painter, frame, symmetric(4.0), Domain::Magnitude, QColor(Qt::blue));
               })
            .rects.size();
    };
    CHECK(areLevelsApart(wide.x.scale, symmetric(4.0)));
    CHECK(near(4.0) == 128);  // 0 to 127, those of both signs at one place
    CHECK(near(0.4) == 13);   // 0 to 12
    CHECK_FALSE(areLevelsApart(frameShowing({0.0, 40.0}).x.scale, symmetric(4.0)));
    CHECK(near(40.0) == 0);
}

TEST_CASE("in x all levels are drawn, the outer ones longer")
{
    const PlotFrame frame = frameShowing({-4.1, 4.1});
    const Quantizer coarse = makeQuantizer({.bits = 4}, {.threshold = 4.0}).quantizer;
    const auto ticks = recorded([&](QPainter& painter) {
                           paintLevels(painter, frame, coarse, Domain::Signed, QColor(Qt::blue));
                       }).rects;
    REQUIRE(ticks.size() == 15);
    CHECK(std::ranges::count_if(
              ticks, [](const DrawnRect& tick) { return tick.rect.height() > 15.0; }) == 2);
}

TEST_CASE("the rug has the ends of each batch that has any")
{
    Extents first;
    first.add(std::vector<float>{-1.0F, 0.5F});
    Extents second;
    second.add(std::vector<float>{2.0F, 3.0F});
    Extents whole = first;
    whole += second;
    const std::vector<Extents> batches = {first, Extents{}, second};
    const Rug inX = rugOf(whole, batches, Domain::Signed);
    CHECK(inX.whole == Range{-1.0, 3.0});
    CHECK(inX.parts == std::vector<Range>{{-1.0, 0.5}, {2.0, 3.0}});
    const Rug inMagnitudes = rugOf(whole, batches, Domain::Magnitude);
    CHECK(inMagnitudes.whole == Range{0.5, 3.0});
    CHECK(inMagnitudes.parts == std::vector<Range>{{0.5, 1.0}, {2.0, 3.0}});
    const auto drawn = recorded([&](QPainter& painter) {
        paintRug(painter, frameShowing({-2.0, 4.0}), inX);
    });
    CHECK(drawn.rects.size() == 4);
    const PlotFrame frame = frameShowing({-2.0, 4.0});
    const auto at = [&](double value, double above) {
        return rugText(inX, {frame.x.scale.toPixel(value), frame.area.bottom() - above}, frame);
    };
    CHECK(at(3.0, 4.0) == "greatest value 3");
    CHECK(at(-1.0, 4.0) == "least value −1");
    CHECK(at(0.5, 4.0) == "end of a batch's values, 0.5");
    CHECK(at(1.2, 4.0).isEmpty());
    CHECK(at(3.0, 30.0).isEmpty());
    CHECK(rugLegend(inX) == "▲ least, greatest value   | ends of each batch");
    CHECK(rugLegend(rugOf(first, std::vector{first}, Domain::Signed)) == "▲ least, greatest value");
}

TEST_CASE("an outline is one line of steps, as high as the largest count of each pixel")
{
    std::vector<double> counts(4000, 10.0);
    counts[2000] = 90.0;
    QImage image(1000, 300, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintOutline(painter, frameShowing({0.0, 1.0}), {0.0, 1.0}, counts, 1.0, QColor(Qt::black));
    painter.end();
    const auto firstDark = [&](int x) {
        for (int y = 0; y < 300; ++y)
            if (image.pixelColor(x, y).lightness() < 128)
                return y;
        return 300;
    };
    CHECK(firstDark(500) == Approx(30).margin(2));
    CHECK(firstDark(200) == Approx(270).margin(2));
    CHECK(recorded([&](QPainter& other) {
              paintOutline(other, frameShowing({0.0, 1.0}), {0.0, 1.0}, counts, 1.0,
                           QColor(Qt::black));
          }).polylines == 1);
}

}  // namespace histogram_painter_test
