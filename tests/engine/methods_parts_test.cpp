// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/methods.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace methods_parts_test {

/// Parts of tensors and strips, by the methods of an engine whose dump lies in memory.
using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::protocol;
using calibscope::test::containsText;

/// 4 samples in batches of 2, 2 channels, 3 positions.
struct MemoryDump
{
    std::vector<float> values = std::vector<float>(24);
    int passes = 0;

    MemoryDump()
    {
        for (std::size_t index = 0; index < values.size(); ++index)
            values[index] = std::sin(static_cast<float>(index)) * static_cast<float>(index + 1);
    }

    [[nodiscard]] Methods methods() { return {parts(), 1 << 24}; }

private:
    EngineParts parts()
    {
        const TensorInfo info{.name = "a",
                              .path = "/a",
                              .elementType = ElementKind::Float32,
                              .shape = {4, 2, 3},
                              .batchAxis = 0,
                              .batchSize = 2,
                              .channelAxis = 1};
        const auto identify = [](const std::string& path, std::span<const std::string>) {
            return FileIdentity{.path = path};
        };
        const auto open = [this, info](const std::string& path, bool, const Progress&) {
            return std::make_shared<const OpenDump>(OpenDump{
                .identity = {.path = path}, .tensors = {info}, .source = sourceIn(values)});
        };
        return {.identify = identify, .open = open, .analyse = analyse};
    }

    std::function<ValueSource(const TensorInfo&, std::uint64_t)>
    sourceIn(const std::vector<float>& all)
    {
        return [this, &all](TensorInfo info, std::uint64_t batches) {
            if (batches > 0)
                info.shape[0] = std::min<std::uint64_t>(info.shape[0], batches * info.batchSize);
            ValueSource source =
                sourceOf(info, std::span(all).first(static_cast<std::size_t>(info.valueCount())));
            source.visit = [this, visit = source.visit](const BlockVisitor& visitor,
                                                        const Progress& progress) {
                ++passes;
                visit(visitor, progress);
            };
            return source;
        };
    }
};

Choice choiceOf(const char* id, Granularity granularity)
{
    return makeChoice(id, {}, SchemeKind::SymmetricRestricted, granularity);
}

TEST_CASE("a channel is viewed as a tensor of its own, with its numbers as one of all channels")
{
    MemoryDump dump;
    Methods methods = dump.methods();
    const std::vector<Choice> choices = {choiceOf("min-max", Granularity::Channel),
                                         choiceOf("entropy", Granularity::Channel),
                                         choiceOf("l2", Granularity::Channel)};
    const TensorView whole = methods.answer(
        ViewRequest{.tensor = {.file = "a.h5"}, .choices = choices, .channelMetrics = true}, {});
    const TensorView one = methods.answer(
        ViewRequest{.tensor = {.file = "a.h5", .part = {.channel = 1}}, .choices = choices}, {});
    CHECK(one.profile.extents() == whole.profile.channels[1]);
    CHECK(one.profile.info.valueCount() == 12);
    CHECK(one.profile.channels.empty());
    CHECK(one.profile.batches.size() == 2);
    for (std::size_t index = 0; index < choices.size(); ++index) {
        INFO(choices[index].calibrator);
        const Outcome& outcome = one.outcomes[index];
        CHECK(outcome.problem.empty());
        CHECK(outcome.channel == 1U);
        CHECK(outcome.choice.isSameComputation(choices[index]));
        CHECK_FALSE(outcome.isPerChannel());
        const ScaleRow& asChannel = whole.outcomes[index].channels[1];
        CHECK(outcome.whole.quantizer.scale == asChannel.quantizer.scale);
        CHECK(outcome.whole.metrics == asChannel.metrics);
    }
    CHECK_FALSE(one.outcomes[1].curve.threshold.empty());
    CHECK_FALSE(whole.outcomes[0].channel);
}

TEST_CASE("the first batches are viewed as if the others had not been recorded")
{
    MemoryDump dump;
    Methods methods = dump.methods();
    const TensorView first =
        methods.answer(ViewRequest{.tensor = {.file = "a.h5", .part = {.batches = 1}}}, {});
    CHECK(first.profile.info.shape == std::vector<std::uint64_t>{2, 2, 3});
    CHECK(first.profile.extents().finite == 12);
    CHECK(first.profile.batches.size() == 1);
    const TensorView both = methods.answer(
        ViewRequest{.tensor = {.file = "a.h5", .part = {.channel = 0, .batches = 1}}}, {});
    CHECK(both.profile.extents() == first.profile.channels[0]);
}

