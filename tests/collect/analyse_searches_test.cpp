// SPDX-License-Identifier: GPL-3.0-or-later
// Calibrators that search: over the values, or channel by channel.
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "tests/support/analysed.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <vector>

namespace analyse_searches_test {

using namespace calibscope;
using namespace calibscope::test;

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
    CHECK(hasNote(outcomes[0].whole, "follows the source literally; see -open (no fold-in)"));
    CHECK_FALSE(hasNote(outcomes[1].whole, "as written"));
    CHECK_FALSE(hasNote(outcomes[2].whole, "as written"));
}

TEST_CASE(
    "a loss of more than 6 dB is told with outliers left out of Q too, and channel by channel")
{
    // A narrow core, and as many values as there are in a bin of it far away: the search cuts them
    // off whichever way the outliers count. The other channel is even.
    std::vector<float> values;
    const std::vector<float> core = gaussian(20000, 9);
    for (std::size_t index = 0; index < core.size(); ++index) {
        values.push_back(index % 300 == 0 ? 20.0F + static_cast<float>(index % 7) : core[index]);
        values.push_back(static_cast<float>(index % 1000) / 1000.0F);
    }
    const TensorInfo whole{.name = "a", .shape = {40000}};
    const std::string note = "more than 6 dB below min-max";
    const GivenSettings open{{"outliers-in-q", "no"}};
    const Outcome flat = run(whole, values, {choiceOf("entropy", Granularity::Tensor, open)})[0];
    CHECK(hasNote(flat.whole, note));
    const TensorInfo twoChannels{.name = "w", .shape = {20000, 2}, .channelAxis = 1};
    const Outcome split =
        run(twoChannels, values, {choiceOf("entropy", Granularity::Channel, open)})[0];
    CHECK(hasNote(split.channels[0], note));
    CHECK_FALSE(hasNote(split.channels[1], note));
    CHECK(hasNote(split.whole, note + " (1 of 2 channels)"));
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
            CHECK(outcomes[0].whole.clip.threshold == calibrated(id, values, given).clip.threshold);
            CHECK(outcomes[0].trace.scale == calibrated(id, values, given).trace.scale);
            REQUIRE(outcomes[1].channels.size() == 3);
            for (std::size_t channel = 0; channel < 3; ++channel) {
                const Calibration own = calibrated(id, channels[channel], given);
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

TEST_CASE("torch-histogram follows PyTorch where errors are equal but for the order of their sum")
{
    // torch 1.13.1, HistogramObserver(dtype=torch.quint8) on the four batches of the tensor, AVX2.
    // Sums in double stop one step later, at a scale of 0.0533243, as torch does with AVX512.
    const auto dump = DumpFile::open(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5");
    const ValueSource source = dump->source(dump->tensors()[dump->indexOf("hardswish_30.tmp_0")]);
    TensorProfile profile = collectProfile(source);
    const std::vector<Choice> choices = {
        makeChoice(preset("torch-histogram-affine"), {}, SchemeKind::Affine, Granularity::Tensor)};
    const Outcome outcome =
        analyse(source, profile, choices, {.effort = MetricEffort::None}).front();
    CHECK(outcome.whole.quantizer.scale == static_cast<double>(0.05335402488708496F));
    CHECK(outcome.whole.quantizer.zeroPoint == 7);
}

}  // namespace analyse_searches_test
