// SPDX-License-Identifier: GPL-3.0-or-later
// The plots in all their states, compared with pictures of them.
#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/golden_picture.h"
#include "tests/support/recorded_painting.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/layers_content.h"
#include "ui/charts/learning_content.h"
#include "ui/charts/scale_rows_content.h"
#include "ui/plot/picture.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <cmath>

namespace plots_test {

using namespace calibscope;
using namespace calibscope::test;

PictureSettings settingsOf(const QString& title, const GoldenVariant& variant = {},
                           bool isLogX = false)
{
    return {.size = QSize(720, 400),
            .scale = variant.scale,
            .isDark = variant.isDark,
            .title = title,
            .isLogX = isLogX};
}

GoldenView viewOf(const PlotContent& content, const PictureSettings& settings)
{
    const auto paint = [&](QPainter& painter) { paintPicture(painter, content, settings); };
    return {.picture = renderContent(content, settings),
            .drawn = recordPainting(settings.size, paint).lines};
}

void checkContent(const QString& name, const PlotContent& content, bool isLogX = false,
                  GoldenLooks looks = GoldenLooks::LightAndDark)
{
    checkGolden(
        name,
        [&](const GoldenVariant& variant) {
            return viewOf(content, settingsOf(name, variant, isLogX));
        },
        looks);
}

void checkHistogram(const QString& name, const Histogram& histogram,
                    CountAxis axis = CountAxis::Log, bool isLogX = false,
                    GoldenLooks looks = GoldenLooks::LightAndDark)
{
    HistogramContent content;
    content.setHistogram(histogram);
    content.setThresholds({markAt("entropy", 1.6), markAt("percentile", 2.4, true)});
    content.setCountAxis(axis);
    checkContent(name, content, isLogX, looks);
}

/// A bell between -3 and 3 around `centre`.
Histogram bellHistogram(double centre)
{
    std::vector<std::uint64_t> counts;
    for (int bin = 0; bin < 600; ++bin) {
        const double place = (bin - 300) / 80.0;
        counts.push_back(static_cast<std::uint64_t>(2000.0 * std::exp(-place * place / 2.0)));
    }
    return histogramOf(Domain::Signed, centre - 3.0, centre + 3.0, counts);
}

Histogram tenDecades()
{
    Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 1e4, {4000});
    histogram.edges = {0.0};
    for (int edge = 0; edge <= 200; ++edge)
        histogram.edges.push_back(std::pow(10.0, -6.0 + edge / 20.0));
    for (int bin = 0; bin < 200; ++bin)
        histogram.counts.push_back(
            static_cast<std::uint64_t>(1.0 + 900.0 * std::exp(-std::pow((bin - 120) / 40.0, 2.0))));
    return histogram;
}

TEST_CASE("histograms look as they did", "[golden]")
{
    checkHistogram("histogram-log", tailHistogram(4.0), CountAxis::Log, false,
                   GoldenLooks::LightDarkAndFine);
    checkHistogram("histogram-linear", tailHistogram(4.0), CountAxis::Linear);
    checkHistogram("histogram-log-x", tailHistogram(4.0), CountAxis::Log, true);
    checkHistogram("histogram-signed", bellHistogram(0.0));
    checkHistogram("histogram-negative", bellHistogram(-5.0));
    Histogram zeros = tailHistogram(4.0);
    zeros.counts.front() = 90000;
    checkHistogram("histogram-zeros", zeros);
    checkHistogram("histogram-zeros-log-x", zeros, CountAxis::Log, true);
    checkHistogram("histogram-ten-decades", tenDecades());
    checkHistogram("histogram-ten-decades-log-x", tenDecades(), CountAxis::Log, true);
}

TEST_CASE("histograms with nothing to draw say so as they did", "[golden]")
{
    const auto check = [](const QString& name, const Histogram& histogram,
                          GoldenLooks looks = GoldenLooks::Light) {
        checkHistogram(name, histogram, CountAxis::Log, false, looks);
    };
    check("histogram-constant", histogramOf(Domain::Signed, 2.5, 2.5, {700}),
          GoldenLooks::LightAndDark);
    check("histogram-one-value", histogramOf(Domain::Magnitude, 0.25, 0.25, {1}));
    check("histogram-all-zero", histogramOf(Domain::Magnitude, 0.0, 0.0, {4096}));
    check("histogram-not-finite", histogramOf(Domain::Magnitude, 0.0, 0.0, {}));
}

