// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/analyse.h"

#include "core/base/error.h"
#include "core/collect/collect_profile.h"
#include "tests/support/analysed.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace analyse_test {

using namespace calibscope;
using namespace calibscope::test;

namespace {

/// Signal-to-noise ratio of quantizing to whole multiples of a scale per channel, as the definition
/// says it.
double naiveSqnr(const TensorInfo& info, const std::vector<float>& values,
                 const std::vector<double>& scales)
{
    double signal = 0.0;
    double noise = 0.0;
    for (std::size_t index = 0; index < values.size(); ++index) {
        const double scale = scales[scales.size() == 1 ? 0 : info.channelOf(index)];
        const double x = static_cast<double>(values[index]);
        const double q = std::clamp(std::nearbyint(x / scale), -127.0, 127.0) * scale;
        signal += x * x;
        noise += (x - q) * (x - q);
    }
    return 10.0 * std::log10(signal / noise);
}

double absMaxOf(const std::vector<float>& values)
{
    double largest = 0.0;
    for (const float value : values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

}  // namespace

TEST_CASE("a scale per tensor comes with its metrics")
{
    const TensorInfo info{.name = "a", .shape = {4, 500}, .batchAxis = 0, .batchSize = 1};
    const std::vector<float> values = gaussian(2000, 1);
    const Outcome outcome = run(info, values, {choiceOf("min-max", Granularity::Tensor)}).front();
    CHECK(outcome.problem.empty());
    CHECK(outcome.whole.clip.threshold == absMaxOf(values));
    CHECK(outcome.whole.quantizer.scale == absMaxOf(values) / 127.0);
    CHECK(outcome.whole.hasExactMetrics);
    CHECK(outcome.whole.metric("sqnr_db").value() ==
          Approx(naiveSqnr(info, values, {absMaxOf(values) / 127.0})).epsilon(1e-10));
    CHECK(outcome.whole.extents.values() == 2000);
    CHECK_FALSE(outcome.isPerChannel());
}

TEST_CASE("equal computations of several recipes are answered alike, each under its own recipe")
{
    Choice first = choiceOf("min-max", Granularity::Tensor);
    first.recipe = "one";
    Choice second = first;
    second.recipe = "two";
    second.note = "as chosen";
    const TensorInfo info{.name = "a", .shape = {100}};
    const std::vector<Outcome> outcomes = run(info, gaussian(100, 2), {first, second});
    REQUIRE(outcomes.size() == 2);
    CHECK(outcomes[0].choice.recipe == "one");
    CHECK(outcomes[1].choice.recipe == "two");
    CHECK(outcomes[0].whole.quantizer.scale == outcomes[1].whole.quantizer.scale);
    CHECK_FALSE(hasNote(outcomes[0].whole, "as chosen"));
    CHECK(hasNote(outcomes[1].whole, "as chosen"));
}

TEST_CASE("scales of groups: each of its own values, in the order of blocks")
{
    // Groups of two along the axis that is summed over, which is that of the rows or the columns.
    const std::vector<float> values = {1, -2, 3, 4, 0, -6, 7, 8, 9, 10, -11, 12};
    const auto scalesOf = [&](const TensorInfo& info) {
        const Outcome outcome =
            run(info, values, {choiceOf("min-max", parseGranularity("g2"))}).front();
        CHECK(outcome.problem.empty());
        CHECK(outcome.whole.clip.threshold == 12.0);
        CHECK(outcome.whole.hasExactMetrics);
        CHECK(outcome.whole.extents.values() == 12);
        std::vector<double> largest;
        for (const ScaleRow& row : outcome.channels)
            largest.push_back(row.clip.threshold.value_or(-1.0));
        return largest;
    };
    CHECK(scalesOf({.name = "w", .role = Role::Weight, .shape = {4, 3}, .channelAxis = 1}) ==
          std::vector<double>{4, 2, 6, 10, 11, 12});
    CHECK(scalesOf({.name = "w", .role = Role::Weight, .shape = {3, 4}, .channelAxis = 0}) ==
          std::vector<double>{2, 4, 6, 8, 10, 12});
    CHECK(scalesOf({.name = "w", .role = Role::Weight, .shape = {3, 4, 1}, .channelAxis = 0}) ==
          std::vector<double>{2, 4, 6, 8, 10, 12});

    const TensorInfo odd{.name = "w", .role = Role::Weight, .shape = {3, 4}, .channelAxis = 0};
    const Outcome none = run(odd, values, {choiceOf("min-max", parseGranularity("g3"))}).front();
    CHECK(none.problem == "there are no whole groups of 3 along the axis that its layer sums over");
}

TEST_CASE("scales per channel: one row each, and the widest stands for all")
{
    const std::vector<float> values = scaledRows();
    const Outcome outcome =
        run(matrix, values, {choiceOf("min-max", Granularity::Channel)}).front();
    REQUIRE(outcome.channels.size() == 4);
    std::vector<double> scales;
    for (std::size_t row = 0; row < 4; ++row) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(500 * row);
        scales.push_back(absMaxOf({first, first + 500}) / 127.0);
        CHECK(outcome.channels[row].quantizer.scale == scales[row]);
        CHECK(outcome.channels[row].extents.values() == 500);
    }
    CHECK(outcome.whole.quantizer.scale == scales[3]);
    CHECK(outcome.whole.extents.values() == 2000);
    CHECK(outcome.whole.metric("sqnr_db").value() ==
          Approx(naiveSqnr(matrix, values, scales)).epsilon(1e-10));
    CHECK(outcome.channels[0].metrics.empty());  // not asked for
}

TEST_CASE("a fixed threshold for each channel: their scales, and the metrics that follow from them")
{
    const TensorInfo info{.name = "w", .role = Role::Weight, .shape = {3, 100}, .channelAxis = 0};
    const std::vector<float> values = gaussian(300, 5);
    Choice choice = choiceOf("fixed", Granularity::Channel);
    choice.settings = choice.settings.with("threshold", "1 2 4");
    const Outcome outcome = run(info, values, {choice}).front();
    CHECK(outcome.problem.empty());
    REQUIRE(outcome.channels.size() == 3);
    CHECK(outcome.channels[1].quantizer.scale == 2.0 / 127.0);
    CHECK(outcome.whole.quantizer.scale == 4.0 / 127.0);
    CHECK(outcome.whole.metric("sqnr_db").value() ==
          Approx(naiveSqnr(info, values, {1.0 / 127.0, 2.0 / 127.0, 4.0 / 127.0})).epsilon(1e-10));
    // Without its channels there is one threshold too many.
    choice.granularity = Granularity::Tensor;
    CHECK_THAT(run(info, values, {choice}).front().problem, containsText("one for each channel"));
    choice.granularity = Granularity::Channel;
    choice.settings = choice.settings.with("threshold", "1 2");
    CHECK(run(info, values, {choice}).front().problem ==
          "threshold has 2 numbers, but the tensor has 3 channels");
}

TEST_CASE("metrics of each channel are those of the channel as a tensor of its own")
{
    const std::vector<float> values = scaledRows();
    const Outcome whole =
        run(matrix, values, {choiceOf("min-max", Granularity::Channel)}, {.channelMetrics = true})
            .front();
    for (std::size_t row = 0; row < 4; ++row) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(500 * row);
        const Outcome alone = run({.name = "row", .shape = {500}}, {first, first + 500},
                                  {choiceOf("min-max", Granularity::Tensor)})
                                  .front();
        CHECK(whole.channels[row].metrics == alone.whole.metrics);
    }
}

