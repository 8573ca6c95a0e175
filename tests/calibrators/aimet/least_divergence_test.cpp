// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/least_divergence.h"

#include "tests/support/catch.h"

#include <cmath>
#include <vector>

namespace least_divergence_test {

using namespace calibscope;

TEST_CASE("even counts keep the whole range: as 255 levels they are what they are")
{
    const std::vector<double> counts(512, 100.0);
    CHECK(leastDivergence(counts, {-2.0, 2.0}, {.bothEnds = true}) == Range{-2.0, 2.0});
    CHECK(leastDivergence(counts, {-1.0, 3.0}, {.bothEnds = false}) == Range{-1.0, 3.0});
}

TEST_CASE("thin tails are cut off, both alike or where fewer counts are lost")
{
    std::vector<double> counts(512);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const double x = (static_cast<double>(bin) - 200.0) / 40.0;
        counts[bin] = std::round(1000.0 * std::exp(-x * x / 2.0));
    }
    const Range both = leastDivergence(counts, {-4.0, 4.0}, {.bothEnds = true});
    CHECK(both.low == -both.high);
    CHECK(both.high < 4.0);
    const Range cheapest = leastDivergence(counts, {-4.0, 4.0}, {.bothEnds = false});
    CHECK(cheapest.high < 4.0);
    CHECK(cheapest.high - 4.0 < -4.0 - cheapest.low);  // more is cut off where less lies
}

TEST_CASE("0 stays inside: the other end becomes narrower in its place")
{
    std::vector<double> counts(512, 0.0);
    for (std::size_t bin = 256; bin < counts.size(); ++bin)
        counts[bin] = 50.0 + static_cast<double>(bin % 3);
    const Range kept = leastDivergence(counts, {0.0, 8.0}, {.bothEnds = false});
    CHECK(kept.low == 0.0);
}

TEST_CASE("ends are float32")
{
    std::vector<double> counts(512);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const double x = (static_cast<double>(bin) - 256.0) / 50.0;
        counts[bin] = std::round(1000.0 * std::exp(-x * x / 2.0));
    }
    const Range kept = leastDivergence(counts, {-4.4041, 4.4041}, {.bothEnds = true});
    CHECK(kept.high == static_cast<double>(static_cast<float>(kept.high)));
    CHECK(kept.low == static_cast<double>(static_cast<float>(kept.low)));
}

}  // namespace least_divergence_test