TEST_CASE("histograms over one another look as they did", "[golden]")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(4.0, 512));
    content.setOutlines({{"reconstructed", QColor(0xd55e00), Qt::SolidLine, tailHistogram(3.0, 64)},
                         {"coarse", QColor(0x009e73), Qt::DashLine, tailHistogram(4.0, 16)}});
    checkContent("histogram-outlines", content);
}

TEST_CASE("curves and channels look as they did", "[golden]")
{
    std::vector<double> thresholds;
    std::vector<double> values;
    for (int point = 1; point <= 300; ++point) {
        thresholds.push_back(point * 0.01);
        values.push_back(0.02 + std::pow(point / 100.0 - 2.0, 2.0));
    }
    CurveContent curves;
    curves.setCurves({curveOf("entropy", "KL divergence", thresholds, values)});
    checkContent("curve", curves);
    checkContent("curve-log-x", curves, true);
    ScaleRowMark row{
        .label = "min-max", .color = QColor(0x0072b2), .scales = {}, .tensorScale = 0.027};
    for (int channel = 0; channel < 96; ++channel)
        row.scales.push_back(0.01 * std::exp(std::sin(channel * 1.7)));
    ScaleRowsContent channels;
    channels.setRows(inIndexOrder({row}, "channel"));
    checkContent("channels", channels);
}

TEST_CASE("layers, their channels and learning curves look as they did", "[golden]")
{
    LayersMark mark{.layers = {},
                    .xTitle = "layers",
                    .inputColor = QColor(0x0072b2),
                    .weightColor = QColor(0xd55e00),
                    .inkColor = QColor(0x353c44)};
    for (int layer = 0; layer < 24; ++layer) {
        const double output = 30.0 + 14.0 * std::sin(layer * 1.3);
        mark.layers.push_back({.name = QStringLiteral("conv%1").arg(layer),
                               .output = output,
                               .interval = 0.2 + 0.1 * (layer % 7),
                               .ac = output - 2.0 - layer % 5,
                               .input = output + 0.8,
                               .weight = output + 5.0 + layer % 6});
    }
    mark.layers[5] = {.name = "conv5", .reason = "input x is not in the dump"};
    LayersContent layers;
    layers.setLayers(mark);
    layers.setChosen(9);
    checkContent("layers", layers);

    LayerChannelsMark channels{
        .channels = {}, .meanColor = QColor(0xd55e00), .spreadColor = QColor(0xbfc6cf)};
    for (int channel = 0; channel < 48; ++channel) {
        const double mean = 0.02 * std::sin(channel * 0.9);
        channels.channels.signal.push_back(1.0);
        channels.channels.noise.push_back(mean * mean + 2e-4);
        channels.channels.meanError.push_back(mean);
        channels.channels.gainDb.push_back(1.0);
        channels.channels.isDead.push_back(false);
    }
    LayerChannelsContent perChannel;
    perChannel.setChannels(channels);
    checkContent("layer-channels", perChannel);

    LearningMark learning{.label = "percentile 99.99",
                          .color = QColor(0x0072b2),
                          .points = {},
                          .converged = 11,
                          .emphasised = true};
    for (int batches = 1; batches <= 16; ++batches) {
        const double threshold = 4.0 - 1.6 / batches;
        learning.points.push_back({.units = static_cast<std::uint64_t>(batches),
                                   .threshold = threshold,
                                   .low = threshold - 0.9 / std::sqrt(batches),
                                   .high = threshold + 0.7 / std::sqrt(batches)});
    }
    LearningMark other = learning;
    other.label = "min-max";
    other.color = QColor(0xd55e00);
    other.style = Qt::DashLine;
    other.emphasised = false;
    for (LearningPoint& point : other.points)
        point.threshold += 0.8;
    LearningContent curves;
    curves.setCurves({learning, other}, "batches");
    checkContent("learning", curves);
}

