// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/chart_colors.h"

#include "tests/support/catch.h"
#include "ui/theme/palettes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace chart_colors_test {

using namespace calibscope;

using calibscope::test::Approx;

TEST_CASE("contrast ratio is that of WCAG 2")
{
    CHECK(contrastRatio(Qt::black, Qt::white) == Approx(21.0));
    CHECK(contrastRatio(Qt::white, Qt::white) == Approx(1.0));
    CHECK(contrastRatio(QColor(0x777777), Qt::white) == Approx(4.478).epsilon(1e-3));
    CHECK(contrastRatio(Qt::white, QColor(0x777777)) == contrastRatio(QColor(0x777777), Qt::white));
}

TEST_CASE("texts of plots have a contrast of 4.5 and lines of series one of 3")
{
    for (const ChartColors& colors : {lightChartColors(), darkChartColors()}) {
        CAPTURE(colors.isDark);
        CHECK(contrastRatio(colors.text, colors.background) >= 4.5);
        CHECK(contrastRatio(colors.faintText, colors.background) >= 4.5);
        CHECK(contrastRatio(colors.background, colors.crosshair) >= 4.5);
        for (int series = 0; series < seriesColorCount; ++series) {
            const QColor line = seriesStyle(series, colors).color;
            CAPTURE(series, line.name().toStdString());
            CHECK(contrastRatio(line, colors.background) >= 3.0);
            CHECK(contrastRatio(readableOn(colors.background, line), colors.background) >= 4.5);
        }
    }
}

TEST_CASE("a colour that is readable already stays as it is")
{
    CHECK(readableOn(Qt::white, QColor(0x0072b2)) == QColor(0x0072b2));
    CHECK(readableOn(Qt::black, QColor(0xf0b52e)) == QColor(0xf0b52e));
}

TEST_CASE("a colour like its background becomes readable in the direction that has room")
{
    CHECK(readableOn(Qt::white, Qt::white).lightness() < 128);
    CHECK(readableOn(Qt::black, Qt::black).lightness() > 100);
}

TEST_CASE("lines have a contrast of 3 on every ground that they are drawn on")
{
    const std::pair<ChartColors, QPalette> themes[] = {{lightChartColors(), lightPalette()},
                                                       {darkChartColors(), darkPalette()}};
    for (const auto& [colors, palette] : themes) {
        std::vector<QColor> lines = {manualStyle(colors).color, colors.fill};
        for (int series = 0; series < seriesColorCount; ++series)
            lines.push_back(seriesStyle(series, colors).color);
        for (const QColor& line : lines)
            for (const QColor& ground :
                 {colors.background, palette.color(QPalette::Base),
                  palette.color(QPalette::AlternateBase), palette.color(QPalette::Window)}) {
                CAPTURE(colors.isDark, line.name().toStdString(), ground.name().toStdString());
                // The columns alone may be paler: they are large.
                CHECK(contrastRatio(line, ground) >= (line == colors.fill ? 2.8 : 3.0));
            }
    }
}

/// CIE 1976 L*a*b* of a colour of sRGB, white D65 (IEC 61966-2-1, ISO/CIE 11664-4).
std::array<double, 3> labOf(const QColor& color)
{
    const auto linear = [](double share) {
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    const double red = linear(double(color.redF()));
    const double green = linear(double(color.greenF()));
    const double blue = linear(double(color.blueF()));
    const auto curved = [](double share) {
        return share > 0.008856 ? std::cbrt(share) : 7.787 * share + 16.0 / 116.0;
    };
    const double x = curved((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
    const double y = curved(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    const double z = curved((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
    return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

double distance(const QColor& one, const QColor& other)
{
    const auto a = labOf(one);
    const auto b = labOf(other);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST_CASE("any two colours of series, of the manual range and of text can be told apart")
{
    constexpr double told = 20.0;  // about nine just noticeable differences of 2.3
    for (const ChartColors& colors : {lightChartColors(), darkChartColors()}) {
        std::vector<QColor> all = {manualStyle(colors).color, colors.text};
        for (int series = 0; series < seriesColorCount; ++series)
            all.push_back(seriesStyle(series, colors).color);
        for (std::size_t one = 0; one < all.size(); ++one)
            for (std::size_t other = 0; other < one; ++other) {
                CAPTURE(colors.isDark, all[one].name().toStdString(),
                        all[other].name().toStdString());
                CHECK(distance(all[one], all[other]) >= told);
            }
    }
}

TEST_CASE("of the first styles any two differ in colour, and in dashes or marker as well")
{
    const ChartColors& colors = lightChartColors();
    REQUIRE(seriesColorCount >= 12);
    for (int one = 0; one < seriesColorCount; ++one)
        for (int other = 0; other < one; ++other) {
            const SeriesStyle a = seriesStyle(one, colors);
            const SeriesStyle b = seriesStyle(other, colors);
            CAPTURE(one, other);
            CHECK(a.color != b.color);
            CHECK((a.pen != b.pen || a.marker != b.marker));
        }
}

TEST_CASE("styles of one colour differ in dashes or marker, up to sixty in the dashes")
{
    const ChartColors& colors = lightChartColors();
    std::set<std::pair<QRgb, Qt::PenStyle>> pairs;
    for (int one = 0; one < 60; ++one) {
        const SeriesStyle a = seriesStyle(one, colors);
        pairs.emplace(a.color.rgb(), a.pen);
        for (int other = one % seriesColorCount; other < one; other += seriesColorCount) {
            const SeriesStyle b = seriesStyle(other, colors);
            CAPTURE(one, other);
            CHECK(a.pen != b.pen);
            CHECK(a.marker != b.marker);
        }
    }
    CHECK(pairs.size() == 60);
}

TEST_CASE("more looks farther from the ground, step by step, on light and on dark")
{
    for (const bool isDark : {false, true}) {
        const QColor ground = (isDark ? darkChartColors() : lightChartColors()).background;
        double last = 1.1;  // the least can be told from the ground
        for (int step = 0; step <= 10; ++step) {
            const double contrast = contrastRatio(heatColor(step / 10.0, isDark), ground);
            CHECK(contrast > last);
            last = contrast;
        }
        CHECK(last > 10.0);
    }
}

TEST_CASE("shares outside 0 to 1 have the colours of the ends")
{
    CHECK(heatColor(-1.0, true) == heatColor(0.0, true));
    CHECK(heatColor(2.0, false) == heatColor(1.0, false));
}

TEST_CASE("differences have the ground at 0 and two hues that grow in equal steps")
{
    for (const ChartColors* colors : {&lightChartColors(), &darkChartColors()}) {
        CHECK(differenceColor(0.0, *colors) == colors->background);
        CHECK(differenceColor(-3.0, *colors) == differenceColor(-1.0, *colors));
        CHECK(differenceColor(3.0, *colors) == differenceColor(1.0, *colors));
        const auto hue = [&](double share) {
            return differenceColor(share, *colors).hslHueF() * 360.0F;
        };
        CHECK(hue(-1.0) < 60.0F);
        CHECK(hue(1.0) > 180.0F);
        const QColor half = differenceColor(0.5, *colors);
        const QColor end = differenceColor(1.0, *colors);
        CHECK(std::abs(2 * half.red() - end.red() - colors->background.red()) <= 2);
        for (const double share : {-1.0, -0.5, 0.5, 1.0}) {
            const QColor ground = differenceColor(share, *colors);
            CHECK(std::max(contrastRatio(Qt::black, ground), contrastRatio(Qt::white, ground)) >=
                  4.5);
        }
    }
}

}  // namespace chart_colors_test
