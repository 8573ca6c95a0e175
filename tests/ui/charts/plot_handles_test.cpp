// SPDX-License-Identifier: GPL-3.0-or-later
// Marks of a plot that are moved, and what the pointer shows.
#include "tests/support/catch.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <QApplication>
#include <QPainter>
#include <QTest>

namespace plot_handles_test {

using namespace calibscope;
using namespace calibscope::test;

/// A straight line with two marks that may be moved.
class HandlesContent : public PlotContent
{
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString emptyText() const override { return {}; }
    [[nodiscard]] XAxis xAxis() const override { return {.all = {0.0, 10.0}, .title = "x"}; }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom&) const override
    {
        return {YAxis{.values = {0.0, 1.0}, .title = "y"}};
    }
    [[nodiscard]] std::vector<LegendEntry> legend() const override { return {}; }
    void paint(QPainter&, const PlotFrame&) const override { ++paints; }
    [[nodiscard]] QString readout(double, const PlotFrame&) const override { return "here"; }
    [[nodiscard]] QString hoverText(const QPointF&, const PlotFrame&) const override
    {
        return "two\nlines";
    }
    [[nodiscard]] QString sentences() const override { return "A plot of handles."; }
    [[nodiscard]] std::vector<PlotHandle> handles() const override
    {
        return {{"low", "lower end", low, {0.0, 9.0}, 0.25, Qt::blue},
                {"high", "upper end", 8.0, {1.0, 9.0}, 0.25, Qt::red}};
    }

    mutable int paints = 0;
    double low = 2.0;
};

struct HandlesPlot : PlotView
{
    HandlesPlot() : PlotView(std::make_unique<HandlesContent>())
    {
        resize(900, 420);
        refresh(true);
        show();
        QApplication::processEvents();
        connect(this, &PlotView::handleMoved, this,
                [this](const QString& id, double value, bool isFinal) {
                    moves.push_back({id, value, isFinal});
                });
    }

    /// The pixel of a value: the area is found by what a click there reports.
    [[nodiscard]] QPoint at(double value)
    {
        QPoint best;
        double least = 1e9;
        connect(this, &PlotView::hovered, this, [&](std::optional<double> x) {
            if (x && std::abs(*x - value) < least) {
                least = std::abs(*x - value);
                best = m_probe;
            }
        });
        for (int x = 0; x < width(); ++x) {
            m_probe = {x, 200};
            QTest::mouseMove(this, m_probe);
        }
        disconnect(this, &PlotView::hovered, this, nullptr);
        return best;
    }

    void moveLow(double low)
    {
        static_cast<HandlesContent&>(content()).low = low;
        refresh(true);
    }
    [[nodiscard]] int paints() const { return static_cast<HandlesContent&>(content()).paints; }

    struct Move
    {
        QString id;
        double value;
        bool isFinal;
    };
    std::vector<Move> moves;

private:
    QPoint m_probe;
};

TEST_CASE("a handle follows the mouse, within what is allowed, and tells the end")
{
    HandlesPlot plot;
    const QPoint grip = plot.at(8.0);
    const QPoint left = plot.at(5.0);
    QTest::mousePress(&plot, Qt::LeftButton, {}, grip);
    QTest::mouseMove(&plot, left);
    QTest::mouseMove(&plot, {895, 200});
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, left);
    REQUIRE(plot.moves.size() == 3);
    CHECK(plot.moves[0].id == "high");
    CHECK(plot.moves[0].value == Approx(5.0).margin(0.05));
    CHECK_FALSE(plot.moves[0].isFinal);
    CHECK(plot.moves[1].value == 9.0);
    CHECK(plot.moves[2].isFinal);
    CHECK(plot.shownRange() == Range{0.0, 10.0});
}

