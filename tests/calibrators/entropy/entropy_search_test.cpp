// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/entropy_search.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace entropy_entropy_search_test {

using namespace calibscope;
using calibscope::test::Approx;

constexpr double inf = std::numeric_limits<double>::infinity();

enum class Shape { Dense, Sparse, OneBin, FewBins, LongTail, Huge, LateOutlier };

std::vector<std::uint64_t> randomCounts(std::size_t bins, Shape shape, unsigned seed)
{
    std::mt19937 engine(seed);
    std::uniform_int_distribution<std::uint64_t> count(1, shape == Shape::Huge ? 1U << 30 : 900);
    std::uniform_int_distribution<std::size_t> place(0, bins - 1);
    std::vector<std::uint64_t> counts(bins);
    if (shape == Shape::OneBin)
        counts[place(engine)] = count(engine);
    else if (shape == Shape::FewBins)
        for (int filled = 0; filled < 5; ++filled)
            counts[place(engine)] = count(engine);
    else
        for (std::size_t bin = 0; bin < bins; ++bin)
            if (shape == Shape::LateOutlier)
                counts[bin] = bin < bins / 8 || bin + 1 == bins ? count(engine) : 0;
            else if (shape != Shape::Sparse || count(engine) < 200)
                counts[bin] = shape == Shape::LongTail ? count(engine) / (1 + bin) : count(engine);
    return counts;
}

std::vector<EntropyRule> allRules(std::size_t levels)
{
    std::vector<EntropyRule> rules;
    for (const bool outliersInQ : {true, false})
        for (const EmptyBins emptyBins : {EmptyBins::All, EmptyBins::Spread, EmptyBins::Smooth})
            for (const bool coarseFirst : {false, true})
                for (const bool levelsByEdge : {false, true})
                    rules.push_back({.levels = levels,
                                     .outliersInQ = outliersInQ,
                                     .emptyBins = emptyBins,
                                     .coarseFirst = coarseFirst,
                                     .levelsByEdge = levelsByEdge});
    return rules;
}

/// The divergence as the definition reads, bin by bin and from nothing but the counts.
double slowDivergence(const std::vector<std::uint64_t>& counts, std::size_t trial,
                      const EntropyRule& rule)
{
    std::vector<double> inside(counts.begin(),
                               counts.begin() + static_cast<std::ptrdiff_t>(trial) + 1);
    std::vector<double> p = inside;
    for (std::size_t bin = trial + 1; bin < counts.size(); ++bin)
        p[trial] += static_cast<double>(counts[bin]);
    const std::vector<double>& source = rule.outliersInQ ? p : inside;
    std::vector<double> sums(rule.levels);
    std::vector<double> takers(rule.levels);
    const auto takes = [&](std::size_t bin) {
        return rule.emptyBins == EmptyBins::All || source[bin] > 0.0;
    };
    const auto levelOf = [&](std::size_t bin) {
        const double width = (static_cast<double>(trial) + 0.5) / static_cast<double>(rule.levels);
        const double level = std::floor((static_cast<double>(bin) + 0.5) / width + 1e-9);
        return bin == trial ? rule.levels - 1
                            : std::min(static_cast<std::size_t>(level), rule.levels - 1);
    };
    for (std::size_t bin = 0; bin <= trial; ++bin) {
        sums[levelOf(bin)] += source[bin];
        takers[levelOf(bin)] += takes(bin) ? 1.0 : 0.0;
    }
    double pTotal = 0.0;
    double qTotal = 0.0;
    std::vector<double> q(trial + 1);
    for (std::size_t bin = 0; bin <= trial; ++bin) {
        q[bin] = takes(bin) ? sums[levelOf(bin)] / takers[levelOf(bin)] : 0.0;
        pTotal += p[bin];
        qTotal += q[bin];
    }
    if (qTotal == 0.0)
        return inf;
    double sum = 0.0;
    for (std::size_t bin = 0; bin <= trial; ++bin)
        if (p[bin] > 0.0)
            sum += p[bin] / pTotal * std::log(p[bin] / pTotal / (q[bin] / qTotal));
    return std::max(sum, 0.0);
}

bool areClose(double fast, double plain)
{
    // The promise is 1e-9; prefix sums of these sizes do better.
    return fast == plain || std::abs(fast - plain) < 1e-11 * (1.0 + plain);
}

