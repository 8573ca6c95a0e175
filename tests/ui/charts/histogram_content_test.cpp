// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/recorded_painting.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <cmath>
#include <limits>

namespace histogram_content_test {

using namespace calibscope::test;
using namespace calibscope;

std::vector<OutlineMark> twoOutlines()
{
    return {{.label = QStringLiteral("channel 3"),
             .color = Qt::blue,
             .histogram = histogramOf(Domain::Magnitude, 0.0, 8.0, {5, 1, 0, 0})},
            {.label = QStringLiteral("channel 7"),
             .color = Qt::red,
             .histogram = histogramOf(Domain::Magnitude, 0.0, 8.0, {0, 2, 9, 0})}};
}

TEST_CASE("outlines of several channels share axes that hold all that is not empty")
{
    loadFonts();
    ChannelOutlinesContent content;
    content.setOutlines(twoOutlines());
    CHECK_FALSE(content.isEmpty());
    CHECK(content.fullRange().high == test::Approx(6.0).epsilon(0.05));
    CHECK(content.legend().size() == 2);
    FrameWish request;
    request.outer = QRectF(0.0, 0.0, 600.0, 300.0);
    request.shown = content.fullRange();
    request.font = pictureFont(13);
    const PlotFrame frame = layoutPlot(content, request);
    CHECK(recordPainting({600, 300}, [&](QPainter& painter) {
              content.paint(painter, frame);
          }).polylines == 2);
}

TEST_CASE("each channel's count under the pointer is told")
{
    ChannelOutlinesContent content;
    content.setOutlines(twoOutlines());
    CHECK(content.readout(4.5, {}).toStdString() == "|x| 4.5   channel 3: 0   channel 7: 9");
    CHECK(content.table({0.0, 8.0})->rowCount() == 8);
    CHECK_THAT(content.summary().toStdString(), containsText("channel 3, channel 7"));
}

TEST_CASE("channels without different values are a sentence")
{
    ChannelOutlinesContent content;
    CHECK(content.isEmpty());
    std::vector<OutlineMark> outlines = twoOutlines();
    for (OutlineMark& outline : outlines)
        outline.histogram.high = 0.0;
    content.setOutlines(outlines);
    CHECK(content.isEmpty());
    CHECK_FALSE(content.summary().isEmpty());
}

const std::vector<std::uint64_t> countBefore = {0, 60, 90, 99, 100};

Histogram someHistogram(Domain domain = Domain::Magnitude)
{
    return domain == Domain::Magnitude ? histogramOf(domain, 0.0, 4.0, {60, 30, 9, 1})
                                       : histogramOf(domain, -2.0, 2.0, {60, 30, 9, 1});
}

ThresholdMark steppedMark(const QString& label, double threshold, double step)
{
    ThresholdMark mark = markAt(label, threshold);
    mark.step = step;
    return mark;
}

FrameWish requestFor(const PlotContent& content)
{
    loadFonts();
    FrameWish request;
    request.outer = QRectF(0.0, 0.0, 900.0, 420.0);
    request.shown = content.fullRange();
    request.font = pictureFont(13);
    return request;
}

/// Filled columns of a content, from left to right.
std::vector<QRectF> columnsOf(const HistogramContent& content)
{
    const FrameWish request = requestFor(content);
    const PlotFrame frame = layoutPlot(content, request);
    std::vector<QRectF> columns;
    for (const auto& [rect, color] :
         recordPainting(request.outer.size().toSize(), [&](QPainter& painter) {
             painter.setFont(frame.font);
             content.paint(painter, frame);
         }).rects)
        if (color == request.colors.fill)
            columns.push_back(rect);
    return columns;
}

TEST_CASE("the card tells the bin, what lies to both sides and the nearest threshold in steps")
{
    const std::vector<ThresholdMark> thresholds = {steppedMark("entropy", 2.0, 2.0 / 127.0),
                                                   steppedMark("max", 3.9, 3.9 / 127.0)};
    const auto facts = binFacts(someHistogram(), countBefore, 1.5, thresholds);
    REQUIRE(facts);
    CHECK(factLines(*facts, QStringLiteral("|x|")).join(u'\n').toStdString() ==
          "|x|\t1 to 2\n"
          "count\t30 (30 %)\n"
          "left\t60 %\n"
          "right\t10 %\n"
          "nearest\tentropy 2, 31.8 LSB to the right");
}

TEST_CASE("both ends of a clip range count in x")
{
    const std::vector<ThresholdMark> thresholds = {steppedMark("entropy", 1.0, 0.25)};
    const auto facts = binFacts(someHistogram(Domain::Signed), countBefore, -0.5, thresholds);
    REQUIRE(facts);
    REQUIRE(facts->nearest);
    CHECK(facts->nearest->place == -1.0);
    CHECK(facts->nearest->steps == -2.0);
    CHECK(factLines(*facts, QStringLiteral("x")).back().toStdString() ==
          "nearest\tentropy −1, 2 LSB to the left");
}

TEST_CASE("without thresholds nothing is said of them, outside of the data nothing at all")
{
    const auto facts = binFacts(someHistogram(), countBefore, 4.0, {});
    REQUIRE(facts);
    CHECK(facts->bin == Range{3.0, 4.0});
    CHECK(factLines(*facts, QStringLiteral("|x|")).size() == 4);
    CHECK_FALSE(binFacts(someHistogram(), countBefore, 4.1, {}));
    CHECK_FALSE(binFacts(histogramOf(Domain::Signed, 1.0, 1.0, {3}),
                         std::vector<std::uint64_t>{0, 3}, 1.0, {}));
}

TEST_CASE("shares keep the digits that tell them from all")
{
    CHECK(shareText(99978, 100000).toStdString() == "99.978 %");
    CHECK(shareText(999999999, 1000000000).toStdString() == "99.9999999 %");
    CHECK(shareText(3, 3).toStdString() == "100 %");
    CHECK(shareText(0, 0).toStdString() == "0 %");
}

TEST_CASE("what can't be drawn is said in a sentence")
{
    HistogramContent content;
    CHECK(content.isEmpty());
    CHECK(content.emptyText().toStdString() == "There is no finite value to show.");
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 0.0, {76800}));
    CHECK(content.emptyText().toStdString() == "All 76\u202f800 values are zero.");
    content.setHistogram(histogramOf(Domain::Signed, -0.5, -0.5, {3}));
    CHECK(content.emptyText().toStdString() == "All 3 values are −0.5.");
    content.setHistogram(histogramOf(Domain::Magnitude, 0.5, 0.5, {3}));
    CHECK(content.emptyText().toStdString() == "All 3 values have the magnitude 0.5.");
    CHECK(content.isEmpty());
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 1.0, {0, 0}));
    CHECK(content.isEmpty());
    content.setEmpty(QString());
    CHECK(content.isEmpty());
    CHECK(content.emptyText().isEmpty());
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 1.0, {3, 1}));
    CHECK_FALSE(content.isEmpty());
}

