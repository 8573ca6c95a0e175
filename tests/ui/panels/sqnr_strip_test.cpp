// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/sqnr_strip.h"

#include "tests/support/catch.h"

#include <QSignalSpy>
#include <QTest>

namespace sqnr_strip_test {

using namespace calibscope;

QString nothing(int)
{
    return {};
}

std::vector<StripBar> barsOf(const std::vector<std::optional<double>>& values)
{
    std::vector<StripBar> bars;
    for (const std::optional<double>& value : values)
        bars.push_back({.tensor = 100 + static_cast<int>(bars.size()), .sqnrDb = value});
    return bars;
}

TEST_CASE("a click on a bar goes to its tensor, and so do arrows and Return")
{
    SqnrStrip strip(nothing);
    strip.resize(400, 120);
    strip.show();
    strip.setBars(barsOf({30.0, {}, 12.0}), 30.0);
    const QSignalSpy chosen(&strip, &SqnrStrip::tensorChosen);
    for (const int bar : {0, 1, 2}) {
        CHECK(strip.barAt(strip.placeOf(bar)) == bar);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.placeOf(bar).toPoint());
        CHECK(chosen.back().front().toInt() == 100 + bar);
    }
    CHECK(strip.barAt({1.0, 60.0}) == -1);  // where the numbers of the axis are
    QTest::keyClick(&strip, Qt::Key_Home);
    QTest::keyClick(&strip, Qt::Key_Right);
    QTest::keyClick(&strip, Qt::Key_Return);
    CHECK(chosen.back().front().toInt() == 101);
    strip.setBars({}, 30.0);
    CHECK(strip.barAt({200.0, 60.0}) == -1);
}

TEST_CASE("of more tensors than there is room for a column has the worst")
{
    SqnrStrip strip(nothing);
    strip.resize(200, 120);
    std::vector<std::optional<double>> values(20'000, 40.0);
    values[12'345] = 3.0;
    strip.setBars(barsOf(values), 30.0);
    CHECK(strip.barAt(strip.placeOf(12'345)) == 12'345);
    CHECK(strip.barAt(strip.placeOf(12'344)) == 12'345);
}

TEST_CASE(
    "what is below the limit is drawn in another colour than what reaches it, and so is a doubt")
{
    SqnrStrip strip(nothing);
    strip.resize(400, 120);
    std::vector<StripBar> bars = barsOf({30.0, 29.9, 743.0});
    bars[2].isDoubted = true;
    strip.setBars(bars, 30.0);
    const QImage image = strip.grab().toImage();
    const double ratio = image.devicePixelRatio();
    const auto colorOf = [&](int bar) {
        return image.pixelColor((strip.placeOf(bar) * ratio - QPointF(0.0, 4.0)).toPoint());
    };
    CHECK(colorOf(0) != colorOf(1));
    CHECK(colorOf(2) != colorOf(0));
    CHECK(colorOf(2) == colorOf(1));  // amber, too
}

TEST_CASE(
    "the recipe's SQNR stands pale behind the accepted one, what would be gained is an outline")
{
    SqnrStrip strip(nothing);
    strip.resize(200, 160);
    std::vector<StripBar> bars = barsOf({40.0, 40.0});
    bars[1].sqnrDb = 20.0;
    bars[1].recipeDb = 40.0;
    strip.setBars(bars, 10.0);
    const auto colorsAt = [&strip](double above) {
        const QImage image = strip.grab().toImage();
        const double ratio = image.devicePixelRatio();
        std::vector<QColor> colors;
        for (const double side : {0.0, 6.0})  // in the middle of the bar, and beside it
            colors.push_back(
                image.pixelColor(((strip.placeOf(1) + QPointF(side, -above)) * ratio).toPoint()));
        return colors;
    };
    const std::vector<QColor> low = colorsAt(4.0);
    CHECK(low[0] != low[1]);
    const std::vector<QColor> high = colorsAt(60.0);
    CHECK(high[0] == low[1]);
    CHECK(high[1] == low[1]);
    const QImage before = strip.grab().toImage();
    bars[1].bestDb = 55.0;
    strip.setBars(bars, 10.0);
    CHECK(strip.grab().toImage() != before);
}

}  // namespace sqnr_strip_test
