// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_view.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/palettes.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

namespace plot_view_test {

using namespace calibscope::test;
using namespace calibscope;

/// A shown plot of values from 0 to 4.
struct Shown
{
    Shown()
    {
        plot.resize(900, 420);
        plot.setHistogram(tailHistogram(4.0));
        plot.show();
        QApplication::processEvents();
    }

    void wheel(int delta, const QPoint& place = {450, 200})
    {
        QWheelEvent event(place, plot.mapToGlobal(place), {}, {0, delta}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&plot, &event);
    }

    HistogramPlot plot;
};

/// Rows that an entry of a submenu copies as JSON.
qsizetype copiedRows(QMenu& menu, const QString& title)
{
    for (QAction* entry : menu.actions())
        if (entry->text().remove(u'&') == title && entry->menu())
            for (QAction* format : entry->menu()->actions())
                if (format->text().remove(u'&') == "JSON")
                    format->trigger();
    return QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8()).array().size();
}

struct Stacked
{
    Stacked()
    {
        for (HistogramPlot* plot : {&upper, &lower}) {
            plot->resize(400, 200);
            plot->setHistogram(tailHistogram(4.0));
        }
        all = upper.shownRange();
    }
    HistogramPlot upper;
    HistogramPlot lower;
    PlotStack stack{{&upper, &lower}};
    Range all;
};

TEST_CASE("the wheel zooms in around the pointer and out to all")
{
    Shown shown;
    const Range full = shown.plot.shownRange();
    shown.wheel(120);
    CHECK(shown.plot.shownRange().width() < full.width());
    CHECK(full.contains(shown.plot.shownRange().low));
    for (int notch = 0; notch < 3; ++notch)
        shown.wheel(-120);
    CHECK(shown.plot.shownRange() == full);
}

TEST_CASE("a wheel beside the plot's area is left to others")
{
    Shown shown;
    const Range full = shown.plot.shownRange();
    shown.wheel(120, {3, 3});
    CHECK(shown.plot.shownRange() == full);
}

TEST_CASE("dragging moves what is under the pointer along with it")
{
    Shown shown;
    shown.plot.showRange({1.0, 2.0});
    QTest::mousePress(&shown.plot, Qt::LeftButton, {}, {450, 200});
    QTest::mouseMove(&shown.plot, {350, 200});
    QTest::mouseRelease(&shown.plot, Qt::LeftButton, {}, {350, 200});
    CHECK(shown.plot.shownRange().low > 1.05);
    CHECK(shown.plot.shownRange().width() == Approx(1.0));
    const Range moved = shown.plot.shownRange();
    QTest::mouseMove(&shown.plot, {250, 200});
    CHECK(shown.plot.shownRange() == moved);
}

TEST_CASE("a double click and Home show all again")
{
    Shown shown;
    const Range full = shown.plot.shownRange();
    shown.plot.showRange({1.0, 2.0});
    QTest::mouseDClick(&shown.plot, Qt::LeftButton, {}, {450, 200});
    CHECK(shown.plot.shownRange() == full);
    shown.plot.showRange({1.0, 2.0});
    QTest::keyClick(&shown.plot, Qt::Key_Home);
    CHECK(shown.plot.shownRange() == full);
}

TEST_CASE("keys zoom and move")
{
    Shown shown;
    shown.plot.showRange({1.0, 2.0});
    QTest::keyClick(&shown.plot, Qt::Key_Right);
    CHECK(shown.plot.shownRange().low == Approx(1.1));
    QTest::keyClick(&shown.plot, Qt::Key_Left);
    CHECK(shown.plot.shownRange().low == Approx(1.0));
    QTest::keyClick(&shown.plot, Qt::Key_Plus);
    CHECK(shown.plot.shownRange().width() < 1.0);
    QTest::keyClick(&shown.plot, Qt::Key_Minus);
    CHECK(shown.plot.shownRange().width() == Approx(1.0));
}

TEST_CASE("new data shows all, new thresholds keep the zoom")
{
    Shown shown;
    shown.plot.showRange({1.0, 2.0});
    shown.plot.setThresholds({markAt("entropy", 1.5)});
    CHECK(shown.plot.shownRange() == Range{1.0, 2.0});
    shown.plot.setCountAxis(CountAxis::Linear);
    CHECK(shown.plot.shownRange() == Range{1.0, 2.0});
    shown.plot.setHistogram(tailHistogram(8.0));
    CHECK(shown.plot.shownRange().high > 8.0);
}

TEST_CASE("moving over the plot tells the value and the readout, leaving it ends that")
{
    Shown shown;
    QSignalSpy readouts(&shown.plot, &PlotView::readoutChanged);
    std::vector<std::optional<double>> values;
    QObject::connect(&shown.plot, &PlotView::hovered,
                     [&](std::optional<double> x) { values.push_back(x); });
    QTest::mouseMove(&shown.plot, {450, 200});
    REQUIRE(values.size() == 1);
    CHECK(values[0].value() == Approx(2.0).margin(0.2));
    CHECK(readouts.back().front().toString().startsWith(QStringLiteral("|x| from ")));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&shown.plot, &leave);
    REQUIRE(values.size() == 2);
    CHECK_FALSE(values[1].has_value());
    CHECK(readouts.back().front().toString().isEmpty());
}

