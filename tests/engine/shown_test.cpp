// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/shown.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace shown_test {

using namespace calibscope;
using namespace calibscope::engine;
using calibscope::test::Approx;

namespace {

std::vector<double> sparklineOf(const std::vector<float>& values)
{
    SketchCounter counter;
    counter.add(values);
    Extents extents;
    extents.add(values);
    return sparkline(counter.sketch(), extents);
}

double sum(const std::vector<double>& columns)
{
    return std::accumulate(columns.begin(), columns.end(), 0.0);
}

}  // namespace

TEST_CASE("values fall into 32 equal columns of their range")
{
    // [-16, 16]: columns of width 1; -16 in the first, 16 in the last, 0 in the one that begins
    // there.
    const std::vector<double> columns =
        sparklineOf({-16.0F, -16.0F, 0.0F, 0.0F, 0.0F, 3.5F, 16.0F});
    REQUIRE(columns.size() == 32);
    CHECK(columns[0] == Approx(2.0));
    CHECK(columns[16] == 3.0);
    CHECK(columns[19] == Approx(1.0));
    CHECK(columns[31] == Approx(1.0));
    CHECK(sum(columns) == Approx(7.0));
}

TEST_CASE("no data gives zeros and constant data one column in the middle")
{
    CHECK(sum(sparklineOf({})) == 0.0);
    CHECK(sparklineOf({}).size() == 32);
    const std::vector<double> constant = sparklineOf({2.5F, 2.5F});
    CHECK(constant[16] == 2.0);
    CHECK(sum(constant) == 2.0);
    CHECK(sparklineOf({0.0F, 0.0F, 0.0F})[16] == 3.0);
    CHECK(sum(sparklineOf({std::numeric_limits<float>::infinity()})) == 0.0);
}

TEST_CASE("subnormal values that no sketch tells apart have no shape")
{
    CHECK(sum(sparklineOf({1e-42F, 2e-42F, 2e-42F, 9e-42F})) == 0.0);
    CHECK(sum(sparklineOf({-1e-42F, 0.0F, 1e-42F})) == 0.0);
    CHECK(sum(sparklineOf({1e-39F, 2e-39F, 2e-39F})) == test::Approx(3.0));
}

TEST_CASE("a sketch bin wider than a column is spread over those that it covers")
{
    std::vector<float> values;
    for (int step = 0; step <= 320; ++step)
        values.push_back(1000.0F +
                         static_cast<float>(step) / 320.0F);  // bins are half of this wide
    const std::vector<double> columns = sparklineOf(values);
    CHECK(sum(columns) == Approx(321.0));
    for (const double column : columns)
        CHECK(column == Approx(10.0).margin(1.0));
}

TEST_CASE("the ends of float's range make columns too")
{
    const float most = std::numeric_limits<float>::max();
    const std::vector<double> columns = sparklineOf({-most, 0.0F, most, most / 2});
    CHECK(columns[0] == Approx(1.0));
    CHECK(columns[31] == Approx(1.0));
    CHECK(sum(columns) == Approx(4.0));

    // Nearer to each other than the sketch tells apart: no shape is drawn.
    const float least = std::numeric_limits<float>::denorm_min();
    CHECK(sum(sparklineOf({0.0F, least, 2 * least})) == 0.0);
}

TEST_CASE("columns of a Gaussian are within a hundredth of the true counts")
{
    std::mt19937 engine(3);
    std::normal_distribution<float> normal;
    std::vector<float> values(100000);
    for (float& value : values)
        value = normal(engine);
    const auto [low, high] = std::ranges::minmax(values);
    std::vector<double> truth(32);
    for (const float value : values) {
        const double place = (static_cast<double>(value) - static_cast<double>(low)) /
                             (static_cast<double>(high) - static_cast<double>(low)) * 32.0;
        truth[std::min<std::size_t>(static_cast<std::size_t>(place), 31)] += 1.0;
    }
    const std::vector<double> columns = sparklineOf(values);
    for (std::size_t column = 0; column < 32; ++column)
        CHECK(columns[column] == Approx(truth[column]).epsilon(0.01).margin(3.0));
}

