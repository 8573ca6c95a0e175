// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/channel_heat_content.h"

#include "tests/support/catch.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/theme.h"

#include <QImage>
#include <QPainter>

namespace channel_heat_content_test {

using namespace calibscope;
using namespace calibscope::test;

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

}  // namespace channel_heat_content_test
