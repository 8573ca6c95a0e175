#include "ui/theme/chart_colors.h"

#include "tests/support/catch.h"

#include <set>

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

TEST_CASE("neighbouring series differ in colour and in dashes, all in the pair of both")
{
    std::set<std::pair<QRgb, Qt::PenStyle>> styles;
    constexpr int series = 35;  // 7 colours times 5 dash patterns
    for (int index = 0; index < series; ++index) {
        const SeriesStyle style = seriesStyle(index, lightChartColors());
        const SeriesStyle next = seriesStyle(index + 1, lightChartColors());
        CHECK(style.color != next.color);
        CHECK(style.pen != next.pen);
        styles.emplace(style.color.rgb(), style.pen);
    }
    CHECK(styles.size() == series);
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
