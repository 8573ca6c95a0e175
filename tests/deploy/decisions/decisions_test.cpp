// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/decisions/decisions.h"

#include "core/recipes/make_choice.h"
#include "core/recipes/recipe.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

namespace deploy_decisions_test {

using namespace calibscope;
using test::Approx;

Choice minMax(Granularity granularity)
{
    return makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, granularity);
}

TEST_CASE("decided tensors are those with a choice, in the dump's order, with their scales")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{-1, 2, -2.54F, 1});
    file.write("/activations/b", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/weights/w", {2, 2}, std::vector<float>{1.27F, 0, 0, -12.7F});
    const auto dump = DumpFile::open(file.path());
    const deploy::Decisions decisions =
        deploy::decidedBy(*dump, [](const TensorInfo& tensor) -> std::optional<Choice> {
            if (tensor.name == "b")
                return std::nullopt;
            return minMax(defaultGranularity(tensor.role));
        });
    REQUIRE(decisions.tensors.size() == 2);
    CHECK(decisions.problems.empty());
    const DecidedTensor& a = decisions.tensors[0];
    CHECK(a.file == file.path());
    CHECK(a.info.name == "a");
    CHECK(a.outcome.whole.quantizer.scale == Approx(0.02));  // 2.54 / 127
    CHECK_FALSE(a.outcome.isPerChannel());
    const DecidedTensor& w = decisions.tensors[1];
    REQUIRE(w.outcome.channels.size() == 2);
    CHECK(w.outcome.channels[0].quantizer.scale == Approx(0.01));
    CHECK(w.outcome.channels[1].quantizer.scale == Approx(0.1));
    CHECK(w.outcome.whole.metrics.empty());  // none was asked for
}

TEST_CASE("a decided tensor that can't be read is a problem, and the others are there")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/activations/lost", {4}, std::vector<float>{1, 2, 3, 4},
               {.chunk = {4}, .unknownFilter = 31999});
    const auto dump = DumpFile::open(file.path());
    const deploy::Decisions decisions =
        deploy::decidedBy(*dump, [](const TensorInfo&) { return minMax(Granularity::Tensor); });
    CHECK(decisions.tensors.size() == 1);
    REQUIRE(decisions.problems.size() == 1);
    CHECK(decisions.problems[0].starts_with(file.path() + ":/activations/lost: "));
}

TEST_CASE("tensors are computed as they are understood, and metrics as the effort says")
{
    test::H5File file;
    file.write("/weights/w", {2, 2}, std::vector<float>{1.27F, 0, 0, -12.7F});
    const auto dump = DumpFile::open(file.path());
    const deploy::Decisions decisions =
        deploy::decidedBy(*dump, [](const TensorInfo&) { return minMax(Granularity::Channel); },
                          {.effort = MetricEffort::Exact, .understood = [](TensorInfo tensor) {
                               tensor.channelAxis = 1;
                               return tensor;
                           }});
    REQUIRE(decisions.tensors.size() == 1);
    CHECK(decisions.tensors[0].info.channelAxis == 1);
    CHECK(decisions.tensors[0].outcome.whole.metric("clipped_share") == 0.0);
}

}  // namespace deploy_decisions_test
