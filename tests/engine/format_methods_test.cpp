// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/format_methods.h"

#include "core/engine/methods.h"
#include "core/protocol/codec.h"
#include "tests/engine/fake_dump.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

#include <cmath>
#include <limits>
#include <vector>

namespace format_methods_test {

using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::protocol;
using calibscope::test::containsText;
using calibscope::test::H5File;

/// As a window asks, through the messages.
template <typename Request>
auto asked(Methods& methods, const Request& request)
{
    return decode<typename Method<Request>::Result>(
        methods.call(std::string(Method<Request>::name), encode(request), {}));
}

/// Two rows of two groups of 32: of 6 and 1 by turns, exact in fp4; of 5, halfway between 4 and 6;
/// of zeros; with a NaN.
std::vector<float> someValues()
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

TEST_CASE("a line of the rate curve is answered with the errors of each point")
{
    H5File file;
    file.write("/weights/w", {2, 64}, someValues());
    Methods methods(dumpFileParts(1 << 24), 1 << 24);
    const TensorRef tensor{.file = file.path()};
    const Rated rated = asked(methods, RateRequest{.tensor = tensor, .family = "int4"});
    REQUIRE(rated.points.size() == 5);  // tensor, row, g32, g16, g8
    CHECK(rated.rowLength == 64);
    CHECK(rated.points[2].format == "int4-g32");
    CHECK(rated.points[2].errors.blocks == 4);
    CHECK(rated.points[2].errors.zeroBlocks == 1);
    CHECK(rated.points[2].errors.poisonedBlocks == 1);
    CHECK(rated.points[2].errors.effectiveBits == 5.0);
    CHECK(rated.points[2].errors.sums.count == 127);
    CHECK_THROWS_WITH(asked(methods, RateRequest{.tensor = tensor, .family = "int99"}),
                      containsText("int99"));
}

TEST_CASE("a block is answered with its values, the worst one where none is named")
{
    H5File file;
    file.write("/weights/w", {2, 64}, someValues());
    Methods methods(dumpFileParts(1 << 24), 1 << 24);
    const TensorRef tensor{.file = file.path()};
    // Under floor the scale of 5 is 1: 5 becomes 4, whose pattern is even. The others are exact.
    const EncodedBlock worst = asked(methods, BlockRequest{.tensor = tensor, .format = "mxfp4"});
    CHECK(worst.block == 1);
    CHECK(worst.blocks == 4);
    CHECK(worst.scale.pattern == 127);
    CHECK(worst.largest == 5.0);
    CHECK(worst.indices.front() == 32);
    CHECK(worst.values == std::vector<double>(32, 5.0));
    CHECK(worst.decoded == std::vector<double>(32, 4.0));
    CHECK(worst.patterns.front() == 6);
    CHECK(worst.errors.sums.count == 32);
    CHECK(*worst.errors.sqnrDb() == Approx(10.0 * std::log10(25.0)));
    const EncodedBlock poisoned =
        asked(methods, BlockRequest{.tensor = tensor, .format = "mxfp4", .block = 3});
    CHECK(poisoned.errors.notFinite == 1);
    CHECK(poisoned.errors.sums.count == 31);
    CHECK(std::isnan(poisoned.values[4]));
    CHECK_THROWS_WITH(asked(methods, BlockRequest{.tensor = tensor, .format = "mxfp4", .block = 4}),
                      containsText("there is no block 4"));
}

TEST_CASE("of a long block all values count, and the first 4096 are listed")
{
    H5File file;
    std::vector<float> values(5000, 1.0F);
    values.back() = -7.0F;
    file.write("/weights/w", {1, 5000}, values);
    Methods methods(dumpFileParts(1 << 24), 1 << 24);
    const EncodedBlock block =
        asked(methods, BlockRequest{.tensor = {.file = file.path()}, .format = "int4-tensor"});
    CHECK(block.values.size() == 4096);
    CHECK(block.errors.sums.count == 5000);
    CHECK(block.largest == 7.0);
}

TEST_CASE("a map of blocks is answered in at most so many cells, with its histograms")
{
    H5File file;
    file.write("/weights/w", {2, 64}, someValues());
    Methods methods(dumpFileParts(1 << 24), 1 << 24);
    const TensorRef tensor{.file = file.path()};
    const FormatMap map = asked(
        methods, FormatMapRequest{.tensor = tensor, .format = "nvfp4", .rows = 2, .columns = 2});
    CHECK(map.sqnrDb.cells.rows == 2);
    CHECK(map.sqnrDb.cells.columns == 2);
    CHECK(map.sqnrDb.cells.columnStep == 2);  // of four groups of 16
    CHECK(map.sqnrDb.blocks.size() == 4);
    CHECK(map.scales.total() == 6);  // without the two of zeros
    CHECK(map.errors.blocks == 8);
    CHECK(map.levels.size() == 16);
    CHECK_THROWS_WITH(asked(methods, FormatMapRequest{.tensor = tensor, .format = "int99"}),
                      containsText("int99"));
    CHECK_THROWS_WITH(
        asked(methods, FormatMapRequest{.tensor = tensor, .format = "nvfp4", .rows = 0}),
        containsText("no cells"));
}

}  // namespace format_methods_test