TEST_CASE("prefix sums give the plain divergence of every candidate under every rule")
{
    unsigned seed = 0;
    for (const Shape shape : {Shape::Dense, Shape::Sparse, Shape::OneBin, Shape::FewBins,
                              Shape::LongTail, Shape::Huge, Shape::LateOutlier})
        for (const std::size_t bins :
             {std::size_t{1}, std::size_t{2}, std::size_t{9}, std::size_t{64}, std::size_t{257}})
            for (const std::size_t levels : {std::size_t{2}, std::size_t{3}, std::size_t{16},
                                             std::size_t{127}, std::size_t{1000}})
                for (const EntropyRule& rule : allRules(levels)) {
                    const std::vector<std::uint64_t> counts = randomCounts(bins, shape, ++seed);
                    const std::vector<FilledBin> filled = filledBins(counts);
                    const std::vector<double> fast = allDivergences(counts, 0, bins - 1, rule);
                    REQUIRE(fast.size() == bins);
                    std::size_t wrong = 0;
                    for (std::size_t trial = 0; trial < bins; ++trial)
                        if (!areClose(fast[trial], plainDivergence(filled, trial, rule)))
                            ++wrong;
                    INFO("seed " << seed << " levels " << levels << " bins " << bins);
                    CHECK(wrong == 0);
                }
}

TEST_CASE("both readings of empty bins give the definition's divergences on 400 histograms")
{
    for (unsigned seed = 0; seed < 400; ++seed) {
        const std::array shapes{Shape::Dense, Shape::Sparse, Shape::FewBins, Shape::LongTail,
                                Shape::Huge};
        const std::size_t bins = 20 + seed % 150;
        const std::vector<std::uint64_t> counts = randomCounts(bins, shapes[seed % 5], 5000 + seed);
        const std::vector<FilledBin> filled = filledBins(counts);
        for (const bool outliersInQ : {true, false})
            for (const EmptyBins emptyBins : {EmptyBins::All, EmptyBins::Spread}) {
                const EntropyRule rule{
                    .levels = 2 + seed % 17, .outliersInQ = outliersInQ, .emptyBins = emptyBins};
                const std::vector<double> fast = allDivergences(counts, 0, bins - 1, rule);
                std::size_t wrong = 0;
                for (std::size_t trial = rule.levels; trial < bins; ++trial) {
                    const double slow = slowDivergence(counts, trial, rule);
                    if (!areClose(fast[trial], slow) ||
                        !areClose(plainDivergence(filled, trial, rule), slow))
                        ++wrong;
                }
                INFO("seed " << seed << " outliers in Q " << outliersInQ);
                CHECK(wrong == 0);
            }
    }
}

TEST_CASE("the search finds the least plain divergence, its value, and all ties")
{
    for (unsigned seed = 0; seed < 400; ++seed) {
        const Shape shape = seed % 2 == 0 ? Shape::FewBins : Shape::LongTail;
        const std::vector<std::uint64_t> counts = randomCounts(60, shape, seed);
        const EntropyRule rule{.levels = 7,
                               .outliersInQ = seed % 4 < 2,
                               .emptyBins = seed % 16 < 8 ? EmptyBins::All : EmptyBins::Spread,
                               .levelsByEdge = seed % 8 < 4};
        const std::vector<FilledBin> filled = filledBins(counts);
        std::vector<double> plain;
        for (std::size_t trial = 7; trial < 60; ++trial)
            plain.push_back(plainDivergence(filled, trial, rule));
        const double least = *std::ranges::min_element(plain);
        const EntropySearch first = searchEntropy(counts, 7, 59, rule, {});
        const EntropySearch last = searchEntropy(counts, 7, 59, rule, {.takesLast = true});
        if (least == inf) {
            CHECK_FALSE(first.chosen);
            continue;
        }
        const auto ties = static_cast<std::size_t>(std::ranges::count(plain, least));
        REQUIRE(first.chosen);
        REQUIRE(last.chosen);
        CHECK(*first.chosen ==
              static_cast<std::size_t>(std::ranges::find(plain, least) - plain.begin()));
        CHECK(plain[*last.chosen] == least);
        CHECK(std::count(plain.begin() + static_cast<std::ptrdiff_t>(*last.chosen) + 1, plain.end(),
                         least) == 0);
        CHECK(first.divergences[*first.chosen] == least);
        CHECK(first.ties.size() == ties - 1);
        CHECK(last.ties.size() == ties - 1);
    }
}

