// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sqnr_limits.h"

#include "tests/support/catch.h"
#include "ui/theme/chart_colors.h"

#include <cmath>
#include <limits>

namespace sqnr_limits_test {

using namespace calibscope;

struct DefaultLimits
{
    DefaultLimits() { setSqnrLimits({}); }
    ~DefaultLimits() { setSqnrLimits({}); }
    DefaultLimits(const DefaultLimits&) = delete;
    DefaultLimits& operator=(const DefaultLimits&) = delete;
};

TEST_CASE("an SQNR is poor below 20 dB and good from 30 dB on unless the user says otherwise")
{
    const DefaultLimits defaults;
    CHECK(sqnrGrade(19.99) == SqnrGrade::Poor);
    CHECK(sqnrGrade(20.0) == SqnrGrade::Fair);
    CHECK(sqnrGrade(29.99) == SqnrGrade::Fair);
    CHECK(sqnrGrade(30.0) == SqnrGrade::Good);
    setSqnrLimits({.poor = 10.0, .good = 45.0});
    CHECK(sqnrGrade(12.0) == SqnrGrade::Fair);
    CHECK(sqnrGrade(44.0) == SqnrGrade::Fair);
    CHECK(sqnrGrade(45.0) == SqnrGrade::Good);
}

TEST_CASE("no SQNR is poor, an infinite one is good")
{
    const DefaultLimits defaults;
    CHECK(sqnrGrade(std::numeric_limits<double>::quiet_NaN()) == SqnrGrade::Poor);
    CHECK(sqnrGrade(-std::numeric_limits<double>::infinity()) == SqnrGrade::Poor);
    CHECK(sqnrGrade(std::numeric_limits<double>::infinity()) == SqnrGrade::Good);
}

TEST_CASE("the upper limit is never below the lower one")
{
    const DefaultLimits defaults;
    setSqnrLimits({.poor = 40.0, .good = 30.0});
    CHECK(sqnrLimits() == SqnrLimits{.poor = 40.0, .good = 40.0});
}

TEST_CASE("grades differ in colour, 3 to 1 on the background of both themes")
{
    for (const ChartColors& colors : {lightChartColors(), darkChartColors()}) {
        const QColor poor = sqnrColor(SqnrGrade::Poor, colors);
        const QColor fair = sqnrColor(SqnrGrade::Fair, colors);
        const QColor good = sqnrColor(SqnrGrade::Good, colors);
        CHECK((poor != fair && fair != good && poor != good));
        for (const QColor& color : {poor, fair, good})
            CHECK(contrastRatio(color, colors.background) >= 3.0);
    }
}

TEST_CASE("a cell is vermillion or orange below the limits and blue above, in both themes")
{
    for (const ChartColors* colors : {&lightChartColors(), &darkChartColors()}) {
        const auto hue = [&](double db) { return sqnrGround(db, 0.5, *colors).hslHueF() * 360.0F; };
        const auto distance = [&](double db, double rank) {
            return contrastRatio(sqnrGround(db, rank, *colors), colors->background);
        };
        CHECK(hue(2.0) < 60.0F);
        CHECK(hue(sqnrLimits().good - 1.0) < 60.0F);
        CHECK(hue(sqnrLimits().good) > 180.0F);
        CHECK(distance(2.0, 0.0) > distance(sqnrLimits().poor - 1.0, 0.0));
        CHECK(distance(50.0, 1.0) > distance(50.0, 0.0));
        CHECK(distance(2.0, 0.0) > distance(50.0, 1.0));
        CHECK(sqnrGround(std::nan(""), 0.0, *colors) == sqnrGround(-5.0, 0.0, *colors));
    }
}

TEST_CASE("a colour has one meaning: warm ones are below a limit, what is well is the blue of data")
{
    const auto isWarm = [](const QColor& color) {
        const float hue = color.hslHueF() * 360.0F;
        return color.hslSaturationF() > 0.2F && (hue < 70.0F || hue > 330.0F);
    };
    const auto isGreen = [](const QColor& color) {
        const float hue = color.hslHueF() * 360.0F;
        return color.hslSaturationF() > 0.2F && hue > 80.0F && hue < 160.0F;
    };
    for (const ChartColors* colors : {&lightChartColors(), &darkChartColors()}) {
        CHECK(isWarm(sqnrColor(SqnrGrade::Poor, *colors)));
        CHECK(isWarm(sqnrColor(SqnrGrade::Fair, *colors)));
        CHECK(sqnrColor(SqnrGrade::Good, *colors) == colors->fill);
        CHECK_FALSE((isWarm(colors->fill) || isGreen(colors->fill)));
        for (int step = 0; step <= 20; ++step) {
            CAPTURE(step, colors->isDark);
            const QColor heat = heatColor(step / 20.0, colors->isDark);
            CHECK_FALSE((isWarm(heat) || isGreen(heat)));
            // The same hue on both grounds for the same share, within what the eye calls one.
            CHECK(std::abs(heat.hslHueF() - heatColor(step / 20.0, !colors->isDark).hslHueF()) <
                  0.13F);
            CHECK_FALSE(isGreen(sqnrGround(step * 3.0, 0.5, *colors)));
            CHECK_FALSE(isGreen(differenceColor(step / 10.0 - 1.0, *colors)));
        }
    }
}

}  // namespace sqnr_limits_test
