// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/estimate.h"

#include "core/recipes/make_choice.h"
#include "core/recipes/scale_rows.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <vector>

namespace recipes_estimate_test {

using namespace calibscope;

const std::vector<float> values = {0.0F, -1.0F, 0.5F, 2.0F};

TensorProfile profileOfValues()
{
    TensorProfile profile;
    profile.info = {.name = "t", .shape = {4}};
    profile.moments.add(values);
    SketchCounter sketch;
    sketch.add(values);
    profile.sketch = sketch.sketch();
    return profile;
}

Choice choiceOf(const char* id, Granularity granularity = Granularity::Tensor)
{
    return makeChoice(id, {}, SchemeKind::SymmetricRestricted, granularity);
}

TEST_CASE("min-max needs no histogram, its metrics are marked as estimated")
{
    const Outcome outcome = estimateOutcome(profileOfValues(), choiceOf("min-max"));
    CHECK(outcome.problem.empty());
    CHECK(outcome.whole.clip.threshold == 2.0);
    CHECK(outcome.whole.quantizer.scale == 2.0 / 127.0);
    CHECK(outcome.whole.metric("clipped_share") == 0.0);
    CHECK_FALSE(outcome.whole.hasExactMetrics);
    CHECK(outcome.whole.notes ==
          std::vector<std::string>{"one value decides: no other has more than half its magnitude",
                                   "metrics estimated, SQNR +- 0 dB"});
}

TEST_CASE("what a profile lacks for an estimate is said, and told by the needs")
{
    TensorProfile profile = profileOfValues();
    const Choice entropy = choiceOf("entropy");
    const CalibratorNeeds needs = needsOf(entropy, profile.extents());
    REQUIRE(needs.histograms.size() == 1);
    CHECK(whyNoEstimate(profile, entropy) ==
          "it needs a histogram of " + histogramText(needs.histograms[0]));
    CHECK(estimateOutcome(profile, entropy).problem == whyNoEstimate(profile, entropy));
    profile.histograms.push_back(test::grownHistogram(values, needs.histograms[0]));
    CHECK(canEstimate(profile, entropy));
    CHECK(estimateOutcome(profile, entropy).problem.empty());

    profile.sketch = {};
    CHECK(whyNoEstimate(profile, entropy) == "it needs the sketch");
    CHECK(whyNoEstimate(profileOfValues(), choiceOf("l2")) == "it needs the values");
    CHECK(whyNoEstimate(profileOfValues(), choiceOf("percentile")) ==
          "it needs an exact order statistic");
}

TEST_CASE("scales per channel are estimated from the channels' extents")
{
    TensorProfile profile = profileOfValues();
    const Choice choice = choiceOf("min-max", Granularity::Channel);
    CHECK(whyNoEstimate(profile, choice) == "scales per channel need a channel axis");
    profile.channels.resize(2);
    profile.channels[0].add(std::span(values).first(2));
    profile.channels[1].add(std::span(values).last(2));
    const Outcome outcome = estimateOutcome(profile, choice);
    REQUIRE(outcome.channels.size() == 2);
    CHECK(outcome.channels[0].quantizer.scale == 1.0 / 127.0);
    CHECK(outcome.channels[1].quantizer.scale == 2.0 / 127.0);
    CHECK(outcome.whole.quantizer.scale == 2.0 / 127.0);
    CHECK(outcome.whole.metrics.empty());
    CHECK(whyNoEstimate(profile, choiceOf("entropy", Granularity::Channel)) ==
          "it needs the values of each channel");
}

TEST_CASE("a fixed threshold for each channel is estimated, of another count it is a problem")
{
    TensorProfile profile = profileOfValues();
    profile.channels.resize(2);
    profile.channels[0].add(std::span(values).first(2));
    profile.channels[1].add(std::span(values).last(2));
    Choice choice = choiceOf("fixed", Granularity::Channel);
    choice.settings = choice.settings.with("threshold", "0.5 4");
    const Outcome outcome = estimateOutcome(profile, choice);
    REQUIRE(outcome.channels.size() == 2);
    CHECK(outcome.channels[0].quantizer.scale == 0.5 / 127.0);
    CHECK(outcome.channels[1].quantizer.scale == 4.0 / 127.0);
    choice.settings = choice.settings.with("threshold", "0.5 4 1");
    CHECK(estimateOutcome(profile, choice).problem ==
          "threshold has 3 numbers, but the tensor has 2 channels");
}

TEST_CASE("choices that no profile suffices for have a problem and no result")
{
    const TensorProfile profile = profileOfValues();
    Choice unknown;
    unknown.calibrator = "magic";
    CHECK_THAT(estimateOutcome(profile, unknown).problem,
               test::containsText("no calibrator magic"));
    CHECK_FALSE(canEstimate(profile, choiceOf("min-max", Granularity::Row)));
    Choice taken = choiceOf("min-max");
    taken.rangeFrom.push_back({.tensor = "other"});
    CHECK(whyNoEstimate(profile, taken) == "it takes the range of other tensors");
    CHECK(estimateOutcome(profile, taken).problem == "it takes the range of other tensors");
}

}  // namespace recipes_estimate_test
