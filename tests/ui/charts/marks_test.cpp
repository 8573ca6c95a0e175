// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/marks.h"

#include "core/recipes/make_choice.h"
#include "core/recipes/scale_rows.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <cmath>

namespace marks_test {

using namespace calibscope;

Outcome iterated()
{
    Outcome outcome;
    outcome.trace = {
        .objective = "squared error, halved", .scale = {2.0, 0.5, 1.0}, .error = {9.0, 4.0, 3.0}};
    return outcome;
}

TEST_CASE("an outcome that searched nothing has no mark")
{
    CHECK_FALSE(searchMark(Outcome{}));
}

TEST_CASE("the steps of an iteration lie on its curve, scales as thresholds")
{
    Outcome outcome = iterated();
    outcome.curve = {
        .objective = "squared error, halved", .threshold = {127.0, 200.0}, .value = {3.0, 5.0}};
    const std::optional<CurveMark> mark = searchMark(outcome);
    REQUIRE(mark);
    CHECK(mark->curve.threshold == outcome.curve.threshold);
    CHECK(mark->stepThresholds == std::vector<double>{254.0, 63.5, 127.0});
    CHECK(mark->stepValues == outcome.trace.error);
}

TEST_CASE("an iteration without a grid has its steps for a curve, ascending, the result chosen")
{
    const std::optional<CurveMark> mark = searchMark(iterated());
    REQUIRE(mark);
    CHECK(mark->curve.objective == "squared error, halved");
    CHECK(mark->curve.threshold == std::vector<double>{63.5, 127.0, 254.0});
    CHECK(mark->curve.value == std::vector<double>{4.0, 3.0, 9.0});
    CHECK(mark->curve.chosen == 1);
}

TEST_CASE("the curve over windows stands where its windows clip")
{
    std::vector<float> values;  // half of a bell with a long tail to one side
    for (int index = 0; index < 4096; ++index) {
        const auto tail = static_cast<float>(-std::log(1.0 - (index + 0.5) / 4096.0));
        values.push_back(tail * (index % 2 ? -0.05F : 0.5F));
    }
    const Choice choice = makeChoice("kl-window", {}, SchemeKind::Affine, Granularity::Tensor);
    TensorProfile profile;
    profile.moments.add(values);
    const CalibratorNeeds needs =
        calibrator(choice.calibrator)
            .needs({.settings = choice.settings, .scheme = choice.scheme}, profile.extents());
    for (const HistogramSpec& spec : needs.histograms)
        profile.histograms.push_back(calibscope::test::grownHistogram(values, spec));
    const Calibrated found = calibrateProfile(choice, profile);
    Outcome outcome{.choice = choice};
    outcome.whole = found.row;
    outcome.curve = found.curve;
    REQUIRE(outcome.whole.clip.range);
    const Range clip = *outcome.whole.clip.range;
    REQUIRE(clip.high > -clip.low);
    for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
        const std::optional<CurveMark> mark = searchMark(outcome, profile, domain);
        REQUIRE(mark);
        REQUIRE(mark->curve.threshold.size() == mark->curve.value.size());
        CHECK(mark->curve.threshold[mark->curve.chosen] == clip.high);
        CHECK(std::ranges::is_sorted(mark->curve.threshold));
        CHECK(mark->curve.threshold.back() > 0.99 * profile.extents().max);
    }
    // Half the width, where the mark stood.
    CHECK(outcome.curve.threshold[outcome.curve.chosen] < 0.8 * clip.high);
}

}  // namespace marks_test
