// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/slab_plan.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace slab_plan_test {

using namespace calibscope;

using Lengths = std::vector<std::uint64_t>;

std::uint64_t product(const Lengths& lengths)
{
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies{});
}

std::vector<Slab> allSlabs(const SlabPlan& plan)
{
    std::vector<Slab> slabs;
    for (std::uint64_t first = 0; first < product(plan.shape); first += slabs.back().values)
        slabs.push_back(plan.slabAt(first));
    return slabs;
}

/// Row-major index of the slab's first value.
std::uint64_t flatIndex(const Slab& slab, const Lengths& shape)
{
    std::uint64_t flat = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        flat = flat * shape[axis] + slab.start[axis];
    return flat;
}

/// The slab's values lie one behind the other: axes before the first longer than 1 have length 1,
/// axes behind it are whole.
bool isOneRun(const Slab& slab, const Lengths& shape)
{
    std::size_t axis = 0;
    while (axis < shape.size() && slab.count[axis] == 1)
        ++axis;
    for (++axis; axis < shape.size(); ++axis)
        if (slab.start[axis] != 0 || slab.count[axis] != shape[axis])
            return false;
    return true;
}

TEST_CASE("a small tensor is one slab")
{
    const SlabPlan plan = planSlabs({2, 3, 4}, {1, 1, 1}, 4, 1 << 20);
    const std::vector<Slab> slabs = allSlabs(plan);
    REQUIRE(slabs.size() == 1);
    CHECK(slabs[0].start == Lengths{0, 0, 0});
    CHECK(slabs[0].count == Lengths{2, 3, 4});
    CHECK(slabs[0].values == 24);
}

TEST_CASE("contiguous values are cut along the first axis whose rows fit the target")
{
    // 3 rows of 5 x 2 values of 4 bytes; 24 bytes hold 3 pairs, not a row of 40 bytes.
    const SlabPlan plan = planSlabs({3, 5, 2}, {1, 1, 1}, 4, 24);
    CHECK(plan.axis == 1);
    CHECK(plan.step == 3);
    const std::vector<Slab> slabs = allSlabs(plan);
    REQUIRE(slabs.size() == 6);
    CHECK(slabs[3].start == Lengths{1, 3, 0});
    CHECK(slabs[3].count == Lengths{1, 2, 2});
    CHECK(slabs[3].firstIndex == 16);
}

TEST_CASE("chunks are never cut, even where one row of them exceeds the target")
{
    const SlabPlan plan = planSlabs({10, 100}, {4, 30}, 4, 64);
    CHECK(plan.axis == 0);
    CHECK(plan.step == 4);
    CHECK(plan.mostValues() == 400);
    const std::vector<Slab> slabs = allSlabs(plan);
    REQUIRE(slabs.size() == 3);
    CHECK(slabs[2].count == Lengths{2, 100});
}

TEST_CASE("several rows of chunks share a slab where they fit")
{
    const SlabPlan plan = planSlabs({100, 10}, {2, 10}, 4, 400);  // 80 bytes a row of chunks
    CHECK(plan.axis == 0);
    CHECK(plan.step == 10);
}

TEST_CASE("a chunk that is longer than its tensor counts as long as the tensor")
{
    const SlabPlan plan = planSlabs({1, 6}, {64, 2}, 4, 8);
    CHECK(plan.axis == 1);
    CHECK(plan.step == 2);
}

TEST_CASE("the slabs of any plan cover the tensor in order, as runs of whole chunks")
{
    const std::vector<std::pair<Lengths, Lengths>> cases{{{7}, {1}},
                                                         {{7}, {3}},
                                                         {{1, 1, 1}, {1, 1, 1}},
                                                         {{5, 4, 3}, {1, 1, 1}},
                                                         {{5, 4, 3}, {2, 4, 3}},
                                                         {{5, 4, 3}, {1, 2, 2}},
                                                         {{5, 4, 3}, {1, 1, 2}},
                                                         {{1, 9, 2}, {8, 2, 1}}};
    for (const auto& [shape, chunk] : cases)
        for (const std::uint64_t target : {1U, 4U, 12U, 31U, 48U, 100U, 1000U}) {
            const SlabPlan plan = planSlabs(shape, chunk, 4, target);
            std::uint64_t next = 0;
            for (const Slab& slab : allSlabs(plan)) {
                CHECK(slab.firstIndex == next);
                CHECK(flatIndex(slab, shape) == next);
                CHECK(product(slab.count) == slab.values);
                CHECK(slab.values <= plan.mostValues());
                CHECK(isOneRun(slab, shape));
                CHECK(slab.start[plan.axis] % std::min(chunk[plan.axis], shape[plan.axis]) == 0);
                next += slab.values;
            }
            CHECK(next == product(shape));
        }
}

}  // namespace slab_plan_test
