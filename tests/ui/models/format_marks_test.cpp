// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/format_marks.h"

#include "tests/support/catch.h"

#include <cmath>

namespace format_marks_test {

using namespace calibscope;

Histogram bins(double low, double high, std::vector<std::uint64_t> counts)
{
    return {.spec = {.bins = static_cast<int>(counts.size()), .domain = Domain::Signed},
            .low = low,
            .high = high,
            .counts = std::move(counts)};
}

BlockMeasure measure(std::vector<float> cells, std::vector<std::uint64_t> blocks)
{
    const std::size_t count = cells.size();
    return {.cells = {.rowCount = 1,
                      .columnCount = count,
                      .rows = 1,
                      .columns = count,
                      .low = cells,
                      .high = cells,
                      .marks = std::vector<std::uint8_t>(count),
                      .clipped = std::vector<std::uint64_t>(count)},
            .blocks = std::move(blocks)};
}

FormatMap someMap()
{
    std::vector<std::uint64_t> patterns(256);
    patterns[1] = 2;
    patterns[56] = 6;
    std::vector<std::uint64_t> levels(16);
    levels[7] = 3;
    levels[15] = 1;
    FormatMap map{.scales = bins(-0.5, 255.5, patterns),
                  .maxima = bins(-16.0, 0.0, {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6}),
                  .quotients = bins(-4.0, 3.0, {1, 1, 1, 1, 1, 1, 4}),
                  .levels = levels,
                  .scale = measure({-9.0F, 0.0F}, {0, 1}),
                  .sqnrDb = measure({12.0F, 20.0F}, {0, 1}),
                  .saturated = measure({0.0F, 0.25F}, {0, 1}),
                  .flushed = measure({0.5F, 0.0F}, {0, 1})};
    map.errors.sums.count = 10;
    map.errors.leastBlocks = 2;
    map.errors.tensorScale = 1.0F / 2688.0F;
    return map;
}

TEST_CASE("scales in eight bits are shown with the ends of what can be stored, clamped ones paler")
{
    const BinsMark mark = scalesMark(parseBlockFormat("nvfp4"), someMap());
    REQUIRE(mark.limits.size() == 2);
    CHECK(mark.limits[0].x == 1.0);
    CHECK(mark.limits[0].text.toStdString() == "least 0x01: 2 blocks clamped");
    CHECK(mark.limits[1].text.toStdString() == "largest 0x7e");
    CHECK_FALSE(mark.inside->contains(1.0));
    CHECK(mark.inside->contains(126.0));
    CHECK(mark.at({55.5, 56.5}).toStdString() == "1 (0x38)");
    // Bytes of E8M0 as far as there are blocks.
    const BinsMark powers = scalesMark(parseBlockFormat("mxfp4"), someMap());
    CHECK(powers.all.high < 70.0);
    REQUIRE(powers.limits.size() == 1);
    CHECK(powers.limits[0].x == 0.0);
}

TEST_CASE("the window of a maximum is a band, with the share of blocks outside")
{
    const FormatMap map = someMap();
    CHECK(tensorMaximum(parseBlockFormat("nvfp4"), map) == Approx(1.0));
    CHECK(tensorMaximum(parseBlockFormat("nvfp4:tensor-maximum=3"), map) == 3.0);
    CHECK_FALSE(tensorMaximum(parseBlockFormat("nvfp4-1"), map));
    CHECK(shareOutside(map, 1.0) == 0.25);    // from 2^-14.8 on
    CHECK(shareOutside(map, 0x1p-1) == 0.0);  // from 2^-15.8 on; half of a bin is its own
    CHECK(shareOutside(map, 0x1p-2) == 0.75);
    const BinsMark mark = maximaMark(map, 1.0);
    CHECK(mark.isBand);
    CHECK(mark.inside->low == Approx(-std::log2(28672.0)));
    REQUIRE(mark.handle);
    CHECK(mark.handle->value == 0.0);
    CHECK_FALSE(maximaMark(map, std::nullopt).handle);
}

TEST_CASE("levels of floats lie at their logarithm, both signs in one, with patterns and counts")
{
    const BinsMark mark = levelsMark(parseBlockFormat("nvfp4"), someMap());
    REQUIRE(mark.levels.size() == 7);
    CHECK(mark.levels.back().x == std::log2(6.0));
    CHECK(mark.levels.back().text.toStdString() ==
          "number 6, −6\npattern 0x7, 0xf\n4 values, 40 %");
    CHECK(mark.inside->low == -2.0);  // half of 0.5
    const BinsMark integers = levelsMark(parseBlockFormat("int4-g32"), someMap());
    CHECK(integers.levels.size() == 16);
    CHECK(integers.levels.front().x == -8.0);
}

TEST_CASE("a cell of the map tells its block, the shown measure first")
{
    const std::string text = mapCellText(someMap(), MapMeasure::Saturated, 0, 1).toStdString();
    CHECK(text.starts_with("block 1\nclipped, share: 0.25\n"));
    CHECK(text.find("SQNR, dB: 20") != std::string::npos);
}

}  // namespace format_marks_test
