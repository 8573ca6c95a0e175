// SPDX-License-Identifier: GPL-3.0-or-later
// A logarithmic x axis, from the content's request to what is drawn.
#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/recorded_painting.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <cmath>

namespace log_x_test {

using namespace calibscope;
using namespace calibscope::test;

PlotFrame logFrame(const HistogramContent& content)
{
    loadFonts();
    FrameWish request;
    request.outer = QRectF(0, 0, 800, 400);
    request.font = pictureFont(13);
    request.xKind = ScaleKind::Log;
    request.logX = content.logX().value();
    request.shown = {request.logX.floor, content.fullRange().high};
    return layoutPlot(content, request);
}

QStringList labelsOf(const PlotAxis& axis)
{
    QStringList labels;
    for (const Tick& tick : axis.ticks)
        if (!tick.label.isEmpty())
            labels += tick.label;
    return labels;
}

TEST_CASE("magnitudes may be logarithmic, negative values give the reason why not")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(4.0));
    CHECK(content.logX().has_value());
    content.setHistogram(histogramOf(Domain::Signed, -1.0, 1.0, {3, 4}));
    CHECK_FALSE(content.logX().has_value());
    CHECK(content.xAxis().linearOnly.contains(QStringLiteral("Negative values")));
    content.setHistogram(histogramOf(Domain::Signed, -3.0, -1.0, {3, 4}));
    CHECK_FALSE(content.logX().has_value());
    content.setHistogram(histogramOf(Domain::Signed, 0.0, 2.0, {3, 4}));
    CHECK(content.logX().has_value());
}

TEST_CASE("zeros have a labelled place at the left end, as wide as it is told")
{
    HistogramContent content;
    std::vector<std::uint64_t> counts(1000, 1);
    counts[0] = 500;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 10.0, counts));
    const LogX log = content.logX().value();
    CHECK(log.least == Approx(0.01));
    CHECK(log.floor < log.least);
    const PlotFrame frame = logFrame(content);
    CHECK(labelsOf(frame.x).contains(QStringLiteral("0")));
    CHECK(labelsOf(frame.x).contains(QStringLiteral("10⁻¹")));
    CHECK(frame.x.scale.toPixel(0.0) == frame.area.left());
    const double zeroPlace = frame.x.scale.toPixel(log.least) - frame.area.left();
    CHECK(zeroPlace / frame.area.width() == Approx(0.057).margin(0.005));
    CHECK(content.readout(log.floor, frame).contains(QStringLiteral("count 500")));
}

TEST_CASE("ten decades of magnitudes are drawn with readable labels")
{
    HistogramContent content;
    Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 1e4, {});
    histogram.edges = {0.0};
    for (int edge = 0; edge <= 100; ++edge)
        histogram.edges.push_back(std::pow(10.0, -6.0 + edge / 10.0));
    histogram.counts.assign(101, 7);
    content.setHistogram(histogram);
    const PlotFrame frame = logFrame(content);
    CHECK(labelsOf(frame.x).size() >= 5);
    const RecordedPainting painting =
        recordPainting({800, 400}, [&](QPainter& painter) { paintPlot(painter, content, frame); });
    CHECK(textFaults(painting, QRectF(0, 0, 800, 400)).empty());
}

TEST_CASE("a plot shows its range on the axis that was asked for, as long as it can")
{
    HistogramPlot plot;
    plot.resize(900, 420);
    plot.setHistogram(tailHistogram(4.0));
    plot.setLogX(true);
    CHECK(plot.isLogX());
    CHECK(plot.shownRange().low > 0.0);
    CHECK(plot.linearOnlyText().isEmpty());
    const QImage logarithmic = plot.picture();
    plot.setLogX(false);
    CHECK(plot.picture() != logarithmic);
    plot.setLogX(true);
    plot.setHistogram(histogramOf(Domain::Signed, -1.0, 1.0, {3, 4}));
    CHECK_FALSE(plot.isLogX());
    CHECK(plot.shownRange().low < -0.9);
    CHECK_FALSE(plot.linearOnlyText().isEmpty());
    plot.setHistogram(tailHistogram(4.0));
    CHECK(plot.isLogX());
}

TEST_CASE("a curve's logarithmic axis begins at its least threshold")
{
    HistogramPlot histogram;
    histogram.setHistogram(tailHistogram(4.0));
    CurvePlot curve;
    curve.setCurves({curveOf("entropy", "KL divergence", {0.25, 1, 4}, {0.5, 0.1, 0.3})});
    curve.setLogX(true);
    CHECK(curve.shownRange().low == 0.25);
    histogram.linkX(curve);
    histogram.setLogX(true);
    CHECK(curve.shownRange().low < 0.01);
}

}  // namespace log_x_test
