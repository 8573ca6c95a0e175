// The plots in all their states, compared with pictures of them.
#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/golden_picture.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/scale_rows_content.h"
#include "ui/plot/picture.h"

#include <cmath>

using namespace calibscope;
using namespace calibscope::test;

namespace {

void checkContent(const QString& name, const PlotContent& content, bool isLogX = false)
{
    checkGolden(name, [&](const GoldenVariant& variant) {
        return renderContent(content, {.size = QSize(720, 400),
                                       .scale = variant.scale,
                                       .isDark = variant.isDark,
                                       .title = name,
                                       .isLogX = isLogX});
    });
}

void checkHistogram(const QString& name, const Histogram& histogram,
                    CountAxis axis = CountAxis::Log, bool isLogX = false)
{
    HistogramContent content;
    content.setHistogram(histogram);
    content.setThresholds({markAt("entropy", 1.6), markAt("percentile", 2.4, true)});
    content.setCountAxis(axis);
    checkContent(name, content, isLogX);
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

}  // namespace

TEST_CASE("histograms look as they did", "[golden]")
{
    checkHistogram("histogram-log", tailHistogram(4.0));
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
    checkHistogram("histogram-constant", histogramOf(Domain::Signed, 2.5, 2.5, {700}));
    checkHistogram("histogram-one-value", histogramOf(Domain::Magnitude, 0.25, 0.25, {1}));
    checkHistogram("histogram-all-zero", histogramOf(Domain::Magnitude, 0.0, 0.0, {4096}));
    checkHistogram("histogram-not-finite", histogramOf(Domain::Magnitude, 0.0, 0.0, {}));
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

TEST_CASE("pictures of different pixels or size are told apart")
{
    QImage one(10, 10, QImage::Format_RGB32);
    one.fill(Qt::white);
    QImage other = one;
    CHECK(differingShare(one, other) == 0.0);
    other.setPixelColor(3, 4, QColor(250, 250, 250));
    CHECK(differingShare(one, other) == 0.0);
    other.setPixelColor(3, 4, Qt::black);
    CHECK(differingShare(one, other) == 0.01);
    CHECK(differingShare(one, QImage(5, 5, QImage::Format_RGB32)) == 1.0);
}
