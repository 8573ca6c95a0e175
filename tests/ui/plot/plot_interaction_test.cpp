// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_interaction.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

namespace plot_interaction_test {

using namespace calibscope::test;
using namespace calibscope;

void wheel(QWidget& plot, int delta, const QPoint& place, Qt::KeyboardModifiers keys = {})
{
    QWheelEvent event(place, plot.mapToGlobal(place), {}, {0, delta}, Qt::NoButton, keys,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot, &event);
}

/// A shown histogram of magnitudes from 0 to 4.
struct Shown
{
    Shown()
    {
        plot.resize(900, 420);
        plot.setHistogram(tailHistogram(4.0));
        plot.show();
        QApplication::processEvents();
    }
    HistogramPlot plot;
};

TEST_CASE("the wheel zooms both axes, with Alt x, with Shift y, over an axis that one")
{
    Shown shown;
    wheel(shown.plot, 120, {450, 200});
    CHECK(shown.plot.zoom().x.has_value());
    CHECK(shown.plot.zoom().y.size() == 1);
    shown.plot.fit();
    wheel(shown.plot, 120, {450, 200}, Qt::AltModifier);
    CHECK(shown.plot.zoom().x.has_value());
    CHECK(shown.plot.zoom().y.empty());
    shown.plot.fit();
    wheel(shown.plot, 120, {450, 200}, Qt::ShiftModifier);
    CHECK_FALSE(shown.plot.zoom().x.has_value());
    CHECK(shown.plot.zoom().y.size() == 1);
    shown.plot.fit();
    wheel(shown.plot, 120, {20, 200});
    CHECK_FALSE(shown.plot.zoom().x.has_value());
    CHECK(shown.plot.zoom().y.size() == 1);
    shown.plot.fit();
    wheel(shown.plot, 120, {450, 405});
    CHECK(shown.plot.zoom().x.has_value());
    CHECK(shown.plot.zoom().y.empty());
}

TEST_CASE("counts stand on their axis while y is zoomed, and hold until all is shown")
{
    Shown shown;
    wheel(shown.plot, 360, {450, 100}, Qt::ShiftModifier);
    REQUIRE(shown.plot.zoom().y.size() == 1);
    const Range zoomed = shown.plot.zoom().y.front();
    CHECK(zoomed.low == 0.5);
    shown.plot.showRange({1.0, 2.0});
    CHECK(shown.plot.zoom().y.front() == zoomed);
    shown.plot.fit();
    CHECK(shown.plot.zoom().y.empty());
}

TEST_CASE("Ctrl and a drag zoom into the box, Esc leaves all as it was")
{
    Shown shown;
    const auto drag = [&](const QPoint& to) {
        QTest::mousePress(&shown.plot, Qt::LeftButton, Qt::ControlModifier, {300, 100});
        QTest::mouseMove(&shown.plot, to);
    };
    drag({500, 250});
    QTest::keyClick(&shown.plot, Qt::Key_Escape);
    QTest::mouseRelease(&shown.plot, Qt::LeftButton, Qt::ControlModifier, {500, 250});
    CHECK(shown.plot.zoom() == PlotZoom());
    drag({500, 250});
    QTest::mouseRelease(&shown.plot, Qt::LeftButton, Qt::ControlModifier, {500, 250});
    REQUIRE(shown.plot.zoom().x.has_value());
    CHECK(shown.plot.zoom().x->width() < 1.5);
    CHECK(shown.plot.zoom().y.size() == 1);
    shown.plot.fit();
    drag({500, 102});  // flat: along x alone
    QTest::mouseRelease(&shown.plot, Qt::LeftButton, Qt::ControlModifier, {500, 102});
    CHECK(shown.plot.zoom().x.has_value());
    CHECK(shown.plot.zoom().y.empty());
}

TEST_CASE("where drags zoom, Ctrl moves, and a drag of an axis moves as ever")
{
    Shown shown;
    const auto drag = [&shown](const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys) {
        QTest::mousePress(&shown.plot, Qt::LeftButton, keys, from);
        QMouseEvent move(QEvent::MouseMove, to, shown.plot.mapToGlobal(to), Qt::LeftButton,
                         Qt::LeftButton, keys);
        QApplication::sendEvent(&shown.plot, &move);
        QTest::mouseRelease(&shown.plot, Qt::LeftButton, keys, to);
    };
    setPlotDrag(PlotDrag::Zoom);
    drag({300, 100}, {500, 300}, {});
    const std::optional<Range> box = shown.plot.zoom().x;
    REQUIRE(box);
    CHECK(box->width() < 0.5 * 4.0);
    drag({450, 200}, {400, 200}, Qt::ControlModifier);
    REQUIRE(shown.plot.zoom().x);
    CHECK(shown.plot.zoom().x->width() == Approx(box->width()).epsilon(1e-6));
    CHECK(shown.plot.zoom().x->low > box->low);
    setPlotDrag(PlotDrag::Move);
}

TEST_CASE("Esc takes a drag back")
{
    Shown shown;
    shown.plot.showRange({1.0, 2.0});
    QTest::mousePress(&shown.plot, Qt::LeftButton, {}, {450, 200});
    QTest::mouseMove(&shown.plot, {350, 200});
    CHECK(shown.plot.shownRange().low > 1.05);
    QTest::keyClick(&shown.plot, Qt::Key_Escape);
    CHECK(shown.plot.shownRange() == Range{1.0, 2.0});
}

TEST_CASE("Backspace goes back to exactly what was shown, Shift with it forward again")
{
    Shown shown;
    QSignalSpy committed(&shown.plot, &PlotView::zoomCommitted);
    shown.plot.showRange({1.0, 3.0});
    shown.plot.showRange({1.1, 1.3});
    CHECK(committed.count() == 2);
    QTest::keyClick(&shown.plot, Qt::Key_Backspace);
    CHECK(shown.plot.shownRange() == Range{1.0, 3.0});
    QTest::keyClick(&shown.plot, Qt::Key_Backspace, Qt::ShiftModifier);
    CHECK(shown.plot.shownRange() == Range{1.1, 1.3});
    QTest::keyClick(&shown.plot, Qt::Key_Left, Qt::AltModifier);
    CHECK(shown.plot.shownRange() == Range{1.0, 3.0});
    QTest::keyClick(&shown.plot, Qt::Key_Right, Qt::AltModifier);
    CHECK(shown.plot.shownRange() == Range{1.1, 1.3});
}

TEST_CASE("many notches of the wheel are one step back")
{
    Shown shown;
    for (int notch = 0; notch < 5; ++notch)
        wheel(shown.plot, 120, {450, 200});
    shown.plot.zoomBack();
    CHECK(shown.plot.zoom() == PlotZoom());
    CHECK_FALSE(shown.plot.canZoomBack());
}

TEST_CASE("a click that is not a drag tells its place, a drag does not")
{
    Shown shown;
    QSignalSpy clicks(&shown.plot, &PlotView::clicked);
    QTest::mouseClick(&shown.plot, Qt::LeftButton, {}, {450, 200});
    REQUIRE(clicks.count() == 1);
    CHECK(clicks.front().front().toPointF().x() == Approx(2.0).margin(0.2));
    QTest::mousePress(&shown.plot, Qt::LeftButton, {}, {450, 200});
    QTest::mouseMove(&shown.plot, {420, 200});
    QTest::mouseRelease(&shown.plot, Qt::LeftButton, {}, {420, 200});
    CHECK(clicks.count() == 1);
}

TEST_CASE("a plot that empties between press and release is not clicked")
{
    Shown shown;
    QSignalSpy clicks(&shown.plot, &PlotView::clicked);
    QTest::mousePress(&shown.plot, Qt::LeftButton, {}, {450, 200});
    shown.plot.setHistogram({});
    QTest::mouseRelease(&shown.plot, Qt::LeftButton, {}, {450, 200});
    CHECK(clicks.isEmpty());
}

}  // namespace plot_interaction_test