using namespace calibscope;
using namespace calibscope::engine;

namespace {

const double inf = std::numeric_limits<double>::infinity();

/// A jagged curve of that many points, infinite at its start, least at `chosen`.
Curve jagged(std::size_t points, std::size_t chosen)
{
    std::mt19937 random(7);
    Curve curve{.objective = "KL divergence", .unit = "nats", .plateau = {1.0, 2.0}};
    for (std::size_t point = 0; point < points; ++point) {
        curve.threshold.push_back(static_cast<double>(point) * 0.5);
        curve.value.push_back(point < points / 10 ? inf
                                                  : 1.0 + static_cast<double>(random() % 1000));
    }
    curve.chosen = chosen;
    curve.value[chosen] = 0.25;
    return curve;
}

}  // namespace

TEST_CASE("a curve that is short enough comes back as it is")
{
    const Curve curve = jagged(4096, 3000);
    const Curve thin = thinned(curve);
    CHECK(thin.threshold == curve.threshold);
    CHECK(thin.value == curve.value);
    CHECK(thin.chosen == 3000);
}

TEST_CASE("a long curve keeps its ends, its least, its greatest and its infinite start")
{
    Curve curve = jagged(262144, 200001);
    curve.value[150000] = 5000.0;
    curve.runnerUp = 170001;
    curve.chosenLow = 12345;
    curve.parts = {{.name = "rounding", .value = curve.threshold}};
    const Curve thin = thinned(curve);
    CHECK(thin.threshold.size() <= 4096);
    CHECK(thin.threshold.size() > 2000);
    CHECK(thin.value.size() == thin.threshold.size());
    CHECK(std::ranges::is_sorted(thin.threshold));
    CHECK(thin.threshold.front() == curve.threshold.front());
    CHECK(thin.threshold.back() == curve.threshold.back());
    REQUIRE(thin.chosen < thin.threshold.size());
    CHECK(thin.threshold[thin.chosen] == curve.threshold[200001]);
    CHECK(thin.value[thin.chosen] == 0.25);
    CHECK(std::ranges::count(thin.value, 5000.0) == 1);
    CHECK(thin.value.front() == inf);
    CHECK(std::ranges::count(thin.value, inf) > 100);
    CHECK(thin.objective == "KL divergence");
    CHECK(thin.unit == "nats");
    CHECK(thin.plateau == curve.plateau);
    REQUIRE(thin.runnerUp);
    CHECK(thin.threshold.at(*thin.runnerUp) == curve.threshold[170001]);
    REQUIRE(thin.chosenLow);
    CHECK(thin.threshold.at(*thin.chosenLow) == curve.threshold[12345]);
    REQUIRE(thin.parts.size() == 1);
    CHECK(thin.parts[0].name == "rounding");
    CHECK(thin.parts[0].value == thin.threshold);
}

TEST_CASE("ties point at their points after thinning, or are gone with them")
{
    Curve curve = jagged(100000, 50000);
    curve.value[90000] = 0.25;
    curve.value[90001] = 0.25;  // the same stretch: only the first is kept
    curve.ties = {90000, 90001};
    const Curve thin = thinned(curve);
    REQUIRE(thin.ties.size() == 1);
    CHECK(thin.threshold[thin.ties[0]] == curve.threshold[90000]);
}

TEST_CASE("an empty curve stays empty, one without a finite value keeps its ends")
{
    CHECK(thinned(Curve{}).threshold.empty());
    Curve curve;
    curve.threshold.assign(10000, 1.0);
    curve.value.assign(10000, inf);
    const Curve thin = thinned(curve, 16);
    CHECK(thin.threshold.size() <= 16);
    CHECK(thin.threshold.size() >= 2);
    CHECK(thin.chosen == 0);
}

}  // namespace shown_test
