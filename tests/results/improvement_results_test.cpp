// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/improvement_results.h"

#include "tests/support/catch.h"

namespace improvement_results_test {

using namespace calibscope;

TEST_CASE("a gain counts above half its interval, and from 0.1 dB on")
{
    const auto why = [](std::optional<double> gain, double interval) {
        return whyNoGain({.remedy = "bias", .gainDb = gain, .intervalDb = interval});
    };
    CHECK(why(0.3, 0.29).empty());
    CHECK(why(0.1, 0.0).empty());
    CHECK(why(0.3, 0.3) == "its gain is within its interval");
    CHECK(why(-0.3, 0.1) == "its gain is within its interval");
    CHECK(why(std::nullopt, 0.0) == "its gain is within its interval");  // nothing is held out
    CHECK(why(0.02, 0.01) == "its gain is below 0.1 dB: too small to tell from luck");
}

TEST_CASE("layers are counted by their remedies; to stay float improves none")
{
    LayerImprovement several{.rows = std::vector<RemedyResult>(3), .biasShift = {0.5}};
    several.division.factors = {2.0F};
    const LayerImprovement inFloat{.rows = std::vector<RemedyResult>(2), .isFloat = true};
    const ImprovementReport report{.dump = "a.h5", .layers = {several, inFloat, {}}};
    const ImprovementCounts counts = countsOf(report);
    CHECK(counts.computed == 2);
    CHECK(counts.improved == 1);
    CHECK(counts.of == std::array<std::uint64_t, 4>{1, 1, 0, 1});
    const ImprovementCounts none =
        countsOf(report, [](const LayerImprovement&, Remedy) { return false; });
    CHECK(none.improved == 0);
    CHECK(none.computed == 2);
}

}  // namespace improvement_results_test