TEST_CASE("empty bins at the end, as doubling leaves them, are not shown")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 8.0, {5, 0, 2, 1, 0, 0, 0, 0}));
    CHECK(content.fullRange().high == Approx(4.0).epsilon(0.02));
    CHECK(content.fullRange().low == Approx(0.0).margin(0.03));
    content.setHistogram(histogramOf(Domain::Signed, -4.0, 4.0, {0, 0, 2, 1, 0, 1, 0, 0}));
    CHECK(content.fullRange().low == Approx(-2.0).margin(0.1));
    CHECK(content.fullRange().high == Approx(2.0).margin(0.1));
}

TEST_CASE("thresholds a little outside widen the axis, those far outside don't")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 4.0, {5, 4, 2, 1}));
    content.setThresholds({markAt("L2", 4.4)});
    CHECK(content.fullRange().high >= 4.4);
    content.setThresholds({markAt("fixed", 40.0)});
    CHECK(content.fullRange().high < 4.1);
}

TEST_CASE("in x a symmetric clip range is in view with both ends although the data is skewed")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Signed, -0.25, 3.75, {5, 4, 2, 1}));
    content.setThresholds({markAt("entropy", 3.0)});
    CHECK(content.fullRange().low <= -3.0);
    CHECK(content.fullRange().high >= 3.75);
}

