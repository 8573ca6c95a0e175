// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/study_samples.h"

#include "core/collect/analyse.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"
#include "core/tensor/position_mask.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace study_samples_test {

using namespace calibscope;
using namespace calibscope::samples;
using calibscope::test::Approx;

Choice choiceOf(const char* id, const GivenSettings& given = {},
                SchemeKind scheme = SchemeKind::SymmetricRestricted)
{
    return makeChoice(id, given, scheme, Granularity::Tensor);
}

/// A recording of batches of one sample each.
struct Stream
{
    TensorInfo info;
    std::vector<float> values;

    Stream(std::size_t batches, std::size_t batchValues, std::uint64_t batchSize = 1)
        : info{.name = "a",
               .role = Role::Activation,
               .shape = {batches * batchSize, batchValues / batchSize},
               .batchAxis = 0,
               .batchSize = batchSize},
          values(batches * batchValues)
    {}

    [[nodiscard]] std::vector<SampleStudy> studied(const std::vector<Choice>& choices,
                                                   const StudyOptions& options = {}) const
    {
        const ValueSource source = sourceOf(info, values);
        return studySamples(source, collectProfile(source), choices, options);
    }
    [[nodiscard]] Outcome outcome(const Choice& choice) const
    {
        const ValueSource source = sourceOf(info, values);
        TensorProfile profile = collectProfile(source);
        return analyse(source, profile, std::vector{choice}, {.effort = MetricEffort::Exact})
            .front();
    }
};

Stream gaussianStream(std::size_t batches, std::size_t batchValues, unsigned seed,
                      std::uint64_t batchSize = 1)
{
    Stream stream(batches, batchValues, batchSize);
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    std::ranges::generate(stream.values, [&] { return normal(engine); });
    return stream;
}

