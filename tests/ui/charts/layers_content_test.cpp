// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/layers_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/framed_content.h"

#include "ui/theme/sqnr_limits.h"

#include <QImage>

#include <limits>

namespace layers_content_test {

using namespace calibscope::test;
using namespace calibscope;

const QColor mean(0xd55e00);
const QColor spread(0xbfc6cf);

LayerChannelsMark someChannels()
{
    return {.channels = {.signal = {4.0, 1.0, 0.0},
                         .noise = {0.25, 0.04, 0.0},
                         .meanError = {0.3, -0.1, 0.0},
                         .gainDb = {1.9, 1.2, 0.0},
                         .isDead = {false, false, true}},
            .meanColor = mean,
            .spreadColor = spread};
}

TEST_CASE("mean errors stand up or down from 0 before the root of the mean square")
{
    LayerChannelsContent content;
    content.setChannels(someChannels());
    const PlotFrame frame = frameOf(content);
    const AxisScale& y = frame.y.front().scale;
    const RecordedPainting painting = paintingOf(content);
    const std::vector<QRectF> means = rectsOf(painting, mean);
    const std::vector<QRectF> spreads = rectsOf(painting, spread);
    REQUIRE(means.size() == 3);
    REQUIRE(spreads.size() == 3);
    CHECK(means[0].top() == Approx(y.toPixel(0.3)).margin(0.5));
    CHECK(means[0].bottom() == Approx(y.toPixel(0.0)).margin(0.5));
    CHECK(means[1].bottom() == Approx(y.toPixel(-0.1)).margin(0.5));
    CHECK(spreads[0].top() == Approx(y.toPixel(0.5)).margin(0.5));
    CHECK(spreads[0].bottom() == Approx(y.toPixel(-0.5)).margin(0.5));
}

TEST_CASE("a channel is told with what correcting it gains, a dead one without")
{
    LayerChannelsContent content;
    content.setChannels(someChannels());
    CHECK(content.readout(0.2, {}).toStdString() ==
          "channel 0   mean error 0.3   root mean square 0.5   correcting it gains 1.9 dB");
    CHECK_THAT(content.readout(2.0, {}).toStdString(), containsText("no signal"));
    CHECK(content.readout(3.0, {}).isEmpty());
    CHECK(content.summary().toStdString() ==
          "Mean error of 3 output channels; the largest is 0.3 in channel 0.");
}

TEST_CASE("the table has all numbers of a channel")
{
    LayerChannelsContent content;
    content.setChannels(someChannels());
    const std::optional<PlotTable> table = content.table(content.fullRange());
    REQUIRE(table);
    REQUIRE(table->rowCount() == 3);
    CHECK(cellText(table->columns[1], 1) == "-0.1");
    CHECK(cellText(table->columns[2], 0) == "0.5");
    CHECK(cellText(table->columns[3], 0) == "2");
    CHECK(cellText(table->columns[4], 1) == "1.2");
}

TEST_CASE("without channels there is a sentence, and errors of 0 have an axis")
{
    LayerChannelsContent content;
    CHECK(content.isEmpty());
    content.setEmpty("Computing");
    CHECK(content.summary() == "Computing");
    LayerChannelsMark none = someChannels();
    none.channels.noise = none.channels.meanError = {0.0, 0.0, 0.0};
    content.setChannels(none);
    CHECK(content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))})[0]
              .values.width() > 0.0);
}

const QColor blue(0x0072b2);
const QColor red(0xd55e00);

LayersMark markWith(std::vector<LayerMark> layers)
{
    return {.layers = std::move(layers),
            .xTitle = "layers",
            .inputColor = blue,
            .weightColor = red,
            .inkColor = Qt::black};
}

LayerMark layer(const QString& name, double output, double interval = 0.5)
{
    return {.name = name,
            .output = output,
            .interval = interval,
            .ac = output - 3.0,
            .input = output + 1.0,
            .weight = output + 6.0};
}

TEST_CASE("a layer is two bars from 0 dB, a dot with a whisker and a ring")
{
    LayersContent content;
    content.setLayers(markWith({layer("a", 20.0), layer("b", 30.0)}));
    const PlotFrame frame = frameOf(content);
    const RecordedPainting painting = paintingOf(content);
    const std::vector<QRectF> inputs = rectsOf(painting, blue);
    REQUIRE(inputs.size() == 2);
    const AxisScale& y = frame.y.front().scale;
    CHECK(inputs[0].top() == Approx(y.toPixel(21.0)).margin(0.5));
    CHECK(inputs[0].bottom() == Approx(y.toPixel(0.0)).margin(0.5));
    CHECK(inputs[1].top() == Approx(y.toPixel(31.0)).margin(0.5));
    CHECK(inputs[0].right() <= frame.x.scale.toPixel(1.0) + 0.5);  // left of the middle
    CHECK(painting.ellipses == 2 * 3);  // a dot, and a ring on a ring of the ground
}

TEST_CASE("the axis begins at 0 and holds all parts and whiskers")
{
    LayersContent content;
    content.setLayers(markWith({layer("a", 20.0), layer("b", 40.0, 9.0)}));
    const auto axes = content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))});
    REQUIRE(axes.size() == 1);
    CHECK(axes[0].values.low == 0.0);
    CHECK(axes[0].values.high >= 49.0);
    content.setLayers(markWith({layer("a", -4.0)}));
    CHECK(
        content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))})[0].values.low <
        -7.0);
}