TEST_CASE("scales per row run along the other axis of a matrix")
{
    const std::vector<float> values = {1, -2, 3, 40, 50, 60};
    const TensorInfo info{.name = "w", .shape = {2, 3}, .channelAxis = 0};
    const Outcome outcome = run(info, values, {choiceOf("min-max", Granularity::Row)}).front();
    REQUIRE(outcome.channels.size() == 3);
    CHECK(outcome.channels[0].clip.threshold == 40.0);
    CHECK(outcome.channels[2].clip.threshold == 60.0);
}

TEST_CASE("a choice that can't be carried out is named, and the others are answered")
{
    const TensorInfo vector{.name = "v", .shape = {100}};
    const std::vector<Outcome> outcomes =
        run(vector, gaussian(100, 3),
            {choiceOf("min-max", Granularity::Channel), choiceOf("min-max", Granularity::Tensor)});
    CHECK_THAT(outcomes[0].problem, containsText("channel axis"));
    CHECK(outcomes[1].problem.empty());
    CHECK(outcomes[1].whole.quantizer.scale > 0.0);
}

TEST_CASE("notes of the channels are gathered with their numbers")
{
    std::vector<float> values(12, 1.0F);
    std::fill(values.begin(), values.begin() + 6, 0.0F);
    const TensorInfo info{.name = "w", .shape = {4, 3}, .channelAxis = 0};
    const Outcome outcome = run(info, values, {choiceOf("min-max", Granularity::Channel)}).front();
    CHECK(hasNote(outcome.whole, "all zero (2 of 4 channels)"));
    CHECK(outcome.channels[0].quantizer.scale == 1.0);
}

