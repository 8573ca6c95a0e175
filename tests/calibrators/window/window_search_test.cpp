// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/window/window_search.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>

namespace window_search_test {

using namespace calibscope;
using calibscope::test::Approx;

using Counts = std::vector<std::uint64_t>;

constexpr double inf = std::numeric_limits<double>::infinity();

/// Both ends shrink, 0 in the middle of four bins unless it is said.
WindowRule twoLevels()
{
    return {.levels = 2, .shrinksBothEnds = true, .zeroPlace = 2.0};
}

double wholeDivergence(const Counts& counts, WindowRule rule)
{
    return searchWindows(counts, rule).front().divergence;
}

Counts drawn(unsigned seed, std::size_t bins)
{
    std::mt19937 engine(seed);
    std::normal_distribution<double> place(static_cast<double>(bins) / 2,
                                           static_cast<double>(bins) / 8);
    Counts counts(bins);
    for (int value = 0; value < 2000; ++value) {
        const double bin = std::clamp(place(engine), 0.0, static_cast<double>(bins - 1));
        ++counts[static_cast<std::size_t>(bin)];
    }
    return counts;
}

TEST_CASE("flat counts have no divergence from their coarse form")
{
    for (const bool splits : {true, false}) {
        WindowRule rule = twoLevels();
        rule.splitsBins = splits;
        CHECK(wholeDivergence({4, 4, 4, 4}, rule) == Approx(0.0).margin(1e-15));
    }
}

TEST_CASE("the divergence of two levels is as worked out by hand")
{
    // P = {1 3 2 2} / 8, Q = {2 2 2 2} / 8.
    const double expected = std::log(0.5) / 8 + 3 * std::log(1.5) / 8;
    for (const bool splits : {true, false}) {
        WindowRule rule = twoLevels();
        rule.splitsBins = splits;
        CHECK(wholeDivergence({1, 3, 2, 2}, rule) == Approx(expected).epsilon(1e-14));
    }
}

TEST_CASE("fractional levels share the bin on their border, integer ones leave it to the last")
{
    WindowRule rule = twoLevels();
    rule.zeroPlace = 1.5;
    // Levels of one and a half bins: 2 + 2 and 2 + 6, so Q = {8/3 4 16/3}, P = {2 4 6}, both / 12.
    CHECK(wholeDivergence({2, 4, 6}, rule) ==
          Approx(std::log(0.75) / 6 + std::log(1.125) / 2).epsilon(1e-14));
    rule.splitsBins = false;  // levels {2} and {4 6}: Q = {2 5 5}
    CHECK(wholeDivergence({2, 4, 6}, rule) ==
          Approx(std::log(0.8) / 3 + std::log(1.2) / 2).epsilon(1e-14));
}

TEST_CASE("an empty bin is given 1e-4, which the others lose")
{
    // Levels {4 0} and {4 4}: a level spreads over its filled bins, so that Q is P.
    CHECK(wholeDivergence({4, 0, 4, 4}, twoLevels()) == Approx(0.0).margin(1e-15));
    // The inner window of {8 0 | 4 4 4 4 | 0 2}: counts outside go to P's end bins, P = {12 4 4 6}
    // and Q = {4 4 4 4}.
    const std::vector<Window> windows = searchWindows(
        Counts{8, 0, 4, 4, 4, 4, 0, 2}, {.levels = 2, .shrinksBothEnds = true, .zeroPlace = 4.0});
    const double sum = 26.0;
    const double expected = 12 / sum * std::log(12 / sum * 4) + 8 / sum * std::log(4 / sum * 4) +
                            6 / sum * std::log(6 / sum * 4);
    CHECK(windows.at(2).divergence == Approx(expected).epsilon(1e-14));
}

TEST_CASE("windows leave out one bin at each end down to the number of levels")
{
    const std::vector<Window> windows =
        searchWindows(drawn(1, 9), {.levels = 4, .shrinksBothEnds = true, .zeroPlace = 4.5});
    REQUIRE(windows.size() == 3);
    CHECK(windows[1].first == 1);
    CHECK(windows[1].last == 7);
    CHECK(windows[2].first == 2);
    CHECK(windows[2].last == 6);
}

TEST_CASE("one-sided steps lose the fewest counts, of equal ones both ends go first")
{
    const std::vector<Window> windows =
        searchWindows(Counts{1, 1, 9, 9, 9, 9, 0, 0, 0, 3}, {.levels = 4, .zeroMayLeave = true});
    REQUIRE(windows.size() == 4);
    CHECK(windows[1].first == 2);  // 2 against 1 + 3 and 3
    CHECK(windows[2].last == 7);   // 3 against 12 and 18
    CHECK(windows[3].last == 5);   // 0
    const std::vector<Window> equal =
        searchWindows(Counts{1, 1, 5, 5, 1, 1}, {.levels = 2, .zeroMayLeave = true});
    CHECK(equal.at(1).first == 1);
    CHECK(equal.at(1).last == 4);
}

TEST_CASE("where 0 may not leave, the other side shrinks, and the search ends without a step")
{
    const Counts counts{0, 0, 0, 7, 7, 7, 7, 7};
    WindowRule rule{.levels = 2, .zeroPlace = 1.0};
    for (const Window& window : searchWindows(counts, rule))
        CHECK(window.first <= 1);
    rule.zeroMayLeave = true;
    CHECK(searchWindows(counts, rule).back().first > 1);
    rule = {.levels = 2, .shrinksBothEnds = true, .zeroPlace = 0.5};
    CHECK(searchWindows(counts, rule).size() == 1);
}

TEST_CASE("a window without counts is not a candidate, or the best one")
{
    WindowRule rule{.levels = 2, .shrinksBothEnds = true, .zeroPlace = 3.0};
    const Counts counts{3, 0, 0, 0, 0, 3};
    const std::vector<Window> never = searchWindows(counts, rule);
    REQUIRE(never.size() == 3);
    CHECK_FALSE(never[0].isEmpty);
    CHECK(std::isfinite(never[0].divergence));
    CHECK(never[1].isEmpty);
    CHECK(never[1].divergence == inf);
    rule.takesEmpty = true;
    CHECK(searchWindows(counts, rule)[1].divergence == 0.0);
}

TEST_CASE("fewer bins than levels leave nothing to search")
{
    CHECK(searchWindows(Counts{1, 2, 3}, {.levels = 4}).empty());
}

TEST_CASE("sums in float32 differ from those in double by rounding alone")
{
    const Counts counts = drawn(5, 128);
    WindowRule rule{.levels = 31, .shrinksBothEnds = true, .zeroPlace = 64.0};
    const std::vector<Window> exact = searchWindows(counts, rule);
    rule.sumsInFloat32 = true;
    const std::vector<Window> rounded = searchWindows(counts, rule);
    REQUIRE(exact.size() == rounded.size());
    for (std::size_t index = 0; index < exact.size(); ++index)  // 128 terms of 2^-24 each
        CHECK(rounded[index].divergence == Approx(exact[index].divergence).margin(1e-5));
}

TEST_CASE("both ways of merging agree where every level has whole bins")
{
    const Counts counts = drawn(6, 64);
    WindowRule rule{.levels = 16, .shrinksBothEnds = true, .zeroPlace = 32.0};
    const double split = wholeDivergence(counts, rule);
    rule.splitsBins = false;
    CHECK(wholeDivergence(counts, rule) == Approx(split).epsilon(1e-12));
}

/// Log-normal, with runs of empty bins: `most` counts in the fullest.
Counts ragged(unsigned seed, std::size_t bins, double most)
{
    std::mt19937 engine(seed);
    std::normal_distribution<double> exponent(-2.0, 2.0);
    Counts counts(bins);
    for (std::uint64_t& count : counts)
        count = static_cast<std::uint64_t>(most * std::min(1.0, std::exp(exponent(engine))));
    for (int run = 0; run < 3; ++run) {
        const std::size_t first = engine() % bins;
        std::fill_n(counts.begin() + static_cast<std::ptrdiff_t>(first),
                    std::min<std::size_t>(engine() % 9, bins - first), 0);
    }
    return counts;
}

TEST_CASE("a search finds each window's divergence as it is bin by bin, and the least to the bit")
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const std::size_t bins = 20 + seed * 7;
        const Counts counts = ragged(seed, bins, seed % 3 == 0 ? 1e12 : seed % 3 == 1 ? 40.0 : 3e4);
        const WindowRule rule{.levels = 2 + seed % 19,
                              .splitsBins = seed % 2 == 0,
                              .takesEmpty = seed % 5 == 0,
                              .shrinksBothEnds = seed % 7 == 0,
                              .zeroMayLeave = seed % 4 != 0,
                              .zeroPlace = static_cast<double>(bins) / 3};
        double least = inf;
        const std::vector<Window> windows = searchWindows(counts, rule);
        for (const Window& window : windows)
            least = std::min(least, measuredWindow(counts, window, rule).divergence);
        for (const Window& window : windows) {
            const double plain = measuredWindow(counts, window, rule).divergence;
            if (plain == least || std::isinf(plain))
                CHECK(window.divergence == plain);
            else
                CHECK(window.divergence == Approx(plain).margin(1e-11));  // 400 terms of 1e-14
            CHECK(window.divergence >= least);
        }
    }
}

}  // namespace window_search_test