TEST_CASE("an infinite number is drawn at the edge and does not widen the axis")
{
    LayersContent content;
    const double inf = std::numeric_limits<double>::infinity();
    content.setLayers(markWith({layer("a", 20.0), layer("b", inf)}));
    const auto axes = content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))});
    CHECK(axes[0].values.high < 32.0);  // the limit of 30 dB is in sight
    const PlotFrame frame = frameOf(content);
    for (const DrawnRect& drawn : paintingOf(content).rects)
        CHECK(drawn.rect.top() >= frame.area.top() - 1.0);
    CHECK_THAT(content.readout(2.0, frame).toStdString(), containsText("output ∞ dB   AC"));
}

TEST_CASE("a layer that cannot be computed is told with its reason")
{
    LayersContent content;
    content.setLayers(
        markWith({layer("a", 20.0), {.name = "b", .reason = "input x is not in the dump"}}));
    CHECK(content.readout(2.2, {}).toStdString() == "b   input x is not in the dump");
    CHECK(content.readout(1.0, {}).toStdString() ==
          "a   output 20.0 ± 0.5 dB   AC 17.0 dB   input alone 21.0 dB   weight alone 26.0 dB");
    CHECK(content.readout(2.6, {}).isEmpty());
    CHECK(content.placeAt(1.4) == 0U);
    CHECK_FALSE(content.placeAt(0.4));
}

TEST_CASE("a hundred and more layers are still a bar each")
{
    std::vector<LayerMark> layers(300, layer("a", 20.0));
    LayersContent content;
    content.setLayers(markWith(layers));
    CHECK(rectsOf(paintingOf(content), blue).size() == 300);
    CHECK(rectsOf(paintingOf(content), red).size() == 300);
}

TEST_CASE("the chosen layer lies on a ground of its own")
{
    LayersContent content;
    content.setLayers(markWith({layer("a", 20.0), layer("b", 30.0)}));
    const std::size_t before = paintingOf(content).rects.size();
    content.setChosen(1);
    CHECK(paintingOf(content).rects.size() > before);
    content.setChosen(7);
    CHECK(paintingOf(content).rects.size() == before);
}

TEST_CASE("layers are named below the axis, by the parts that differ where room is short")
{
    std::vector<LayerMark> layers;
    for (int number = 0; number < 30; ++number)
        layers.push_back(
            layer(QStringLiteral("model/stage/batch_normalization_%1_out").arg(number), 20.0));
    LayersContent content;
    content.setLayers(markWith(layers));
    const PlotFrame frame = frameOf(content);
    CHECK(frame.x.isUpright);
    REQUIRE(frame.x.ticks.size() == 30);
    for (int number = 0; number < 30; ++number)
        CHECK(frame.x.ticks[static_cast<std::size_t>(number)].label.contains(
            QString::number(number) + u'_'));
    content.setLayers(markWith({layer("conv_1", 20.0), layer("conv_2", 20.0)}));
    CHECK_FALSE(frameOf(content).x.isUpright);
    CHECK(frameOf(content).x.ticks.front().label == "conv_1");
    const QRectF picture(QPointF(0.0, 0.0), QSizeF(framedSize));
    for (const std::size_t count : {2U, 13U, 30U}) {
        content.setLayers(markWith({layers.begin(), layers.begin() + static_cast<long>(count)}));
        const PlotFrame laidOut = frameOf(content);
        CHECK(textFaults(
                  recordPainting(framedSize,
                                 [&](QPainter& painter) { paintPlot(painter, content, laidOut); }),
                  picture) == std::vector<std::string>());
    }
}

TEST_CASE("only below the limits a dot has a colour of its own, and the limit is a line in sight")
{
    LayersContent content;
    content.setLayers(markWith({layer("a", 12.0, 0.0)}));
    CHECK(content.yAxes({linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13))})[0]
              .values.high > sqnrLimits().good);
    CHECK(content.legend().back().text == "limit, 30 dB");
    const auto dotOf = [&](double db) {
        content.setLayers(markWith({layer("a", db, 0.0)}));
        const PlotFrame frame = frameOf(content);
        QImage image(framedSize, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        content.paint(painter, frame);
        painter.end();
        return image.pixelColor(static_cast<int>(frame.x.scale.toPixel(1.0)),
                                static_cast<int>(frame.y.front().scale.toPixel(db)));
    };
    CHECK(dotOf(12.0) == sqnrColor(SqnrGrade::Poor, lightChartColors()));
    CHECK(dotOf(25.0) == sqnrColor(SqnrGrade::Fair, lightChartColors()));
    CHECK(dotOf(40.0) == lightChartColors().text);
}

TEST_CASE("the table has a row for each layer in view, and a sentence says the lowest")
{
    LayersContent content;
    content.setLayers(markWith({layer("a", 20.0, 0.0), layer("b", 12.5), {.name = "c"}}));
    const std::optional<PlotTable> table = content.table(content.fullRange());
    REQUIRE(table);
    REQUIRE(table->rowCount() == 3);
    REQUIRE(table->columns.size() == 6);
    CHECK(cellText(table->columns[0], 1) == "b");
    CHECK(cellText(table->columns[1], 1) == "12.5");
    CHECK(cellText(table->columns[2], 0).isEmpty());  // exact: no interval
    CHECK(cellText(table->columns[1], 2).isEmpty());
    CHECK(content.table({1.6, 2.4})->rowCount() == 1);
    CHECK(content.summary().toStdString() ==
          "SQNR of the output of 2 of 3 layers. The lowest is b with 12.5 dB.");
}

TEST_CASE("without layers there is a sentence")
{
    LayersContent content;
    CHECK(content.isEmpty());
    content.setEmpty("Computing");
    CHECK(content.summary() == "Computing");
    content.setLayers(markWith({{.name = "a"}}));
    CHECK_FALSE(content.isEmpty());
    CHECK(content.readout(1.0, {}).toStdString() == "a   not computed yet");
}

}  // namespace layers_content_test