TEST_CASE("metrics from the sketch are marked and close to the exact ones")
{
    const TensorInfo info{.name = "a", .shape = {50000}};
    const std::vector<float> values = gaussian(50000, 4);
    const std::vector<Choice> choices = {
        choiceOf("percentile", Granularity::Tensor, {{"alpha", "99"}})};
    const Outcome exact = run(info, values, choices).front();
    const Outcome estimated =
        run(info, values, choices, {.effort = MetricEffort::Estimate}).front();
    CHECK_FALSE(estimated.whole.hasExactMetrics);
    CHECK(hasNote(estimated.whole, "metrics estimated"));
    CHECK(estimated.whole.clip.threshold == exact.whole.clip.threshold);
    // 0.05 dB is what the definitions promise.
    CHECK(std::abs(estimated.whole.metric("sqnr_db").value() -
                   exact.whole.metric("sqnr_db").value()) < 0.05);
}

TEST_CASE("no finite value: an answer, no problem")
{
    const std::vector<float> values(8, std::nanf(""));
    const TensorInfo info{.name = "n", .shape = {2, 4}, .channelAxis = 0};
    for (const char* id : {"min-max", "percentile", "entropy"})
        for (const Granularity granularity : {Granularity::Tensor, Granularity::Channel}) {
            const Outcome outcome = run(info, values, {choiceOf(id, granularity)}).front();
            CHECK(outcome.problem.empty());
            CHECK(outcome.whole.quantizer.scale == 1.0);
            CHECK(outcome.whole.metrics.empty());
            CHECK(hasNote(outcome.whole, "no finite value"));
        }
}

TEST_CASE("a stop is obeyed in the middle of a tensor")
{
    const std::vector<float> values = gaussian(1000, 6);
    const ValueSource source =
        sourceOf({.name = "a", .shape = {10, 100}, .batchAxis = 0, .batchSize = 1}, values);
    std::stop_source stop;
    const Progress progress(stop.get_token(),
                            [&](std::uint64_t done, std::uint64_t, std::string_view) {
                                if (done >= 500)
                                    stop.request_stop();
                            });
    CHECK_THROWS_AS(collectProfile(source, progress), Cancelled);
}

namespace {

const TensorInfo fourBatches{.name = "a", .shape = {4, 500}, .batchAxis = 0, .batchSize = 1};
const std::string orderNote = "depends on the order of the 4 batches";

/// Four batches, each about twice as wide as the one before; or in the reverse order.
std::vector<float> widening(bool isReversed = false)
{
    std::vector<float> values = gaussian(2000, 8);
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] *= std::pow(2.0F, static_cast<float>(index / 500));
    if (isReversed)
        std::ranges::reverse(values);
    return values;
}