TEST_CASE("on a logarithmic axis a count of one is seen and zeros leave the rest in place")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 4.0, {1000, 0, 1, 10}));
    const auto columns = columnsOf(content);
    REQUIRE(columns.size() == 3);
    // 0.5 is the floor: log10(1000/0.5) to log10(1/0.5) is as 3.301 to 0.301.
    CHECK(columns[0].height() / columns[1].height() ==
          Approx(std::log10(2000.0) / std::log10(2.0)).epsilon(0.05));
    CHECK(columns[2].height() > columns[1].height());
    CHECK(columns[0].bottom() == columns[1].bottom());
    CHECK(columns[0].width() == Approx(columns[1].width()).margin(1.0));
}

TEST_CASE("on a linear axis heights are as the counts, the least at least a pixel")
{
    HistogramContent content;
    content.setCountAxis(CountAxis::Linear);
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 4.0, {1000000, 500000, 1, 0}));
    const auto columns = columnsOf(content);
    REQUIRE(columns.size() == 3);
    CHECK(columns[0].height() / columns[1].height() == Approx(2.0).epsilon(0.01));
    CHECK(columns[2].height() == 1.0);
}

TEST_CASE("a narrow bin with a tenth of all values is wide enough to be seen")
{
    std::vector<std::uint64_t> counts(4096, 0);
    counts[0] = 40;
    counts[2000] = 20;
    for (std::size_t bin = 0; bin < 400; ++bin)
        counts[10 * bin + 5] = 1;
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 4.0, counts));
    for (const QRectF& column : columnsOf(content))
        CHECK(column.width() < 4.0);
    counts[2000] = 60;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 4.0, counts));
    const auto columns = columnsOf(content);
    CHECK(std::ranges::count_if(columns,
                                [](const QRectF& column) { return column.width() == 4.0; }) == 1);
}

TEST_CASE("the count axis follows what is shown, its zero does not move")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 4.0, {1000, 100, 10, 1}));
    loadFonts();
    const QFontMetricsF metrics(pictureFont(13));
    const QSizeF size(800.0, 400.0);
    CHECK(content.yAxes({linearX({0.0, 4.0}), size, metrics}).front().values == Range{0.5, 1000.0});
    CHECK(content.yAxes({linearX({2.1, 2.9}), size, metrics}).front().values == Range{0.5, 10.0});
    CHECK(content.yAxes({linearX({2.1, 2.9}), size, metrics}).front().zeroAt == 0.5);
    content.setCountAxis(CountAxis::Linear);
    CHECK(content.yAxes({linearX({2.1, 2.9}), size, metrics}).front().values == Range{0.0, 10.0});
}

TEST_CASE("the readout tells the bin, its share and what lies to both sides")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 4.0, {60, 30, 9, 1}));
    CHECK(content.readout(1.5, {}).toStdString() ==
          "|x| from 1 to 2   count 30 (30 %)   left 60 %   right 10 %");
    // The upper end of the range belongs to the last bin.
    CHECK(content.readout(4.0, {}).toStdString() ==
          "|x| from 3 to 4   count 1 (1 %)   left 99 %   right 0 %");
    CHECK(content.readout(4.5, {}).toStdString() == "|x| 4.5   no value here");
}

TEST_CASE("a share next to all is not rounded to all")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 2.0, {99978, 22}));
    CHECK(content.readout(1.5, {}).contains(QStringLiteral("left 99.978 %")));
}

TEST_CASE("the summary names the data and the thresholds")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Signed, -2.0, 2.0, {1, 7, 2, 0}));
    content.setThresholds({markAt("entropy", 1.5)});
    CHECK(content.summary().toStdString() ==
          "Histogram of x: 10 values in 4 bins from −2 to 2, the fullest bin (7) at −0.5. "
          "Thresholds: entropy ±1.5.");
}

TEST_CASE("a threshold that is not finite has no legend entry")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Signed, -2.0, 2.0, {1, 7, 2, 0}));
    content.setThresholds({markAt("odd", std::numeric_limits<double>::infinity())});
    CHECK(content.legend().empty());
}

}  // namespace histogram_content_test
