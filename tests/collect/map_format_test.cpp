// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/map_format.h"

#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/collect/encode_tensor.h"
#include "core/recipes/make_choice.h"
#include "tests/support/analysed.h"
#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace map_format_test {

using namespace calibscope;
using namespace calibscope::test;

/// Two rows of two groups of 32: of 6 and 1 by turns, exact in fp4; of 5, halfway between 4 and 6;
/// of zeros; of 2 with a NaN.
std::vector<float> someBlocks()
{
    std::vector<float> values(128, 0.0F);
    for (std::size_t i = 0; i < 32; ++i) {
        values[i] = i % 2 == 0 ? 6.0F : 1.0F;
        values[32 + i] = 5.0F;
        values[96 + i] = 2.0F;
    }
    values[100] = std::numeric_limits<float>::quiet_NaN();
    return values;
}

FormatMap mapped(const std::vector<float>& values, std::vector<std::uint64_t> shape,
                 const char* format, const MapSize& size)
{
    const ValueSource source =
        sourceOf({.name = "t", .path = "/t", .shape = std::move(shape)}, values);
    return mapFormat(source, parseBlockFormat(format), matrixShape(source.info), size);
}

TEST_CASE("a map has a cell for each block, blocks of zeros unread, poisoned ones marked")
{
    const FormatMap map = mapped(someBlocks(), {2, 64}, "mxfp4", {10, 10});
    const Slice& db = map.sqnrDb.cells;
    REQUIRE(db.low.size() == 4);
    CHECK(db.rowCount == 2);
    CHECK(db.columnCount == 2);
    CHECK(std::isinf(db.low[0]));
    CHECK(db.low[1] == Approx(10.0 * std::log10(25.0)));  // 5 becomes 4
    CHECK((db.marks[2] & Slice::IsUnread) != 0);
    CHECK(std::isnan(db.low[2]));
    CHECK((db.marks[3] & Slice::HasNan) != 0);
    CHECK(map.scale.cells.low[0] == 0.0F);   // 6 is below 2^3: 2^(2 - 2)
    CHECK(map.scale.cells.low[3] == -1.0F);  // of 2
    CHECK(map.errors.blocks == 4);
}

TEST_CASE("a cell of several blocks shows the extreme, and names its block")
{
    const FormatMap map = mapped(someBlocks(), {2, 64}, "mxfp4", {1, 1});
    REQUIRE(map.sqnrDb.cells.low.size() == 1);
    CHECK(map.sqnrDb.cells.rowStep == 2);
    CHECK(map.sqnrDb.cells.columnStep == 2);
    CHECK(map.sqnrDb.cells.low[0] == Approx(10.0 * std::log10(25.0)));
    CHECK(map.sqnrDb.blocks[0] == 1);
    CHECK(map.scale.cells.low[0] == 0.0F);
    CHECK(map.scale.blocks[0] == 0);  // the first of equal ones
}

TEST_CASE(
    "scales count by their stored pattern, maxima by their logarithm, without blocks of zeros")
{
    const FormatMap map = mapped(someBlocks(), {2, 64}, "mxfp4", {10, 10});
    CHECK(map.scales.counts.size() == 256);
    CHECK(map.scales.counts[127] == 2);
    CHECK(map.scales.counts[126] == 1);
    CHECK(map.scales.total() == 3);
    CHECK(map.maxima.total() == 3);
    CHECK(map.maxima.counts[map.maxima.binOf(std::log2(5.0))] == 1);
    CHECK(map.maxima.low == 1.0);  // log2 of 2
    const FormatMap floats = mapped(someBlocks(), {2, 64}, "int4-g32", {10, 10});
    CHECK(floats.scales.counts[floats.scales.binOf(std::log2(6.0 / 7.0))] == 1);
    CHECK(floats.scales.total() == 3);
}

TEST_CASE("values count by their pattern and by what they are over their scale")
{
    const FormatMap map = mapped(someBlocks(), {2, 64}, "mxfp4", {10, 10});
    REQUIRE(map.levels.size() == 16);
    CHECK(map.levels[7] == 16);       // 6
    CHECK(map.levels[6] == 32 + 31);  // 5 becomes 4; 2 over 2^-1
    CHECK(map.levels[2] == 16);       // 1
    CHECK(map.levels[0] == 32);
    CHECK(map.quotients.total() == 95);  // neither zeros nor NaN
    CHECK(map.quotients.counts[map.quotients.binOf(std::log2(5.0))] == 32);
    // Integers as they are: 6 over 6 / 7.
    const FormatMap integers = mapped(someBlocks(), {2, 64}, "int4-g32", {10, 10});
    CHECK(integers.quotients.total() == 127);
    CHECK(integers.quotients.counts[integers.quotients.binOf(0.0)] == 32);
    CHECK(integers.quotients.counts[integers.quotients.binOf(7.0)] == 16 + 32 + 31);
    // 5 over (5 / 15), and 0 its zero point.
    const FormatMap affine = mapped(someBlocks(), {2, 64}, "uint4-g32", {10, 10});
    CHECK(affine.quotients.counts[affine.quotients.binOf(15.0)] == 16 + 32 + 31);
}

TEST_CASE("scales of a tensor, rows and tiles have as many cells, and the same sums")
{
    std::vector<float> values(6 * 40);
    std::iota(values.begin(), values.end(), -100.5F);
    for (const auto& [format, blocks] : {std::pair{"int8", 1U},
                                         {"int8-row", 6U},
                                         {"int8-b4x16", 6U},
                                         {"int8-g16", 18U},
                                         {"int8-row:search=shrink", 6U}}) {
        INFO(format);
        const FormatMap map = mapped(values, {6, 40}, format, {100, 100});
        CHECK(map.scale.cells.low.size() == blocks);
        CHECK(map.scales.total() == blocks);
        CHECK(map.quotients.total() == values.size());
        CHECK(std::accumulate(map.levels.begin(), map.levels.end(), 0U) == values.size());
        CHECK(map.errors.sums.count == values.size());
    }
}

TEST_CASE("a tensor without values is refused")
{
    CHECK_THROWS_WITH(mapped({}, {0, 4}, "mxfp4", {1, 1}), containsText("no values"));
}

TEST_CASE("what a format of integers is decided as has the errors of the format")
{
    std::vector<float> values;
    for (int i = 0; i < 8 * 64; ++i)
        values.push_back(std::ldexp(static_cast<float>(i * 7919 % 211 - 105), i * 31 % 7 - 3));
    const ValueSource source = sourceOf(
        {.name = "w", .path = "/w", .role = Role::Weight, .shape = {8, 64}, .channelAxis = 0},
        values);
    TensorProfile profile = collectProfile(source);
    for (const char* id : {"int4-g32", "int8-row", "int4-tensor", "int4-g8:divisor=qmax+0.5",
                           "uint4-g32", "int8-channel"}) {
        INFO(id);
        const BlockFormat format = parseBlockFormat(id);
        const Choice choice = formatChoice(format, source.info);
        const Outcome outcome =
            analyse(source, profile, std::vector{choice}, {.effort = MetricEffort::Exact}).front();
        REQUIRE(outcome.problem.empty());
        const FormatErrors errors = encodeTensor(source, format, matrixShape(source.info));
        CHECK(*outcome.whole.metric("sqnr_db") == Approx(*errors.sqnrDb()).margin(1e-3));
    }
}

}  // namespace map_format_test