Outcome outcomeOf(const Choice& choice, const std::vector<float>& values)
{
    return run(fourBatches, values, {choice}).front();
}

}  // namespace

TEST_CASE("what another order of the batches changes has a note that says so")
{
    for (const Calibrator& calibrator : calibrators())
        for (const SchemeKind scheme : {SchemeKind::SymmetricRestricted, SchemeKind::Affine}) {
            if (scheme == SchemeKind::Affine && calibrator.isSymmetricOnly)
                continue;
            INFO(calibrator.id);
            const Choice choice = makeChoice(calibrator.id, {}, scheme, Granularity::Tensor);
            const Outcome outcome = outcomeOf(choice, widening());
            const Outcome other = outcomeOf(choice, widening(true));
            REQUIRE(outcome.problem.empty());
            const bool isSame =
                outcome.whole.quantizer.scale == other.whole.quantizer.scale &&
                outcome.whole.quantizer.zeroPoint == other.whole.quantizer.zeroPoint;
            CHECK((isSame || hasNote(outcome.whole, orderNote)));
            CHECK(hasNote(outcome.whole, orderNote) == hasNote(other.whole, orderNote));
        }
}

TEST_CASE("only what follows the batches is noted, and only where these differ")
{
    const auto isNoted = [](const Choice& choice, const std::vector<float>& values) {
        return hasNote(outcomeOf(choice, values).whole, "order of the");
    };
    for (const char* id : {"entropy", "kl-window", "centred-kl", "torch-histogram",
                           "aimet-percentile", "aimet-mse", "aimet-tf-enhanced", "aimet-entropy"})
        CHECK(isNoted(choiceOf(id, Granularity::Tensor), widening()));
    for (const char* id : {"min-max", "fixed", "percentile", "mse", "l2", "bound-search", "ppq-mse",
                           "multiplier-sweep", "fractional-entropy", "aciq"})
        CHECK_FALSE(isNoted(choiceOf(id, Granularity::Tensor), widening()));
    CHECK_FALSE(
        isNoted(choiceOf("entropy", Granularity::Tensor, {{"growth", "fixed"}}), widening()));
    CHECK(isNoted(choiceOf("mse", Granularity::Tensor, {{"growth", "double"}}), widening()));

    std::vector<float> same = gaussian(500, 3);
    for (int batch = 0; batch < 3; ++batch)
        same.insert(same.end(), same.begin(), same.begin() + 500);
    CHECK_FALSE(isNoted(choiceOf("entropy", Granularity::Tensor), same));
    TensorInfo one = fourBatches;
    one.batchAxis.reset();
    const Outcome outcome =
        run(one, widening(), {choiceOf("entropy", Granularity::Tensor)}).front();
    CHECK_FALSE(hasNote(outcome.whole, "order of the"));
}

TEST_CASE("a program that fails is asked once, and costs no other choice its answer")
{
    const std::vector<float> values = gaussian(100, 1);
    const ValueSource source = sourceOf({.name = "a", .shape = {100}}, values);
    TensorProfile profile = collectProfile(source);
    const std::vector<Choice> choices = {choiceOf("program", Granularity::Tensor),
                                         choiceOf("min-max", Granularity::Tensor)};
    int asked = 0;
    const AskProgram ask = [&asked](const ProgramQuestion&) -> std::string {
        ++asked;
        throw Error(Fault::Usage, "mine.py: is slow");
    };
    const std::vector<Outcome> outcomes = analyse(source, profile, choices, {.ask = ask});
    CHECK(asked == 1);
    CHECK(outcomes[0].problem == "mine.py: is slow");
    CHECK(outcomes[1].problem.empty());
    CHECK(outcomes[1].whole.clip.threshold == absMaxOf(values));
}

}  // namespace analyse_test
