// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/tool_edges.h"
#include "tests/stats/growth/grown_batches.h"
#include "tests/support/catch.h"

namespace fixed_torch_test {

using namespace calibscope;

TEST_CASE("fixed-torch: one range of all batches, bins found in float32")
{
    const test::Batches batches{{-0.1F, 0.7F}, {0.35F, 2.1F}};
    const Histogram magnitudes = test::grown({.growth = "fixed-torch", .bins = 21}, batches);
    CHECK(magnitudes.range() == Range{0.0, static_cast<double>(2.1F)});
    CHECK(magnitudes.binning == Binning::SingleShare);
    CHECK(magnitudes.total() == 4);
    for (const float value : {0.1F, 0.7F, 0.35F, 2.1F})
        CHECK(magnitudes.counts[torchBin(value, {0.0F, 2.1F}, 21)] > 0);
    const Histogram both =
        test::grown({.growth = "fixed-torch", .bins = 22, .domain = Domain::Signed}, batches);
    CHECK(both.low == static_cast<double>(-0.1F));
    CHECK(both.total() == 4);
}

TEST_CASE("fixed-torch: one value alone lies in the middle, zeros at the low end")
{
    const HistogramSpec spec{.growth = "fixed-torch", .bins = 4, .domain = Domain::Signed};
    const Histogram one = test::grown(spec, {{0.75F, 0.75F}});
    CHECK(one.range() == Range{-0.25, 1.75});
    CHECK(one.counts == std::vector<std::uint64_t>{0, 0, 2, 0});
    CHECK(test::grown(spec, {{0.0F}}).counts == std::vector<std::uint64_t>{1, 0, 0, 0});
    CHECK(test::grown(spec, {{3e38F, -3e38F}}).total() == 2);
}

}  // namespace fixed_torch_test
