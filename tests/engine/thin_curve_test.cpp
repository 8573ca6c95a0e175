#include "core/engine/thin_curve.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

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