TEST_CASE("linked plots zoom together and have their areas above one another")
{
    Shown shown;
    CurvePlot curve;
    curve.resize(900, 300);
    curve.setCurves({curveOf("entropy", "KL divergence", {1, 2, 6}, {0.00025, 0.125, 0.5})});
    curve.show();
    shown.plot.linkX(curve);
    QApplication::processEvents();
    CHECK(shown.plot.shownRange() == curve.shownRange());
    CHECK(curve.shownRange().high >= 6.0);
    shown.plot.showRange({1.0, 2.0});
    CHECK(curve.shownRange() == Range{1.0, 2.0});

    // The axis line of both is drawn in the same column of pixels.
    const auto axisOf = [](const PlotView& plot) {
        const QImage image = plot.picture();
        const QRgb axis = chartColors(plot.palette()).axis.rgb();
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, image.height() / 2) == axis &&
                image.pixel(x, image.height() / 2 + 3) == axis)
                return x;
        return -1;
    };
    CHECK(axisOf(shown.plot) > 0);
    CHECK(axisOf(shown.plot) == axisOf(curve));
}

TEST_CASE("a linked plot may go before the others")
{
    Shown shown;
    {
        CurvePlot curve;
        shown.plot.linkX(curve);
        curve.setCurves({curveOf("entropy", "KL divergence", {1, 9}, {1, 2})});
        CHECK(shown.plot.shownRange().high >= 9.0);
    }
    CHECK(shown.plot.shownRange().high < 5.0);
    shown.wheel(120);
    CHECK(shown.plot.shownRange().width() < 4.0);
}

TEST_CASE("a plot has an accessible name and says in words what it shows")
{
    Shown shown;
    shown.plot.setTitle(QStringLiteral("swish"));
    CHECK(shown.plot.accessibleName().toStdString() == "swish");
    CHECK(shown.plot.accessibleDescription() == shown.plot.textSummary());
    CHECK(shown.plot.textSummary().startsWith(QStringLiteral("Histogram of |x|")));
    shown.plot.clear(QStringLiteral("Nothing here."));
    CHECK(shown.plot.accessibleDescription().toStdString() == "Nothing here.");
}

TEST_CASE("a plot follows the palette")
{
    Shown shown;
    shown.plot.setPalette(darkPalette());
    CHECK(shown.plot.grab().toImage().pixelColor(1, 1) == darkChartColors().background);
    shown.plot.setPalette(lightPalette());
    CHECK(shown.plot.grab().toImage().pixelColor(1, 1) == lightChartColors().background);
}

TEST_CASE("what is on screen and the picture of it are the same")
{
    Shown shown;
    shown.plot.setThresholds({markAt("entropy", 1.5, true)});
    CHECK(shown.plot.grab().toImage().convertToFormat(QImage::Format_RGB32) ==
          shown.plot.picture());
    CHECK(shown.plot.picture(2.0).size() == 2 * shown.plot.size());
}

TEST_CASE("the crosshair is drawn over the plot and not in its picture")
{
    Shown shown;
    const QImage before = shown.plot.grab().toImage();
    const QImage picture = shown.plot.picture();
    QTest::mouseMove(&shown.plot, {450, 100});
    QApplication::processEvents();
    CHECK(shown.plot.grab().toImage() != before);
    CHECK(shown.plot.picture() == picture);
}

TEST_CASE("all plots start with a sentence and take their data")
{
    CurvePlot curve;
    CHECK_FALSE(curve.textSummary().isEmpty());
    HistogramPlot histogram;
    CHECK_FALSE(histogram.textSummary().isEmpty());
}

TEST_CASE("a plot's menu copies what is in view, or all, as JSON")
{
    HistogramPlot plot;
    plot.resize(600, 400);
    plot.setHistogram(tailHistogram(8.0));
    plot.zoomIn();
    QMenu menu;
    plot.fillMenu(menu);
    const qsizetype shown = copiedRows(menu, "Copy data in view as");
    const qsizetype whole = copiedRows(menu, "Copy all data as");
    CHECK(shown == static_cast<qsizetype>(plot.table().rowCount()));
    CHECK(whole == static_cast<qsizetype>(plot.wholeTable().rowCount()));
    CHECK(shown > 0);
    CHECK(shown < whole);
}

TEST_CASE("stacked plots zoom together until they are parted")
{
    Stacked test;
    test.lower.showRange({1.0, 2.0});
    CHECK(test.upper.shownRange() == Range{1.0, 2.0});
    test.stack.setLinked(false);
    CHECK(test.upper.shownRange() == Range{1.0, 2.0});
    CHECK(test.lower.shownRange() == test.all);
    test.lower.showRange({3.0, 4.0});
    CHECK(test.upper.shownRange() == Range{1.0, 2.0});
}

TEST_CASE("plots that are linked again show what the first one shows")
{
    Stacked test;
    test.stack.setLinked(false);
    test.upper.showRange({1.0, 2.0});
    test.lower.showRange({3.0, 4.0});
    test.stack.setLinked(true);
    CHECK(test.lower.shownRange() == Range{1.0, 2.0});
}

TEST_CASE("a plot that is added is linked only if the others are")
{
    Stacked test;
    HistogramPlot third;
    third.setHistogram(tailHistogram(4.0));
    test.stack.setLinked(false);
    test.stack.add(third);
    test.upper.showRange({1.0, 2.0});
    CHECK(third.shownRange() == test.all);
    test.stack.setLinked(true);
    CHECK(third.shownRange() == Range{1.0, 2.0});
}

TEST_CASE("a logarithmic x is one of all plots, linked or not")
{
    Stacked test;
    test.stack.setLinked(false);
    test.stack.setLogX(true);
    CHECK(test.upper.isLogX() == test.upper.linearOnlyText().isEmpty());
    CHECK(test.lower.isLogX() == test.upper.isLogX());
    CHECK(test.lower.isLogX());
}

}  // namespace plot_view_test