TEST_CASE("a handle at the edge is grabbed by its half beside the plot, too")
{
    HandlesPlot plot;
    plot.moveLow(0.0);
    const QPoint edge = plot.at(0.0);
    const QPoint middle = plot.at(5.0);
    QTest::mousePress(&plot, Qt::LeftButton, {}, edge - QPoint(4, 0));
    QTest::mouseMove(&plot, middle);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, middle);
    REQUIRE_FALSE(plot.moves.empty());
    CHECK(plot.moves.back().id == "low");
    CHECK(plot.moves.back().value == Approx(5.0).margin(0.2));
    plot.moves.clear();
    QTest::mousePress(&plot, Qt::LeftButton, {}, edge - QPoint(20, 0));  // the axis
    QTest::mouseMove(&plot, edge - QPoint(20, 30));
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, edge - QPoint(20, 30));
    CHECK(plot.moves.empty());
}

TEST_CASE("Esc puts a dragged handle back")
{
    HandlesPlot plot;
    QTest::mousePress(&plot, Qt::LeftButton, {}, plot.at(8.0));
    QTest::mouseMove(&plot, plot.at(5.0));
    QTest::keyClick(&plot, Qt::Key_Escape);
    REQUIRE_FALSE(plot.moves.empty());
    CHECK(plot.moves.back().value == 8.0);
    CHECK(plot.moves.back().isFinal);
}

TEST_CASE("keys choose a handle and move it by one step or ten")
{
    HandlesPlot plot;
    plot.setFocus();
    QTest::keyClick(&plot, Qt::Key_BracketRight);
    CHECK(plot.accessibleDescription().startsWith("lower end at 2"));
    QTest::keyClick(&plot, Qt::Key_Right);
    REQUIRE(plot.moves.size() == 1);
    CHECK(plot.moves[0].value == 2.25);
    CHECK(plot.moves[0].isFinal);
    QTest::keyClick(&plot, Qt::Key_Left, Qt::ShiftModifier);
    CHECK(plot.moves[1].value == 0.0);
    QTest::keyClick(&plot, Qt::Key_BracketLeft);
    CHECK(plot.accessibleDescription().startsWith("upper end at 8"));
    QTest::keyClick(&plot, Qt::Key_Escape);
    CHECK(plot.accessibleDescription() == "A plot of handles.");
}

TEST_CASE("Tab goes through the handles before it leaves the plot")
{
    HandlesPlot plot;
    plot.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&plot, Qt::Key_Tab);
    CHECK(plot.accessibleDescription().startsWith("lower end"));
    QTest::keyClick(&plot, Qt::Key_Tab);
    CHECK(plot.accessibleDescription().startsWith("upper end"));
    QTest::keyClick(&plot, Qt::Key_Tab);
    CHECK(plot.accessibleDescription() == "A plot of handles.");
}

TEST_CASE("neither the pointer nor a dragged handle repaints the picture")
{
    HandlesPlot plot;
    const QPoint grip = plot.at(8.0);
    QApplication::processEvents();
    const int before = plot.paints();
    for (int x = 300; x < 400; ++x)
        QTest::mouseMove(&plot, {x, 200});
    QTest::mousePress(&plot, Qt::LeftButton, {}, grip);
    for (int x = 300; x < 350; ++x)
        QTest::mouseMove(&plot, {x, 200});
    QApplication::processEvents();
    CHECK(plot.paints() == before);
}

TEST_CASE("the card beside the pointer comes when the pointer rests and goes when it moves")
{
    HandlesPlot plot;
    const auto cornerOf = [&](const QPoint& pointer) {
        return plot.grab().toImage().copy(QRect(pointer + QPoint(15, 15), QSize(40, 30)));
    };
    QTest::mouseMove(&plot, {300, 150});
    const QImage moving = cornerOf({300, 150});
    CHECK(QTest::qWaitFor([&] { return cornerOf({300, 150}) != moving; }));
    QTest::mouseMove(&plot, {310, 150});
    CHECK(cornerOf({300, 150}) == moving);
}

}  // namespace plot_handles_test