TEST_CASE("each part is kept on its own, and all batches are the whole")
{
    MemoryDump dump;
    Methods methods = dump.methods();
    const auto finite = [&](const TensorPart& part) {
        return methods.answer(ViewRequest{.tensor = {.file = "a.h5", .part = part}}, {})
            .profile.extents()
            .finite;
    };
    CHECK(finite({}) == 24);
    CHECK(finite({.channel = 0}) == 12);
    CHECK(finite({.batches = 1}) == 12);
    const int passes = dump.passes;
    CHECK(finite({}) == 24);
    CHECK(finite({.channel = 0}) == 12);
    CHECK(finite({.batches = 1}) == 12);
    CHECK(finite({.batches = 2}) == 24);
    CHECK(finite({.batches = 99}) == 24);
    CHECK(dump.passes == passes);
    CHECK_THROWS_WITH(finite({.channel = 2}), containsText("/a: there is no channel 2, it has 2"));
}

TEST_CASE("curves and traces can be left out, the rest of the outcomes is the same")
{
    MemoryDump dump;
    Methods methods = dump.methods();
    const std::vector<Choice> choices = {choiceOf("entropy", Granularity::Tensor),
                                         choiceOf("l2", Granularity::Tensor)};
    const TensorView with =
        methods.answer(ViewRequest{.tensor = {.file = "a.h5"}, .choices = choices}, {});
    const TensorView without = methods.answer(
        ViewRequest{.tensor = {.file = "a.h5"}, .choices = choices, .curves = false}, {});
    CHECK_FALSE(with.outcomes[0].curve.threshold.empty());
    CHECK_FALSE(with.outcomes[1].trace.scale.empty());
    for (std::size_t index = 0; index < choices.size(); ++index) {
        CHECK(without.outcomes[index].curve.threshold.empty());
        CHECK(without.outcomes[index].trace.scale.empty());
        CHECK(without.outcomes[index].whole.metrics == with.outcomes[index].whole.metrics);
        CHECK(without.outcomes[index].whole.clip.threshold ==
              with.outcomes[index].whole.clip.threshold);
    }
}

TEST_CASE("a choice of a scale per row has no result for one channel, and the others have theirs")
{
    MemoryDump dump;
    Methods methods = dump.methods();
    const TensorView view =
        methods.answer(ViewRequest{.tensor = {.file = "a.h5", .part = {.channel = 0}},
                                   .choices = {choiceOf("min-max", Granularity::Row),
                                               choiceOf("min-max", Granularity::Tensor)}},
                       {});
    CHECK_THAT(view.outcomes[0].problem, containsText("per row"));
    CHECK(view.outcomes[1].problem.empty());
}

TEST_CASE("a strip spans all finite values, of x or of its magnitudes, unless a range is given")
{
    MemoryDump dump;
    dump.values = {0.0F, 1.0F, -8.0F};
    dump.values.resize(24, 4.0F);
    dump.values[23] = std::numeric_limits<float>::infinity();
    Methods methods = dump.methods();
    const Strip magnitudes =
        methods.answer(StripRequest{.tensor = {.file = "a.h5"}, .columns = 2}, {});
    CHECK(magnitudes.range == Range{0.0, 8.0});
    CHECK(magnitudes.counts == std::vector<std::uint64_t>{2, 10, 0, 11});
    const Strip signedBatches = methods.answer(StripRequest{.tensor = {.file = "a.h5"},
                                                            .rows = StripRows::Batch,
                                                            .domain = Domain::Signed,
                                                            .columns = 3},
                                               {});
    CHECK(signedBatches.range == Range{-8.0, 4.0});
    CHECK(signedBatches.counts == std::vector<std::uint64_t>{1, 0, 11, 0, 0, 11});
    const Strip part = methods.answer(
        StripRequest{.tensor = {.file = "a.h5", .part = {.channel = 0, .batches = 1}},
                     .rows = StripRows::Batch,
                     .columns = 2,
                     .range = Range{0.5, 1.5}},
        {});
    CHECK(part.counts == std::vector<std::uint64_t>{0, 1});
}

TEST_CASE("a strip that can't be made is an error that says why")
{
    MemoryDump dump;
    Methods methods = dump.methods();
    CHECK_THROWS_WITH(
        methods.answer(
            StripRequest{.tensor = {.file = "a.h5",
                                    .layoutOverride = {.channelAxis = LayoutOverride::noAxis}}},
            {}),
        containsText("/a: a strip of channels needs a channel axis"));
    CHECK_THROWS_WITH(methods.answer(StripRequest{.tensor = {.file = "a.h5"}, .columns = 0}, {}),
                      containsText("not 0"));
    CHECK_THROWS_WITH(
        methods.answer(StripRequest{.tensor = {.file = "a.h5"}, .columns = std::uint64_t{1} << 60},
                       {}),
        containsText("a strip of 2 rows has 1 to"));
    for (const Range& range : {Range{1.0, 0.0}, Range{std::nan(""), 1.0}})
        CHECK_THROWS_WITH(
            methods.answer(StripRequest{.tensor = {.file = "a.h5"}, .range = range}, {}),
            containsText("has no columns"));
}

}  // namespace methods_parts_test
