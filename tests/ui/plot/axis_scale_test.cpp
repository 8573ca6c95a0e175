// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/axis_scale.h"

#include "tests/support/catch.h"

#include <QStringList>

#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace axis_scale_test {

using namespace calibscope;
using calibscope::test::Approx;

/// The labels that there are, with spaces between.
std::string labels(const TickSet& set)
{
    QStringList texts;
    for (const Tick& tick : set.ticks)
        if (!tick.label.isEmpty())
            texts += tick.label;
    return texts.join(u' ').toStdString();
}

/// 1, 2 or 5 times a power of ten, but for rounding.
bool isNice(double step)
{
    const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
    return std::abs(mantissa - 1.0) < 1e-6 || std::abs(mantissa - 2.0) < 1e-6 ||
           std::abs(mantissa - 5.0) < 1e-6;
}

TEST_CASE("nice steps are 1, 2, 5 times a power of ten")
{
    CHECK(niceStep(0.3) == 0.5);
    CHECK(niceStep(0.5) == 0.5);
    CHECK(niceStep(6.0) == 10.0);
    CHECK(niceStep(1.0) == 1.0);
    CHECK(niceStep(0.3 / 3.0) == Approx(0.1));  // a hair above 0.1 in doubles
    CHECK(niceStep(1.1e-39) == Approx(2e-39));
}

TEST_CASE("linear ticks include both ends and have labels of equal precision")
{
    CHECK(labels(linearTicks({0.0, 2.0}, 4, TickNumbers::Values)) == "0 0.5 1.0 1.5 2.0");
    CHECK(labels(linearTicks({-234.2, 183.6}, 5, TickNumbers::Values)) == "−200 −100 0 100");
    CHECK(labels(linearTicks({0.1, 0.3}, 2, TickNumbers::Values)) == "0.1 0.2 0.3");
}

TEST_CASE("labels of very small and very large values share a power of ten")
{
    const TickSet small = linearTicks({0.0, 4e-5}, 4, TickNumbers::Values);
    CHECK(small.exponent == -6);
    CHECK(labels(small) == "0 10 20 30 40");
    const TickSet large = linearTicks({0.0, 3e38}, 3, TickNumbers::Values);
    CHECK(large.exponent == 36);
    CHECK(labels(large) == "0 100 200 300");
}

TEST_CASE("counts are whole and large ones carry a suffix")
{
    CHECK(labels(linearTicks({0.0, 3.0}, 8, TickNumbers::Counts)) == "0 1 2 3");
    CHECK(labels(linearTicks({0.0, 20000.0}, 4, TickNumbers::Counts)) == "0 5k 10k 15k 20k");
    CHECK(labels(linearTicks({0.0, 3e6}, 3, TickNumbers::Counts)) == "0 1M 2M 3M");
    CHECK(labels(linearTicks({-0.5, 63.5}, 4, TickNumbers::Ordinals)) == "0 20 40 60");
}

TEST_CASE("linear ticks are nice, inside, few and labelled apart over 80 decades")
{
    std::mt19937 random(11);
    std::uniform_real_distribution<double> exponent(-40.0, 40.0);
    std::uniform_int_distribution<int> most(1, 12);
    for (int round = 0; round < 2000; ++round) {
        const double centre = std::pow(10.0, exponent(random)) * (round % 2 == 0 ? 1.0 : -1.0);
        const double width = std::abs(centre) * std::pow(10.0, exponent(random) / 8.0);
        const Range range{centre - width / 2.0, centre + width / 2.0};
        const int atMost = most(random);
        const TickSet set = linearTicks(range, atMost, TickNumbers::Values);
        CAPTURE(range.low, range.high, atMost);
        CHECK(static_cast<int>(set.ticks.size()) <= atMost + 1);
        std::set<QString> texts;
        for (std::size_t tick = 0; tick < set.ticks.size(); ++tick) {
            const double value = set.ticks[tick].value;
            CHECK(value >= range.low - 1e-8 * width);
            CHECK(value <= range.high + 1e-8 * width);
            texts.insert(set.ticks[tick].label);
            const double label = QString(set.ticks[tick].label).replace(u'−', u'-').toDouble();
            CHECK(label * std::pow(10.0, set.exponent) == Approx(value).margin(1e-8 * width));
            if (tick > 0)
                CHECK(isNice(value - set.ticks[tick - 1].value));
        }
        CHECK(texts.size() == set.ticks.size());
    }
}

TEST_CASE("a range without width or too narrow for doubles has no ticks")
{
    CHECK(linearTicks({1.0, 1.0}, 5, TickNumbers::Values).ticks.empty());
    CHECK(linearTicks({1.0, 1.0 + 2e-16}, 5, TickNumbers::Values).ticks.empty());
    CHECK(linearTicks({2.0, 1.0}, 5, TickNumbers::Values).ticks.empty());
}

