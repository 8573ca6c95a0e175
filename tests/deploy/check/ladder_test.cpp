// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/ladder.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>

namespace ladder_test {

using namespace calibscope;
using namespace calibscope::deploy;
using test::Approx;

TEST_CASE("figures of samples: pooled, median, least")
{
    // 10, 20 and 30 dB; pooled 10 log10(300 / 11.1).
    const LadderFigures figures =
        figuresOf({.signal = {100.0, 100.0, 100.0}, .noise = {10.0, 1.0, 0.1}});
    CHECK(figures.pooledDb == Approx(10.0 * std::log10(300.0 / 11.1)));
    CHECK(figures.medianDb == Approx(20.0));
    CHECK(figures.leastDb == Approx(10.0));
    CHECK(figuresOf({}) == LadderFigures{});
    CHECK(std::isinf(figuresOf({.signal = {1.0}, .noise = {0.0}}).pooledDb));
}

TEST_CASE("a gain that all samples have alike has no width")
{
    const SampleNoise from{.signal = {4.0, 9.0, 1.0}, .noise = {1.0, 1.0, 1.0}};
    const SampleNoise to{.signal = {4.0, 9.0, 1.0}, .noise = {0.1, 0.1, 0.1}};
    const LadderGain gain = gainOf(from, to, 1);
    for (const GainInterval& each : {gain.pooled, gain.median}) {
        CHECK(each.gainDb == Approx(10.0));
        CHECK(each.lowDb == Approx(10.0));
        CHECK(each.highDb == Approx(10.0));
    }
    CHECK_FALSE(isSurelyLower(gain));
    CHECK(isSurelyLower(gainOf(to, from, 1)));
    CHECK(gainOf(from, from, 1) == LadderGain{});
}

TEST_CASE("a gain that one sample of four makes is not sure")
{
    const SampleNoise from{.signal = {1.0, 1.0, 1.0, 1.0}, .noise = {1.0, 1.0, 1.0, 1.0}};
    const SampleNoise to{.signal = {1.0, 1.0, 1.0, 1.0}, .noise = {4.0, 0.9, 0.9, 0.9}};
    const LadderGain gain = gainOf(from, to, 1);
    CHECK(gain.pooled.gainDb == Approx(10.0 * std::log10(4.0 / 6.7)));
    // Without the first sample, which 0.75^4 = 32 % of the draws are: 10 log10(1 / 0.9).
    CHECK(gain.pooled.highDb == Approx(10.0 * std::log10(1.0 / 0.9)));
    // Three of four draws of it are 4.7 % of all, four 0.4 %.
    CHECK(gain.pooled.lowDb == Approx(10.0 * std::log10(4.0 / 12.9)));
    CHECK_FALSE(isSurelyLower(gain));
    CHECK(gainOf(from, to, 1) == gain);
}

TEST_CASE("equal infinite figures gain nothing")
{
    const SampleNoise exact{.signal = {1.0, 2.0}, .noise = {0.0, 0.0}};
    CHECK(gainOf(exact, exact, 1) == LadderGain{});
}

}  // namespace ladder_test
