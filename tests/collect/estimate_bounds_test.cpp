// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/tensor_outcomes.h"
#include "core/dump/dump_file.h"
#include "tests/support/analysed.h"
#include "tests/support/bounded_pairs.h"
#include "tests/support/candidate_quantizers.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"

#include <array>
#include <stop_token>
#include <string>
#include <vector>

namespace estimate_bounds_test {

/// Bounds of estimates against the values of recorded tensors, and the passes that they spare.
using namespace calibscope;
using namespace calibscope::test;

/// Each tensor of a file under what the recipes choose for it.
void addFile(BoundedPairs& found, const std::string& file, std::span<const int> bits)
{
    constexpr std::uint64_t mostValues = 100'000;  // this is one of many tests
    const auto dump = DumpFile::open(CALIBSCOPE_SOURCE_DIR "/" + file);
    const Consumers consumers(dump->tensors());
    for (std::size_t index = 0; index < dump->tensors().size(); ++index) {
        const ValueSource source = dump->source(index);
        if (source.info.valueCount() <= mostValues)
            found.add(source.info.name, valuesOf(source),
                      candidateQuantizers(source, consumers, bits));
    }
}

/// A source that counts how often it is read.
ValueSource counted(const TensorInfo& info, const std::vector<float>& values, int& visits)
{
    ValueSource source = sourceOf(info, values);
    const auto visit = source.visit;
    source.visit = [visit, &visits](const BlockVisitor& visitor, const Progress& progress) {
        ++visits;
        visit(visitor, progress);
    };
    return source;
}

struct Run
{
    Outcome outcome;
    int visits = 0;  ///< beyond the profile's
};

Run runAt(int bits, const AnalyseOptions& options)
{
    const TensorInfo info{.name = "a", .shape = {50000}};
    const std::vector<float> values = gaussian(50000, 4);
    Run run;
    const ValueSource source = counted(info, values, run.visits);
    TensorProfile profile = collectProfile(source);
    run.visits = 0;
    const Choice choice =
        choiceOf("min-max", Granularity::Tensor, {{"bits", std::to_string(bits)}});
    run.outcome = analyse(source, profile, std::vector{choice}, options).front();
    return run;
}

TEST_CASE("exact metrics of recorded tensors lie within the bounds of their estimates")
{
    constexpr std::array bits = {4, 8, 10, 12, 16};
    BoundedPairs found;
    for (const char* file :
         {"resources/sample/sample.h5", "tests/golden/laplace.h5", "tests/golden/softmax.h5",
          "tests/golden/relu_gauss_outliers.h5", "tests/golden/constant.h5",
          "tests/golden/all_zero.h5", "tests/golden/stream3.h5"})
        addFile(found, file, bits);
    CHECK(found.outside == std::vector<std::string>{});
    CHECK(found.pairs >= 300);
}

TEST_CASE("an estimate that is within 0.1 dB spares a pass, another one makes it by itself")
{
    const AnalyseOptions tooLarge{.effort = MetricEffort::Budget, .memoryBytes = 1000};
    for (const AnalyseOptions& options :
         {AnalyseOptions{.effort = MetricEffort::Bounded}, tooLarge}) {
        const Run near = runAt(8, options);
        CHECK(near.visits == 0);
        CHECK_FALSE(near.outcome.whole.hasExactMetrics);
        CHECK(*near.outcome.whole.bar("sqnr_db") < 0.1);
        CHECK(hasNote(near.outcome.whole, "metrics estimated, SQNR +- 0.0"));
        const Run far = runAt(12, options);
        CHECK(far.visits == 1);
        CHECK(far.outcome.whole.hasExactMetrics);
        CHECK_FALSE(far.outcome.whole.bar("sqnr_db"));
        CHECK_FALSE(hasNote(far.outcome.whole, "metrics estimated"));
        CHECK(far.outcome.whole.metrics ==
              runAt(12, {.effort = MetricEffort::Exact}).outcome.whole.metrics);
    }
    const Run insists = runAt(12, {.effort = MetricEffort::Estimate});
    CHECK(insists.visits == 0);
    CHECK_FALSE(insists.outcome.whole.hasExactMetrics);
    CHECK(*insists.outcome.whole.bar("sqnr_db") > 0.1);
}

TEST_CASE("the pass that an estimate needs can be cancelled")
{
    const TensorInfo info{.name = "a", .shape = {50000}};
    const std::vector<float> values = gaussian(50000, 4);
    const ValueSource source = sourceOf(info, values);
    TensorProfile profile = collectProfile(source);
    const Quantizer wide = makeQuantizer({.bits = 12}, {.threshold = 4.0}).quantizer;
    std::stop_source stop;
    stop.request_stop();
    const Progress cancelled(stop.get_token(), {});
    CHECK_THROWS_AS(measuredUnder(std::span(&wide, 1), source, profile,
                                  {.effort = MetricEffort::Bounded}, cancelled),
                    Cancelled);
}

}  // namespace estimate_bounds_test