TEST_CASE("logarithmic ticks are powers of ten with minor ticks between")
{
    const TickSet set = logTicks({0.5, 2000.0}, 8, 300.0);
    CHECK(labels(set) == "10⁰ 10¹ 10² 10³");
    for (const Tick& tick : set.ticks)
        CHECK(tick.isMajor == !tick.label.isEmpty());
    CHECK(set.ticks.size() == 5 + 9 + 9 + 9 + 2);  // 0.5 to 0.9, three decades, 1000 and 2000
}

TEST_CASE("many decades are labelled in nice steps and have no minor ticks")
{
    const TickSet set = logTicks({1e-40, 1e40}, 9, 400.0);
    CHECK(labels(set) == "10⁻⁴⁰ 10⁻³⁰ 10⁻²⁰ 10⁻¹⁰ 10⁰ 10¹⁰ 10²⁰ 10³⁰ 10⁴⁰");
    CHECK(set.ticks.size() == 81);
}

TEST_CASE("less than two powers of ten are labelled between them too")
{
    CHECK(labels(logTicks({0.012, 0.6}, 6, 300.0)) == "0.02 0.05 0.1 0.2 0.5");
    CHECK(labels(logTicks({0.5, 6.0}, 6, 300.0)) == "0.5 1 2 5");
    CHECK(labels(logTicks({0.021, 0.024}, 3, 300.0)) == "0.021 0.022 0.023 0.024");
}

TEST_CASE("two powers of ten are labelled between them where there is room")
{
    CHECK(labels(logTicks({0.5, 35.0}, 10, 300.0)) == "0.5 1 2 5 10 20");
    CHECK(labels(logTicks({0.5, 35.0}, 5, 300.0)) == "10⁰ 10¹");
}

TEST_CASE("every logarithmic axis has a labelled tick")
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> exponent(-40.0, 40.0);
    std::uniform_real_distribution<double> decades(0.02, 60.0);
    for (int round = 0; round < 1000; ++round) {
        const double low = std::pow(10.0, exponent(random));
        const Range range{low, low * std::pow(10.0, decades(random))};
        CAPTURE(range.low, range.high);
        CHECK_FALSE(labels(logTicks(range, 6, 250.0)).empty());
    }
}

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("the ends of the values fall on the ends of the pixels")
{
    const AxisScale x(ScaleKind::Linear, {-2.0, 6.0}, 100.0, 500.0);
    CHECK(x.toPixel(-2.0) == 100.0);
    CHECK(x.toPixel(6.0) == 500.0);
    CHECK(x.toPixel(0.0) == 200.0);
    const AxisScale y(ScaleKind::Log, {1.0, 1000.0}, 300.0, 0.0);
    CHECK(y.toPixel(1.0) == 300.0);
    CHECK(y.toPixel(1000.0) == Approx(0.0).margin(1e-9));
    CHECK(y.toPixel(10.0) == Approx(200.0));
}

TEST_CASE("pixels go back to the value they came from, from 1e-40 to 1e40")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-40.0, 40.0);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    for (int round = 0; round < 500; ++round) {
        const double low = std::pow(10.0, exponent(random));
        const double high = low * (1.0 + std::pow(10.0, exponent(random) / 10.0));
        for (const ScaleKind kind : {ScaleKind::Linear, ScaleKind::Log}) {
            const AxisScale scale(kind, {low, high}, 60.0, 1000.0);
            const double value = low + share(random) * (high - low);
            CHECK(scale.toValue(scale.toPixel(value)) == Approx(value).epsilon(1e-9));
        }
    }
}

TEST_CASE("on a logarithmic axis zero and what is below the floor lie on the floor")
{
    const AxisScale counts(ScaleKind::Log, {0.5, 100.0}, 200.0, 0.0);
    CHECK(counts.toPixel(0.0) == 200.0);
    CHECK(counts.toPixel(-3.0) == 200.0);
    CHECK(counts.toPixel(0.5) == 200.0);
    CHECK(counts.toPixel(1.0) < 200.0);
}

TEST_CASE("missing values stay missing")
{
    for (const ScaleKind kind : {ScaleKind::Linear, ScaleKind::Log}) {
        const AxisScale scale(kind, {1.0, 2.0}, 0.0, 10.0);
        CHECK(std::isnan(scale.toPixel(std::nan(""))));
        CHECK(std::isinf(scale.toPixel(infinity)));
    }
}

TEST_CASE("a range without width becomes one that can be drawn")
{
    CHECK(drawableRange({0.0, 0.0}) == Range{0.0, 1.0});
    CHECK(drawableRange({4.0, 4.0}) == Range{2.0, 6.0});
    CHECK(drawableRange({-4.0, -4.0}) == Range{-6.0, -2.0});
    CHECK(drawableRange({-infinity, 1.0}) == Range{0.0, 1.0});
    CHECK(drawableRange({0.0, std::nan("")}) == Range{0.0, 1.0});
    CHECK(drawableRange({1.0, 2.0}) == Range{1.0, 2.0});
    CHECK(AxisScale(ScaleKind::Log, {0.0, 10.0}, 0.0, 1.0).values() == Range{1.0, 10.0});
    CHECK(AxisScale(ScaleKind::Log, {-2.0, -1.0}, 0.0, 1.0).values() == Range{0.1, 1.0});
}

}  // namespace axis_scale_test