bool hasPart(const std::vector<std::string>& texts, const std::string& part)
{
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST_CASE("the end of a curve is what analyse() gives on all values")
{
    const Stream stream = gaussianStream(12, 800, 1);
    const std::vector<Choice> choices = {choiceOf("min-max"),
                                         choiceOf("percentile"),
                                         choiceOf("entropy"),
                                         choiceOf("mse"),
                                         choiceOf("mse", {}, SchemeKind::Affine),
                                         choiceOf("l2")};
    const std::vector<SampleStudy> studies =
        stream.studied(choices, {.resamples = 10, .orders = 0, .isExact = true});
    REQUIRE(studies.size() == choices.size());
    for (std::size_t choice = 0; choice < choices.size(); ++choice) {
        INFO(choices[choice].calibrator);
        const SampleStudy& study = studies[choice];
        const Outcome outcome = stream.outcome(choices[choice]);
        REQUIRE(study.problem.empty());
        CHECK(study.unit == SampleUnit::Batch);
        CHECK(study.units == 12);
        CHECK(study.curve.size() == 12);
        CHECK(study.curve.back().threshold == study.threshold);
        CHECK(study.scale == outcome.whole.quantizer.scale);
        CHECK(study.threshold == (outcome.whole.clip.range ? outcome.whole.clip.range->width()
                                                           : *outcome.whole.clip.threshold));
        CHECK(study.hasExactSqnr);
        CHECK(study.sqnrDb == outcome.whole.metric("sqnr_db"));
        REQUIRE(study.thresholdBand);
        CHECK(study.thresholdBand->low <= study.threshold);
        CHECK(study.seed == 1);
        CHECK(study.resamples == 10);
        CHECK(study.whyNoBand.empty());
        CHECK_FALSE(study.order);
        CHECK_FALSE(study.heldOut);
    }
}

TEST_CASE("a curve's point is what the first batches alone give, on all values")
{
    const Stream stream = gaussianStream(8, 500, 2);
    const SampleStudy study =
        stream.studied({choiceOf("min-max")}, {.resamples = 0, .isExact = true}).front();
    CHECK(study.whyNoBand == "nothing was drawn");
    for (std::size_t batches = 1; batches <= 8; ++batches) {
        double largest = 0.0;
        for (std::size_t index = 0; index < batches * 500; ++index)
            largest = std::max(largest, std::abs(static_cast<double>(stream.values[index])));
        double signal = 0.0;
        double noise = 0.0;
        const double scale = largest / 127.0;
        for (const float value : stream.values) {
            const double x = static_cast<double>(value);
            const double level = std::clamp(std::nearbyint(x / scale), -127.0, 127.0);
            signal += x * x;
            noise += (x - scale * level) * (x - scale * level);
        }
        CHECK(study.curve[batches - 1].units == batches);
        CHECK(study.curve[batches - 1].threshold == largest);
        CHECK(*study.curve[batches - 1].sqnrDb == Approx(10.0 * std::log10(signal / noise)));
    }
}

TEST_CASE("a curve settles where it stays near its end")
{
    Stream stream(10, 100);
    std::ranges::fill(stream.values, 0.5F);
    const std::vector<float> maxima = {1.0F,   2.0F,   1.92F, 1.0F, 1.0F,
                                       2.015F, 2.016F, 1.0F,  1.0F, 1.0F};
    for (std::size_t batch = 0; batch < maxima.size(); ++batch)
        stream.values[100 * batch] = maxima[batch];
    const SampleStudy study = stream.studied({choiceOf("min-max")}, {.resamples = 0}).front();
    CHECK(study.threshold == Approx(2.016));
    CHECK(study.convergedWithin1 == 2);  // 2.0 is 0.8 % below
    CHECK(study.convergedWithin5 == 2);
    const SampleStudy grown = [&] {
        stream.values[900] = 4.0F;
        return stream.studied({choiceOf("min-max")}).front();
    }();
    CHECK(grown.convergedWithin5 == 10);
    CHECK(grown.convergence() == Convergence::NotConverged);
    CHECK(hasPart(grown.flags(), "not converged after 10 batches"));
}

TEST_CASE("a band of maxima is open above, one of what many batches reach is closed")
{
    const Stream stream = gaussianStream(20, 2000, 3);
    const std::vector<SampleStudy> studies =
        stream.studied({choiceOf("min-max"), choiceOf("percentile", {{"alpha", "99"}})});
    REQUIRE(studies[0].thresholdBand);
    CHECK_FALSE(studies[0].thresholdBand->high);
    CHECK(hasPart(studies[0].notes, "open above"));
    REQUIRE(studies[1].thresholdBand);
    REQUIRE(studies[1].thresholdBand->high);
    CHECK(studies[1].thresholdBand->low < studies[1].threshold);
    CHECK(*studies[1].thresholdBand->high > studies[1].threshold);
    const std::optional<SampleBand> scales = studies[1].scaleBand();
    REQUIRE(scales);
    CHECK(scales->low == Approx(studies[1].thresholdBand->low / 127.0));
    CHECK(*scales->high == Approx(*studies[1].thresholdBand->high / 127.0));
}

TEST_CASE("values that all batches reach are not an open end")
{
    Stream stream = gaussianStream(8, 500, 4);
    for (float& value : stream.values)
        value = std::clamp(value, -1.0F, 1.0F);
    const SampleStudy study = stream.studied({choiceOf("min-max")}).front();
    REQUIRE(study.thresholdBand);
    CHECK(study.thresholdBand->high == 1.0);
    CHECK(study.convergence() == Convergence::Converged);
    CHECK(study.flags().empty());
}

TEST_CASE("an affine band looks at the ends that make up the range")
{
    // One end is -0.1, reached by all batches or by one; the other one is clipped in all.
    Stream stream = gaussianStream(8, 500, 12);
    for (float& value : stream.values)
        value = std::clamp(value, -0.1F, 1.0F);
    const Choice affine = choiceOf("min-max", {}, SchemeKind::Affine);
    const SampleStudy closed = stream.studied({affine}).front();
    CHECK(closed.threshold == Approx(1.1));
    CHECK(closed.thresholdBand->high.has_value());
    stream.values[0] = -0.2F;  // 17 % of the range are one value's
    CHECK_FALSE(stream.studied({affine}).front().thresholdBand->high);
    for (float& value : stream.values)
        value = std::max(value, 0.0F);
    stream.values[0] = -0.01F;  // 1 % may be
    CHECK(stream.studied({affine}).front().thresholdBand->high.has_value());
}

TEST_CASE("equal computations of several recipes are studied once, each under its own name")
{
    const Stream stream = gaussianStream(8, 200, 13);
    Choice other = choiceOf("min-max");
    other.recipe = "mine";
    const std::vector<SampleStudy> studies =
        stream.studied({choiceOf("min-max"), choiceOf("percentile"), other});
    REQUIRE(studies.size() == 3);
    CHECK(studies[2].choice.recipe == "mine");
    CHECK(studies[0].choice.recipe.empty());
    CHECK(studies[2].curve == studies[0].curve);
    CHECK(studies[1].curve != studies[0].curve);
}

TEST_CASE("few batches have no band of their own: samples are drawn, where there are some")
{
    const SampleStudy samples =
        gaussianStream(3, 800, 5, 4).studied({choiceOf("percentile")}).front();
    CHECK(samples.unit == SampleUnit::Sample);
    CHECK(samples.units == 12);
    CHECK(samples.batches == 3);
    CHECK(samples.thresholdBand);
    CHECK(hasPart(samples.notes, "3 batches are too few to be drawn: samples are"));

    const SampleStudy batches = gaussianStream(3, 800, 5).studied({choiceOf("percentile")}).front();
    CHECK(batches.unit == SampleUnit::Batch);
    CHECK(batches.curve.size() == 3);
    CHECK_FALSE(batches.thresholdBand);
    CHECK(batches.resamples == 0);
    CHECK(batches.convergence() == Convergence::Unknown);
    CHECK(batches.whyNoBand == "3 batches are too few for a band: 6 are needed");

    const SampleStudy one = gaussianStream(1, 800, 5).studied({choiceOf("percentile")}).front();
    CHECK(one.problem == "it is one batch: there is nothing to draw from");
}

TEST_CASE("what can't be studied says why, and does not keep others from it")
{
    const Stream stream = gaussianStream(8, 200, 6);
    Choice propagated = choiceOf("min-max");
    propagated.rangeFrom = {{.tensor = "b", .path = "/b", .calibrator = "min-max"}};
    Choice refused = choiceOf("l2");
    refused.scheme.kind = SchemeKind::Affine;
    const std::vector<SampleStudy> studies =
        stream.studied({makeChoice("min-max", {}, SchemeKind::SymmetricFull, Granularity::Channel),
                        propagated, refused, choiceOf("min-max")});
    CHECK(studies[0].problem.find("per channel") != std::string::npos);
    CHECK(studies[1].problem == "it takes the range of b: study that");
    CHECK_FALSE(studies[2].problem.empty());
    CHECK(studies[3].problem.empty());
}

TEST_CASE("the doubling histogram's order matters where the first batch sets the width")
{
    // The first batch sets the width of 1024 bins. Behind a narrow one the bins are so fine that
    // the threshold, a bin's centre, lies elsewhere than behind a wide one.
    Stream stream(8, 1000);
    std::mt19937 engine(7);
    std::exponential_distribution<float> exponential;
    for (std::size_t index = 0; index < stream.values.size(); ++index)
        stream.values[index] = exponential(engine) * (index < 1000 ? 0.05F : 1.0F);
    const std::vector<SampleStudy> studies =
        stream.studied({choiceOf("entropy"), choiceOf("percentile")}, {.resamples = 0});
    REQUIRE(studies[0].order);
    CHECK(studies[0].order->orders == 20);
    CHECK(studies[0].order->share > mostOrderShare);
    CHECK(studies[0].order->thresholds.low <= studies[0].threshold);
    CHECK(studies[0].order->thresholds.high >= studies[0].threshold);
    CHECK(studies[0].order->sqnrDb->width() > 0.0);
    CHECK(hasPart(studies[0].flags(), "depends on the order of the batches"));
    CHECK_FALSE(studies[1].order);  // a percentile sees no order
}

TEST_CASE("where all batches reach as far, the doubling histogram's order does not matter")
{
    Stream stream(8, 1000);
    std::mt19937 engine(7);
    std::exponential_distribution<float> exponential;
    for (std::size_t index = 0; index < stream.values.size(); ++index)
        stream.values[index] = index % 1000 == 0 ? 6.0F : std::min(exponential(engine), 5.9F);
    const SampleStudy study = stream.studied({choiceOf("entropy")}, {.resamples = 0}).front();
    REQUIRE(study.order);
    CHECK(study.order->share == 0.0);
    CHECK(study.order->sqnrDb->width() == 0.0);
    CHECK_FALSE(hasPart(study.flags(), "order"));
}

TEST_CASE("held-out errors are those of scales that have not seen the values")
{
    const Stream stream = gaussianStream(10, 300, 8);
    const SampleStudy study =
        stream.studied({choiceOf("min-max")}, {.resamples = 0, .parts = 3}).front();
    REQUIRE(study.heldOut);
    const HeldOut& heldOut = *study.heldOut;
    REQUIRE(heldOut.parts.size() == 3);
    double signal = 0.0;
    double noise = 0.0;
    const std::vector<std::size_t> begins = {0, 3, 6, 10};
    for (std::size_t part = 0; part < 3; ++part) {
        double largest = 0.0;
        for (std::size_t index = 0; index < stream.values.size(); ++index)
            if (index < 300 * begins[part] || index >= 300 * begins[part + 1])
                largest = std::max(largest, std::abs(static_cast<double>(stream.values[index])));
        CHECK(heldOut.parts[part].firstUnit == begins[part]);
        CHECK(heldOut.parts[part].units == begins[part + 1] - begins[part]);
        CHECK(heldOut.parts[part].threshold == largest);
        for (std::size_t index = 300 * begins[part]; index < 300 * begins[part + 1]; ++index) {
            const double x = static_cast<double>(stream.values[index]);
            const double scale = largest / 127.0;
            const double error = x - scale * std::clamp(std::nearbyint(x / scale), -127.0, 127.0);
            signal += x * x;
            noise += error * error;
        }
    }
    CHECK(*heldOut.sqnrDb == Approx(10.0 * std::log10(signal / noise)));
    CHECK(heldOut.seenSqnrDb == stream.outcome(choiceOf("min-max")).whole.metric("sqnr_db"));
    CHECK(*heldOut.gapDb == Approx(*heldOut.seenSqnrDb - *heldOut.sqnrDb));
    CHECK_THROWS_AS(stream.studied({choiceOf("min-max")}, {.parts = 1}), std::invalid_argument);
}

TEST_CASE("a study is the same for any number of threads, and another for another seed")
{
    const Stream stream = gaussianStream(9, 500, 9);
    const std::vector<Choice> choices = {choiceOf("percentile", {{"alpha", "99"}}),
                                         choiceOf("entropy"), choiceOf("l2")};
    const auto studied = [&](std::size_t threads, std::uint64_t seed) {
        const ThreadLimit limit(threads);
        return stream.studied(
            choices,
            {.resamples = 12, .withCurveBands = true, .orders = 5, .parts = 3, .seed = seed});
    };
    const std::vector<SampleStudy> one = studied(1, 1);
    const std::vector<SampleStudy> four = studied(4, 1);
    const std::vector<SampleStudy> other = studied(4, 2);
    for (std::size_t choice = 0; choice < choices.size(); ++choice) {
        CHECK(one[choice].curve == four[choice].curve);
        CHECK(one[choice].order == four[choice].order);
        CHECK(one[choice].heldOut == four[choice].heldOut);
        CHECK(one[choice].curve != other[choice].curve);
    }
    std::vector<std::uint64_t> banded;
    for (const CurvePoint& point : one[0].curve)
        if (point.thresholdBand)
            banded.push_back(point.units);
    CHECK(banded == std::vector<std::uint64_t>{2, 3, 5, 9});
}

TEST_CASE("a study stops when it is told to")
{
    const Stream stream = gaussianStream(8, 500, 10);
    const ValueSource source = sourceOf(stream.info, stream.values);
    const TensorProfile profile = collectProfile(source);
    std::stop_source stop;
    const Progress progress(stop.get_token(), [&](auto, auto, std::string_view what) {
        if (what == "resamples")
            stop.request_stop();
    });
    CHECK_THROWS_AS(studySamples(source, profile, std::vector{choiceOf("entropy")}, {}, progress),
                    Cancelled);
}

TEST_CASE("units that are too many for the memory are not drawn")
{
    const Stream stream = gaussianStream(4, 1000, 14, 100);  // 400 samples
    const StudyOptions options{.memoryBytes = 8 * 300 * sizeof(Extents)};
    CHECK(stream.studied({choiceOf("min-max")}, options).front().unit == SampleUnit::Batch);
    StudyOptions samples = options;
    samples.unit = SampleUnit::Sample;
    CHECK(stream.studied({choiceOf("min-max")}, samples).front().problem ==
          "400 samples are too many to be drawn one by one");
    samples.memoryBytes = 8 * 400 * sizeof(Extents);
    CHECK(stream.studied({choiceOf("min-max")}, samples).front().units == 400);
}

TEST_CASE("odd tensors have an answer")
{
    Stream zeros(8, 100);
    const SampleStudy ofZeros = zeros.studied({choiceOf("min-max")}, {.parts = 2}).front();
    CHECK(ofZeros.threshold == 0.0);
    CHECK(ofZeros.convergedWithin1 == 1);
    CHECK(ofZeros.convergence() == Convergence::Converged);
    CHECK(*ofZeros.heldOut->gapDb == 0.0);

    Stream nothing(8, 100);
    std::ranges::fill(nothing.values, std::nanf(""));
    const SampleStudy ofNothing =
        nothing.studied({choiceOf("entropy"), choiceOf("percentile")}, {.parts = 2}).front();
    CHECK(ofNothing.problem.empty());
    CHECK(ofNothing.threshold == 0.0);
    CHECK(ofNothing.scale == 1.0);
    CHECK_FALSE(ofNothing.sqnrDb);
    CHECK_FALSE(ofNothing.heldOut->gapDb);
    CHECK(ofNothing.convergence() == Convergence::Unknown);
    CHECK(ofNothing.whyNoBand == "it has no finite values");
}

TEST_CASE("a sample of which nothing counts is not drawn from")
{
    Stream stream = gaussianStream(8, 16, 3);
    stream.info.mask = TensorMask{.path = "/m"};
    const auto counts = std::make_shared<const std::vector<std::uint8_t>>(
        std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1, 1, 1});
    const ValueSource source =
        masked(sourceOf(stream.info, stream.values), {.shape = {8, 1}, .counts = counts});
    const std::vector<SampleStudy> studies =
        studySamples(source, collectProfile(source), std::vector{choiceOf("min-max")}, {});
    CHECK(studies.front().problem ==
          "batch 3 has no position that counts: what can't be drawn is to be left out of the "
          "recording");
}

}  // namespace study_samples_test