TEST_CASE("a missing thin curve and another digit are told, by what was drawn and by tile")
{
    const auto viewWith = [](const QString& text, bool hasCurve) {
        const QSize size(1160, 720);
        const auto paint = [&](QPainter& painter) {
            painter.setFont(pictureFont(13));
            painter.drawText(40, 40, text);
            painter.setPen(QPen(QColor(0xd55e00), 1.0));
            if (hasCurve)
                painter.drawPolyline(QPolygonF({{100, 300}, {200, 280}, {400, 310}}));
        };
        GoldenView view{.picture = QImage(size, QImage::Format_RGB32),
                        .drawn = recordPainting(size, paint).lines};
        view.picture.fill(Qt::white);
        QPainter painter(&view.picture);
        paint(painter);
        return view;
    };
    loadFonts();
    const GoldenView golden = viewWith("scale 0.031", true);
    for (const GoldenView& other :
         {viewWith("scale 0.031", false), viewWith("scale 0.037", true)}) {
        CHECK_FALSE(drawnDifferences(golden.drawn, other.drawn).isEmpty());
        CHECK_FALSE(drawnDifferences(golden.drawn, other.drawn, DrawnMatch::OtherStyle).isEmpty());
        CHECK_FALSE(differingTile(golden.picture, other.picture).isEmpty());
    }
}

TEST_CASE("what is drawn may be a pixel off, or some where the style is another")
{
    const QStringList golden{
        "= QChartView 10,20 300x200", "lines n6 points n12 pen #000000 1 box 1,2 30x40",
        "= calibscope::Card 0,0 9x9", "rects n1", "text at 5,6 size 13 #000000 \"a 1,5\""};
    QStringList near = golden;
    near[1].replace("1,2", "2,3");
    CHECK(drawnDifferences(golden, near).isEmpty());
    near[1].replace("2,3", "2,9");
    CHECK(drawnDifferences(golden, near).size() == 1);
    CHECK(drawnDifferences(golden, near, DrawnMatch::OtherStyle).isEmpty());
    near[3] = "rects n7";
    near[4].replace("5,6", "9,9");
    CHECK(drawnDifferences(golden, near, DrawnMatch::OtherStyle).isEmpty());
    near[4].replace("1,5", "1,6");
    CHECK(drawnDifferences(golden, near, DrawnMatch::OtherStyle).size() == 1);

    // A view that is higher there shows the edge of one row more, whose text begins above its end.
    const QStringList rows{"= QTreeView 8,20 90x50", "text at 9,38 size 12 #000000 \"a\"",
                           "text at 9,62 size 12 #000000 \"b\""};
    QStringList more{"= QTreeView 8,17 90x54", "text at 9,35 size 12 #000000 \"a\"",
                     "text at 9,59 size 12 #000000 \"b\"", "text at 9,83 size 12 #000000 \"c\""};
    CHECK(drawnDifferences(rows, more, DrawnMatch::OtherStyle).isEmpty());
    CHECK_FALSE(drawnDifferences(rows, more).isEmpty());
    more[3].replace("9,83", "9,60");
    CHECK_FALSE(drawnDifferences(rows, more, DrawnMatch::OtherStyle).isEmpty());
}

TEST_CASE("a tile may have the edge of a letter otherwise, and no more")
{
    QImage one(40, 40, QImage::Format_RGB32);
    one.fill(Qt::white);
    QImage other = one;
    for (int x = 17; x < 23; ++x)
        other.setPixelColor(x, 4, Qt::black);
    other.setPixelColor(24, 4, QColor(250, 250, 250));
    CHECK(differingTile(one, other).isEmpty());
    other.setPixelColor(23, 4, Qt::black);
    CHECK(differingTile(one, other) == "7 pixels of the tile at 16, 0");
    CHECK_FALSE(differingTile(one, QImage(5, 5, QImage::Format_RGB32)).isEmpty());
}

}  // namespace plots_test
