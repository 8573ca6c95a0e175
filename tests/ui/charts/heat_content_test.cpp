// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/heat_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/theme.h"

#include <QImage>
#include <QPainter>

namespace heat_content_test {

using namespace calibscope::test;
using namespace calibscope;

/// 3 channels, 4 columns of [0, 8]: the second one reaches the end.
Strip someStrip()
{
    return {.range = {0.0, 8.0},
            .rows = 3,
            .columns = 4,
            .counts = {5, 0, 0, 0, 1, 2, 3, 4, 0, 1000, 0, 0}};
}

PlotFrame frameFor(const ChannelHeatContent& content)
{
    loadFonts();
    FrameWish request;
    request.outer = QRectF(0.0, 0.0, 600.0, 300.0);
    request.shown = content.fullRange();
    request.font = pictureFont(13);
    return layoutPlot(content, request);
}

/// Colour in the middle of a channel's cell.
QColor colorAt(const ChannelHeatContent& content, double place, double value)
{
    const PlotFrame frame = frameFor(content);
    QImage image(600, 300, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    content.paint(painter, frame);
    painter.end();
    return image.pixelColor(static_cast<int>(frame.x.scale.toPixel(place)),
                            static_cast<int>(frame.y.front().scale.toPixel(value)));
}

TEST_CASE("a channel's values are coloured by their count, empty cells are the ground")
{
    ChannelHeatContent content;
    content.setStrip(someStrip(), Domain::Magnitude, {0, 1, 2}, QStringLiteral("channel"));
    CHECK_FALSE(content.isEmpty());
    CHECK(colorAt(content, 2.0, 3.0) == heatColor(1.0, false));  // 1000 values
    CHECK(colorAt(content, 0.0, 3.0) == QColor(Qt::white));
    CHECK(colorAt(content, 1.0, 7.0) != QColor(Qt::white));
}

TEST_CASE("channels stand in the order that is given")
{
    ChannelHeatContent content;
    content.setStrip(someStrip(), Domain::Magnitude, {2, 0, 1}, QStringLiteral("channel"));
    CHECK(colorAt(content, 0.0, 3.0) == heatColor(1.0, false));
    CHECK(content.readout(0.0, {}).toStdString() ==
          "channel 2   1\u202f000 values, |x| within 2 to 4");
    CHECK(content.readout(1.2, {}).toStdString() == "channel 0   5 values, |x| within 0 to 2");
    CHECK(content.readout(3.0, {}).isEmpty());
}

TEST_CASE("magnitudes have a logarithmic axis with a place for 0, signed values a linear one")
{
    ChannelHeatContent content;
    content.setStrip(someStrip(), Domain::Magnitude, {0, 1, 2}, {});
    const YAxis magnitudes = content.yAxes({{}, {}, QFontMetricsF(pictureFont(13))}).front();
    CHECK(magnitudes.kind == ScaleKind::Log);
    CHECK(magnitudes.zeroAt == 1.0);
    CHECK(magnitudes.values == Range{1.0, 8.0});
    Strip strip = someStrip();
    strip.range = {-4.0, 4.0};
    content.setStrip(strip, Domain::Signed, {0, 1, 2}, {});
    const YAxis both = content.yAxes({{}, {}, QFontMetricsF(pictureFont(13))}).front();
    CHECK(both.kind == ScaleKind::Linear);
    CHECK(both.values == Range{-4.0, 4.0});
}

TEST_CASE("what is under the pointer is one cell")
{
    ChannelHeatContent content;
    content.setStrip(someStrip(), Domain::Magnitude, {0, 1, 2}, {});
    const PlotFrame frame = frameFor(content);
    const QPointF point(frame.x.scale.toPixel(2.0), frame.y.front().scale.toPixel(3.0));
    CHECK(content.hoverText(point, frame).toStdString() ==
          "channel 2\n|x| from 2 to 4\ncount 1\u202f000");
}

TEST_CASE("the table has the cells in view that are not empty")
{
    ChannelHeatContent content;
    content.setStrip(someStrip(), Domain::Magnitude, {0, 1, 2}, {});
    CHECK(content.table({-0.5, 2.5})->rowCount() == 6);
    CHECK(content.table({-0.5, 0.5})->rowCount() == 1);
}

TEST_CASE("without different values there is a sentence")
{
    ChannelHeatContent content;
    CHECK(content.isEmpty());
    Strip constant{.range = {3.0, 3.0}, .rows = 1, .columns = 2, .counts = {9, 0}};
    content.setStrip(constant, Domain::Signed, {0}, {});
    CHECK(content.isEmpty());
    CHECK_FALSE(content.emptyText().isEmpty());
    content.setEmpty(QStringLiteral("Counting"));
    CHECK(content.summary() == QStringLiteral("Counting"));
}

HeatContent::Words batches()
{
    return {QStringLiteral("batch"), QStringLiteral("batches")};
}

/// Two batches of four columns; the second has the largest count.
HeatGrid smallGrid()
{
    return {.domain = Domain::Magnitude,
            .range = {0.0, 4.0},
            .rows = 2,
            .columns = 4,
            .counts = {10, 0, 1, 0, 100, 5, 0, 0}};
}

QImage pictureOf(const PlotContent& content)
{
    const PlotFrame frame = frameOf(content);
    QImage image(900, 420, QImage::Format_RGB32);
    image.fill(frame.colors.background);
    QPainter painter(&image);
    content.paint(painter, frame);
    return image;
}

QColor colorAt(const QImage& image, const PlotFrame& frame, double x, double row)
{
    return image.pixelColor(static_cast<int>(frame.x.scale.toPixel(x)),
                            static_cast<int>(frame.y.front().scale.toPixel(row)));
}

using calibscope::test::Approx;

TEST_CASE("a heat map's key goes by the logarithm of the count")
{
    const std::vector<std::uint64_t> counts = {0, 3, 10000, 100};
    const HeatKey key(counts);
    CHECK(key.most() == 10000);
    CHECK(key.share(1) == 0.0);
    CHECK(key.share(100) == Approx(0.5));
    CHECK(key.share(10000) == 1.0);
    const auto entries = key.legend();
    REQUIRE(entries.size() == 4);
    CHECK(entries[1].text == "10");
    CHECK(entries[3].text.startsWith(countLabel(10000)));
    CHECK(entries[3].heat == 1.0);
}

TEST_CASE("a heat map's key without counts, with zeros or ones alone")
{
    CHECK(HeatKey().most() == 0);
    CHECK(HeatKey(std::vector<std::uint64_t>{0, 0}).most() == 0);
    const HeatKey ones(std::vector<std::uint64_t>{0, 1});
    CHECK(ones.share(1) == 1.0);
    CHECK(ones.legend().size() == 1);
}

TEST_CASE("cells are coloured by the logarithm of their count, the first row at the bottom")
{
    HeatContent content;
    content.setGrid(smallGrid(), batches());
    const QImage image = pictureOf(content);
    const PlotFrame frame = frameOf(content);
    CHECK(colorAt(image, frame, 0.5, 1.0) == heatColor(0.5, false));  // 10 of at most 100
    CHECK(colorAt(image, frame, 0.5, 2.0) == heatColor(1.0, false));
    CHECK(colorAt(image, frame, 2.5, 1.0) == heatColor(0.0, false));
    CHECK(colorAt(image, frame, 1.5, 1.0) == frame.colors.background);
    CHECK(colorAt(image, frame, 3.5, 2.0) == frame.colors.background);
}

TEST_CASE("a pixel shows the largest count of the cells that it stands for")
{
    HeatGrid grid{
        .range = {0.0, 1.0}, .rows = 3, .columns = 4, .counts = std::vector<std::uint64_t>(12)};
    grid.counts[1 * 4 + 2] = 7;
    const std::vector<BinSpan> columns = {{0, 2}, {2, 4}, {}};
    const std::vector<BinSpan> rows = {{2, 3}, {0, 2}, {}};
    std::vector<std::uint64_t> asked;
    const QImage image = heatPicture(grid, columns, rows, [&](std::uint64_t count) {
        asked.push_back(count);
        return QColor(Qt::red);
    });
    CHECK(image.size() == QSize(3, 3));
    CHECK(asked == std::vector<std::uint64_t>{7});
    CHECK(image.pixelColor(1, 1) == QColor(Qt::red));
    CHECK(image.pixelColor(0, 1).alpha() == 0);
    CHECK(image.pixelColor(1, 0).alpha() == 0);
    CHECK(image.pixelColor(1, 2).alpha() == 0);
}

TEST_CASE("the legend has the colours of the cells, on a light ground and on a dark one")
{
    loadFonts();
    HeatContent content;
    content.setGrid(smallGrid(), batches());
    for (const ChartColors& colors : {lightChartColors(), darkChartColors()}) {
        FrameWish request;
        request.outer = QRectF(0.0, 0.0, 900.0, 420.0);
        request.shown = content.fullRange();
        request.font = pictureFont(13);
        request.colors = colors;
        const PlotFrame frame = layoutPlot(content, request);
        REQUIRE(frame.legend.size() == 3);
        CHECK(frame.legend.front().entry.color == heatColor(0.0, colors.isDark));
        CHECK(frame.legend.back().entry.color == heatColor(1.0, colors.isDark));
    }
}

TEST_CASE("rows that are not looked at are veiled")
{
    HeatContent content;
    content.setGrid(smallGrid(), batches());
    content.setRowsInUse(1);
    const QImage image = pictureOf(content);
    const PlotFrame frame = frameOf(content);
    CHECK(colorAt(image, frame, 0.5, 1.0) == heatColor(0.5, false));
    CHECK(colorAt(image, frame, 0.5, 2.0).lightnessF() > heatColor(1.0, false).lightnessF() + 0.3F);
}

TEST_CASE("a clip range is a line that steps from row to row")
{
    HeatContent content;
    content.setGrid(smallGrid(), batches());
    content.setPaths({{.label = QStringLiteral("min-max"),
                       .color = QColor(Qt::magenta),
                       .clips = {{-1.5, 1.5}, {-3.5, 3.5}}}});
    const QImage image = pictureOf(content);
    const PlotFrame frame = frameOf(content);
    CHECK(colorAt(image, frame, 1.5, 1.0) == QColor(Qt::magenta));
    CHECK(colorAt(image, frame, 3.5, 2.0) == QColor(Qt::magenta));
    CHECK(colorAt(image, frame, 3.5, 1.0) != QColor(Qt::magenta));
    CHECK(content.legend().back().text == QStringLiteral("min-max"));
}

TEST_CASE("nothing to count, or one value alone, is said in a sentence")
{
    HeatContent content;
    CHECK(content.isEmpty());
    HeatGrid grid = smallGrid();
    grid.range = {1.0, 1.0};
    content.setGrid(grid, batches());
    CHECK(content.isEmpty());
    CHECK(content.emptyText().toStdString() == "There are no distinct values to show.");
    content.setEmpty(QStringLiteral("Why."));
    CHECK(content.summary() == QStringLiteral("Why."));
}

TEST_CASE("readout, card, summary and table of a heat picture")
{
    HeatContent content;
    content.setGrid(smallGrid(), batches());
    CHECK(content.readout(0.5, {}).toStdString() ==
          "|x| from 0 to 1   count 110 in 2 of 2 batches");
    CHECK(content.readout(4.0, {}).toStdString() == "|x| from 3 to 4   count 0 in 0 of 2 batches");
    CHECK(content.readout(4.5, {}).isEmpty());
    const PlotFrame frame = frameOf(content);
    const QPointF point(frame.x.scale.toPixel(1.5), frame.y.front().scale.toPixel(2.0));
    CHECK(content.hoverText(point, frame).toStdString() == "batch 2   |x| from 1 to 2   count 5");
    CHECK(content.summary().toStdString() ==
          "Counts of |x| from 0 to 4 in each of 2 batches, at most 100 in a cell.");
    CHECK(content.table({0.0, 4.0})->rowCount() == 8);
    CHECK(content.table({2.5, 4.0})->rowCount() == 4);
    CHECK(content.rowAt(0.6) == 0U);
    CHECK_FALSE(content.rowAt(0.4));
    CHECK_FALSE(content.rowAt(2.5));
}

}  // namespace heat_content_test
