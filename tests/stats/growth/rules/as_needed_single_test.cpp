// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stats/growth/grown_batches.h"
#include "tests/support/catch.h"

namespace as_needed_single_test {

using namespace calibscope;
using calibscope::test::Batches;

Histogram grown(const char* rule, const Batches& batches, int bins)
{
    return test::grown({.growth = rule, .bins = bins}, batches);
}

TEST_CASE("as-needed-single: one batch and the first growth are those of as-needed-numpy")
{
    for (const Batches& batches :
         {Batches{{-1.0F, 5.0F, 2.0F}}, Batches{{1.0F, 5.3F}, {0.2F, 9.0F}}, Batches{{0.75F}}}) {
        Histogram one = grown("as-needed-single", batches, 4);
        one.spec.growth = "as-needed-numpy";
        CHECK(one == grown("as-needed-numpy", batches, 4));
    }
}

TEST_CASE("as-needed-single: edges are float32 again before the next batch")
{
    const Batches batches{{0.1F, 0.7F}, {1.0F}, {1.5F}};
    const Histogram single = grown("as-needed-single", batches, 7);
    // numpy.arange gives double edges, of which those before the last growth were rounded.
    for (std::size_t edge = 0; edge < 11; ++edge)
        CHECK(single.edges[edge] == static_cast<double>(static_cast<float>(single.edges[edge])));
    const Histogram kept = grown("as-needed-numpy", batches, 7);
    CHECK(single.edges != kept.edges);
    CHECK(single.total() == 4);
}

}  // namespace as_needed_single_test