TEST_CASE("no candidates, or none that is finite, choose nothing")
{
    const std::vector<std::uint64_t> counts(100, 1);
    CHECK_FALSE(searchEntropy(counts, 127, 99, {}, {}).chosen);
    CHECK_FALSE(searchEntropy(counts, 50, 49, {.levels = 5}, {}).chosen);
    CHECK_FALSE(searchEntropy({}, 0, 0, {.levels = 5}, {}).chosen);
    const std::vector<std::uint64_t> empty(100);
    CHECK_FALSE(searchEntropy(empty, 5, 99, {.levels = 5}, {}).chosen);
}

TEST_CASE("a candidate whose own bins are all empty wins where that is asked for")
{
    const EntropyRule open{.levels = 4, .outliersInQ = false, .emptyBins = EmptyBins::Spread};
    std::vector<std::uint64_t> counts(32);
    counts[31] = 7;  // the last trial alone is exact
    const EntropySearch never = searchEntropy(counts, 4, 31, open, {.takesLast = true});
    CHECK(never.chosen == 27U);
    CHECK_FALSE(never.isEmpty);
    const EntropySearch wins =
        searchEntropy(counts, 4, 31, open, {.takesLast = true, .emptyWins = true});
    CHECK(wins.chosen == 26U);
    CHECK(wins.isEmpty);
    CHECK(wins.divergences[26] == 0.0);
    CHECK(searchEntropy(counts, 4, 31, open, {.emptyWins = true}).chosen == 0U);
    // Where the tail enters the coarse histogram, no trial is empty.
    CHECK_FALSE(searchEntropy(counts, 4, 31, {.levels = 4}, {.emptyWins = true}).isEmpty);
    counts[2] = 1;
    CHECK_FALSE(searchEntropy(counts, 4, 31, open, {.emptyWins = true}).isEmpty);
}

TEST_CASE("the widest histogram with few filled bins and thousands of ties is searched")
{
    std::vector<std::uint64_t> counts(1U << 18);
    counts[0] = 1000;
    counts[100000] = 5;
    counts[200000] = 1;
    const EntropySearch search = searchEntropy(
        counts, 127, counts.size() - 1, {.emptyBins = EmptyBins::Spread}, {.takesLast = true});
    REQUIRE(search.chosen);
    CHECK(search.divergences[*search.chosen] == 0.0);
    CHECK(*search.chosen + 127 == counts.size() - 1);
    CHECK(search.ties.size() > 100000);
    // Over all bins a level's width counts: the narrowest levels win, those of the first trial.
    const EntropySearch overAll = searchEntropy(counts, 127, counts.size() - 1, {}, {});
    CHECK(overAll.chosen == 0U);
}

TEST_CASE("with a step only every so manieth trial is computed, and each is what it is without")
{
    const std::vector<std::uint64_t> counts = randomCounts(64, Shape::Dense, 5);
    const EntropyRule rule{.levels = 8};
    const std::vector<double> all = allDivergences(counts, 7, 63, rule);
    const std::vector<double> some = allDivergences(counts, 7, 63, rule, 8);
    REQUIRE(some.size() == 8);
    for (std::size_t index = 0; index < some.size(); ++index)
        CHECK(some[index] == all[8 * index]);
    const EntropySearch search = searchEntropy(counts, 7, 63, rule, {.step = 8});
    REQUIRE(search.chosen);
    CHECK(search.trial(*search.chosen) == 7 + 8 * *search.chosen);
}

TEST_CASE("a floor in the logarithm makes a trial valid whose last bin is empty in Q")
{
    // Bins 3, 1, 0 and 4 beyond: P = (3, 1, 4) / 8, Q = (3, 1, 0) / 4 with as many levels as bins.
    const std::vector<std::uint64_t> counts{3, 1, 0, 4};
    EntropyRule rule{.levels = 3, .outliersInQ = false};
    const std::vector<FilledBin> filled = filledBins(counts);
    CHECK(std::isinf(plainDivergence(filled, 2, rule)));
    rule.logFloor = 1e-30;
    const double expected =
        0.375 * std::log(0.5) + 0.125 * std::log(0.5) + 0.5 * std::log(0.5 / 1e-30);
    CHECK(std::abs(plainDivergence(filled, 2, rule) - expected) < 1e-13 * expected);
    CHECK(std::abs(allDivergences(counts, 2, 2, rule)[0] - expected) < 1e-13 * expected);
}

}  // namespace entropy_entropy_search_test
