// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/estimate.h"

#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/scale_rows.h"
#include "tests/support/catch.h"
#include "tests/support/same_outcomes.h"

#include <random>
#include <vector>

namespace collect_estimate_test {

/// What the window makes of a profile against what the engine makes of the values.
using namespace calibscope;
using namespace calibscope::test;

std::vector<float> skewed(std::size_t count)
{
    std::mt19937 engine(11);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(count);
    for (float& value : values) {
        const float x = normal(engine);
        value = x > 0.0F ? x * x : 0.1F * x;
    }
    return values;
}

const TensorInfo activation{.name = "a",
                            .role = Role::Activation,
                            .shape = {8, 5, 100},
                            .batchAxis = 0,
                            .batchSize = 2,
                            .channelAxis = 1,
                            .op = "Relu"};

void checkSameOutcome(const Outcome& estimated, const Outcome& engine)
{
    CHECK(estimated.problem == engine.problem);
    CHECK(estimated.tensor == engine.tensor);
    CHECK(estimated.role == engine.role);
    CHECK(estimated.op == engine.op);
    CHECK(estimated.histogram == engine.histogram);
    CHECK(estimated.choice.isSameComputation(engine.choice));
    checkSame(estimated.whole, engine.whole);
    REQUIRE(estimated.channels.size() == engine.channels.size());
    for (std::size_t channel = 0; channel < estimated.channels.size(); ++channel)
        checkSame(estimated.channels[channel], engine.channels[channel]);
    CHECK(estimated.curve.threshold == engine.curve.threshold);
    CHECK(estimated.curve.value == engine.curve.value);
    CHECK(estimated.curve.chosen == engine.curve.chosen);
}

/// Checks the estimate against the engine's outcome without exact metrics; false where the choice
/// needs the values.
bool isEstimatedAlike(const TensorInfo& info, const std::vector<float>& values,
                      const Choice& choice)
{
    const ValueSource source = sourceOf(info, values);
    TensorProfile profile = collectProfile(source);
    const CalibratorNeeds needs = needsOf(choice, profile.extents());
    collectMore(profile, source, needs.histograms, needs.orders);
    TensorProfile engineOwn = collectProfile(source);
    const Outcome engine =
        analyse(source, engineOwn, std::vector{choice}, {.effort = MetricEffort::Estimate}).front();
    if (!canEstimate(profile, choice)) {
        CHECK_FALSE(estimateOutcome(profile, choice).problem.empty());
        return false;
    }
    checkSameOutcome(estimateOutcome(profile, choice), engine);
    return true;
}

TEST_CASE("what a profile suffices for is estimated to the engine's last bit")
{
    const std::vector<float> values = skewed(8 * 5 * 100);
    std::vector<std::string> alike;
    for (const Calibrator& algorithm : calibrators())
        for (const SchemeKind scheme : {SchemeKind::SymmetricRestricted, SchemeKind::Affine}) {
            if (algorithm.isSymmetricOnly && scheme == SchemeKind::Affine)
                continue;
            INFO(algorithm.id);
            Choice choice = makeChoice(algorithm.id, {}, scheme, Granularity::Tensor);
            choice.note = "a note";
            if (isEstimatedAlike(activation, values, choice))
                alike.emplace_back(algorithm.id);
        }
    for (const char* id : {"min-max", "percentile", "entropy", "mse", "fixed"}) {
        INFO(id);
        CHECK(std::ranges::count(alike, id) > 0);
    }
}

TEST_CASE("a scale per channel by its ends alone is estimated, too")
{
    const std::vector<float> values = skewed(8 * 5 * 100);
    for (const char* id : {"min-max", "fixed"}) {
        const Choice choice =
            makeChoice(id, {}, SchemeKind::SymmetricRestricted, Granularity::Channel);
        CHECK(isEstimatedAlike(activation, values, choice));
    }
    CHECK_FALSE(isEstimatedAlike(
        activation, values,
        makeChoice("entropy", {}, SchemeKind::SymmetricRestricted, Granularity::Channel)));
}

TEST_CASE("odd data is estimated as by the engine")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::vector<float>> tensors = {
        {0, 0, 0, 0}, {5, 5, 5, 5}, {nan, nan, nan, nan}, {-3, nan, 0, 1}};
    for (const std::vector<float>& values : tensors)
        for (const char* id : {"min-max", "entropy", "mse", "percentile"})
            for (const Granularity granularity : {Granularity::Tensor, Granularity::Channel})
                (void)isEstimatedAlike(
                    {.name = "odd", .shape = {2, 2}, .channelAxis = 1}, values,
                    makeChoice(id, {}, SchemeKind::SymmetricRestricted, granularity));
}

}  // namespace collect_estimate_test
