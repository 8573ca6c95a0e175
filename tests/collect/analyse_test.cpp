#include "core/collect/analyse.h"

#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"

#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::containsText;

namespace {

std::vector<float> gaussian(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(engine); });
    return values;
}

Choice choiceOf(const char* id, Granularity granularity, const GivenSettings& given = {})
{
    return makeChoice(id, given, SchemeKind::SymmetricRestricted, granularity);
}

std::vector<Outcome> run(const TensorInfo& info, const std::vector<float>& values,
                         const std::vector<Choice>& choices, const AnalyseOptions& options = {})
{
    const ValueSource source = sourceOf(info, values);
    TensorProfile profile = collectProfile(source);
    return analyse(source, profile, choices, options);
}

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

const TensorInfo matrix{.name = "w", .role = Role::Weight, .shape = {4, 500}, .channelAxis = 0};

/// Four rows, each ten times the one before.
std::vector<float> scaledRows()
{
    std::vector<float> values = gaussian(2000, 5);
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] *= std::pow(10.0F, static_cast<float>(index / 500));
    return values;
}

bool hasNote(const ScaleRow& row, const std::string& part)
{
    return std::ranges::any_of(
        row.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
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

TEST_CASE("a search per channel equals the search on each channel, whatever the memory")
{
    const std::vector<float> values = scaledRows();
    const std::vector<Choice> choices = {
        choiceOf("percentile", Granularity::Channel, {{"alpha", "99"}}),
        choiceOf("entropy", Granularity::Channel, {{"outliers-in-q", "no"}})};
    for (const std::uint64_t memory :
         {std::uint64_t{1} << 24, std::uint64_t{6000}, std::uint64_t{100}}) {
        const std::vector<Outcome> outcomes =
            run(matrix, values, choices, {.effort = MetricEffort::Exact, .memoryBytes = memory});
        for (std::size_t row = 0; row < 4; ++row) {
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(500 * row);
            std::vector<Choice> own = choices;
            for (Choice& choice : own)
                choice.granularity = Granularity::Tensor;
            const std::vector<Outcome> alone =
                run({.name = "row", .shape = {500}}, {first, first + 500}, own);
            for (std::size_t index = 0; index < 2; ++index)
                CHECK(outcomes[index].channels[row].clip.threshold ==
                      alone[index].whole.clip.threshold);
        }
    }
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

TEST_CASE("an entropy threshold far below min-max says where it comes from")
{
    // Read to the letter, the search may fold a far tail away for nothing: here 64 values of 20 to
    // 40 beside a Gaussian.
    std::vector<float> values = gaussian(20000, 9);
    for (std::size_t index = 0; index < 64; ++index)
        values[index * 300] = 20.0F + static_cast<float>(index) * 0.3F;
    const TensorInfo info{.name = "a", .shape = {20000}};
    const std::vector<Outcome> outcomes =
        run(info, values,
            {choiceOf("entropy", Granularity::Tensor, {{"outliers-in-q", "yes"}}),
             choiceOf("entropy", Granularity::Tensor, {{"outliers-in-q", "no"}}),
             choiceOf("min-max", Granularity::Tensor)});
    REQUIRE(outcomes[0].whole.metric("sqnr_db").value() <
            outcomes[2].whole.metric("sqnr_db").value() - 6.0);
    CHECK(hasNote(outcomes[0].whole, "chosen by the text as written; see -open"));
    CHECK_FALSE(hasNote(outcomes[1].whole, "as written"));
    CHECK_FALSE(hasNote(outcomes[2].whole, "as written"));
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

TEST_CASE("a calibrator that needs values gets them, whole and channel by channel")
{
    const TensorInfo info{.name = "w", .shape = {40, 3, 5}, .channelAxis = 1};
    const std::vector<float> values = gaussian(600, 12);
    std::vector<std::vector<float>> channels(3);
    for (std::size_t index = 0; index < values.size(); ++index)
        channels[info.channelOf(index)].push_back(values[index]);
    // From a file with plenty of memory, and with too little to hold the values.
    for (const std::uint64_t memoryBytes : {std::uint64_t{1} << 20, std::uint64_t{700}}) {
        ValueSource source = sourceOf(info, values);
        source.isInMemory = false;
        TensorProfile profile = collectProfile(source);
        for (const char* id : {"bound-search", "multiplier-sweep", "l2"}) {
            INFO(id << ", " << memoryBytes << " bytes");
            const GivenSettings given = id == std::string("l2")
                                            ? GivenSettings{{"grid", "0"}, {"cap", "5"}}
                                            : GivenSettings{};
            const std::vector<Choice> choices{choiceOf(id, Granularity::Tensor, given),
                                              choiceOf(id, Granularity::Channel, given)};
            const std::vector<Outcome> outcomes = analyse(
                source, profile, choices, {.channelTraces = true, .memoryBytes = memoryBytes});
            CHECK(outcomes[0].whole.clip.threshold ==
                  calibscope::test::calibrated(id, values, given).clip.threshold);
            CHECK(outcomes[0].trace.scale ==
                  calibscope::test::calibrated(id, values, given).trace.scale);
            REQUIRE(outcomes[1].channels.size() == 3);
            for (std::size_t channel = 0; channel < 3; ++channel) {
                const Calibration own = calibscope::test::calibrated(id, channels[channel], given);
                CHECK(outcomes[1].channels[channel].clip.threshold == own.clip.threshold);
                CHECK(outcomes[1].channelTraces.at(channel).error.size() == own.trace.error.size());
            }
        }
    }
}

TEST_CASE("channels have traces only where they are asked for, and no grid of their own")
{
    const TensorInfo info{.name = "w", .shape = {2, 300}, .channelAxis = 0};
    const std::vector<float> values = gaussian(600, 12);
    const std::vector<Choice> choices{choiceOf("l2", Granularity::Channel),
                                      choiceOf("l2", Granularity::Tensor)};
    const std::vector<Outcome> plain = run(info, values, choices);
    CHECK(plain[0].channelTraces.empty());
    CHECK(plain[0].trace.scale.empty());
    CHECK(plain[1].trace.gridError);
    const std::vector<Outcome> traced = run(info, values, choices, {.channelTraces = true});
    REQUIRE(traced[0].channelTraces.size() == 2);
    CHECK_FALSE(traced[0].channelTraces[0].gridError);
    CHECK(traced[0].channelTraces[1].error.size() > 1);
}

TEST_CASE("a scheme that the calibrator refuses is that outcome's problem, not the others'")
{
    const std::vector<float> values = gaussian(600, 12);
    Choice affine = choiceOf("l2", Granularity::Tensor);
    affine.scheme.kind = SchemeKind::Affine;
    const std::vector<Outcome> outcomes =
        run({.name = "a", .shape = {600}}, values, {affine, choiceOf("l2", Granularity::Tensor)});
    CHECK_THAT(outcomes[0].problem, containsText("l2: searches a threshold for symmetric levels"));
    CHECK(outcomes[1].problem.empty());
    CHECK_THROWS_WITH(makeChoice("l2", {}, SchemeKind::Affine, Granularity::Tensor),
                      containsText("take symmetric-restricted or symmetric-full"));
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
