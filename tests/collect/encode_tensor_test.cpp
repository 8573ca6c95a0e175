// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/at_once.h"
#include "core/collect/encode_tensor.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace encode_tensor_test {

using namespace calibscope;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TensorInfo infoOf(std::vector<std::uint64_t> shape)
{
    TensorInfo info;
    info.path = "/t";
    info.shape = std::move(shape);
    return info;
}

/// Values that differ in sign and magnitude, the same on every machine.
std::vector<float> unlike(std::size_t count)
{
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(static_cast<int>(i * 7919 % 211) - 105) *
                         std::ldexp(1.0F, static_cast<int>(i * 31 % 7) - 3));
    return values;
}

/// The values in blocks of that many, whatever the rows are.
ValueSource cut(const TensorInfo& info, const std::vector<float>& values, std::size_t blockSize)
{
    return {.info = info,
            .visit = [&values, blockSize](const BlockVisitor& visitor, const Progress&) {
                for (std::size_t first = 0; first < values.size(); first += blockSize)
                    visitor({.values = std::span(values).subspan(
                                 first, std::min(blockSize, values.size() - first)),
                             .firstIndex = first});
            }};
}

struct Decoded
{
    std::vector<float> values;
    std::vector<std::uint64_t> blocks;  ///< of each value
    FormatErrors errors;
};

Decoded decoded(const ValueSource& source, const char* id, const MatrixShape& matrix)
{
    Decoded result;
    result.values.assign(source.info.valueCount(), nan);
    result.blocks.assign(source.info.valueCount(), 0);
    result.errors =
        encodeTensor(source, parseBlockFormat(id), matrix, {}, [&](const BlockPart& part) {
            for (std::size_t i = 0; i < part.values.size(); ++i) {
                result.values[part.first + i * part.stride] = part.decoded[i];
                result.blocks[part.first + i * part.stride] = part.block;
            }
        });
    return result;
}

/// Block of (row, column) as the definition has it, and the whole tensor encoded block by block.
Decoded byDefinition(const TensorInfo& info, const std::vector<float>& values, const char* id,
                     const MatrixShape& matrix)
{
    const BlockFormat format = parseBlockFormat(id);
    const Granularity& granularity = format.granularity;
    const std::uint64_t columns =
        granularity.kind == Granularity::Kind::Row ? matrix.length : granularity.columns;
    const std::uint64_t across = (matrix.length + columns - 1) / columns;
    std::map<std::uint64_t, std::vector<std::uint64_t>> indices;
    for (std::uint64_t row = 0; row < matrix.rows(); ++row)
        for (std::uint64_t column = 0; column < matrix.length; ++column)
            indices[row / granularity.rows * across + column / columns].push_back(
                matrix.indexOf(row, column));
    BlockPeak all;
    all.add(values);
    Decoded result{.values = std::vector<float>(info.valueCount()),
                   .blocks = std::vector<std::uint64_t>(info.valueCount())};
    for (const auto& [block, places] : indices) {
        std::vector<float> gathered;
        for (const std::uint64_t index : places)
            gathered.push_back(values[index]);
        BlockPeak peak;
        peak.add(gathered);
        std::vector<float> results(gathered.size());
        encodeBlock(format, blockScale(format, peak, tensorScale(format, all.largest())), gathered,
                    results, {});
        for (std::size_t i = 0; i < places.size(); ++i) {
            result.values[places[i]] = results[i];
            result.blocks[places[i]] = block;
        }
    }
    return result;
}

TEST_CASE(
    "groups, rows and tiles along any axis are those of their definition, however blocks are cut")
{
    struct Case
    {
        std::vector<std::uint64_t> shape;
        int axis;
        std::vector<const char*> ids;
    };
    const std::vector<const char*> lines{"int4-g8", "mxfp4", "nvfp4", "uint4-g5", "int8-row"};
    for (const Case& one :
         {Case{{7, 45}, -1, {"int4-g8", "mxfp4", "nvfp4", "uint4-g5", "int8-row", "fp8-e4m3-b3x8"}},
          Case{{45, 7}, 0, {"int4-g8", "mxfp4", "nvfp4", "uint4-g5", "int8-row", "int4-b3x8"}},
          Case{{2, 40, 3, 2}, 1, lines}, Case{{3, 4, 50}, 2, lines}, Case{{70}, 0, lines}}) {
        const TensorInfo info = infoOf(one.shape);
        const std::vector<float> values = unlike(info.valueCount());
        const MatrixShape matrix = matrixShape(info, one.axis);
        for (const char* id : one.ids) {
            const Decoded expected = byDefinition(info, values, id, matrix);
            for (const std::size_t blockSize : {std::size_t{1}, std::size_t{11}, values.size()}) {
                INFO(id << " along axis " << one.axis << " of " << shapeText(one.shape) << ", "
                        << blockSize);
                const Decoded actual = decoded(cut(info, values, blockSize), id, matrix);
                CHECK(actual.values == expected.values);
                CHECK(actual.blocks == expected.blocks);
                CHECK(
                    actual.errors.blocks ==
                    std::set<std::uint64_t>(expected.blocks.begin(), expected.blocks.end()).size());
                CHECK(actual.errors.blocks == parseBlockFormat(id).granularity.blocks(matrix, 0));
            }
        }
    }
}

TEST_CASE("a scale for each channel, whichever axis rows lie along")
{
    TensorInfo info = infoOf({2, 3, 4});
    info.channelAxis = 1;
    const std::vector<float> values = unlike(24);
    const Decoded result = decoded(sourceOf(info, values), "int8-channel", matrixShape(info));
    CHECK(result.errors.blocks == 3);
    for (std::size_t i = 0; i < values.size(); ++i)
        CHECK(result.blocks[i] == i / 4 % 3);
}

TEST_CASE("errors of a few values, worked out by hand")
{
    // Scale 0.25 by floor: 1.9 saturates at 1.5, 0.0625 is a tie and becomes 0.
    const std::vector<float> values{1.9F, 0.0625F, -1.0F, 0.0F};
    const TensorInfo info = infoOf({1, 4});
    const FormatErrors errors =
        encodeTensor(sourceOf(info, values), parseBlockFormat("mxfp4"), matrixShape(info));
    CHECK(errors.sums.count == 4);
    CHECK(errors.saturatedShare() == 0.25);
    CHECK(errors.flushedShare() == 0.25);
    CHECK(errors.sums.maxError == test::Approx(0.4).epsilon(1e-6));
    CHECK(errors.sums.squaredClipping == test::Approx(0.16).epsilon(1e-6));
    CHECK(errors.sums.squaredRounding == 0.0625 * 0.0625);
    CHECK(errors.effectiveBits == 4.0 + 8.0 / 4.0);
    CHECK(errors.sqnrDb() ==
          10.0 * std::log10(errors.sums.sumSquares /
                            (errors.sums.squaredRounding + errors.sums.squaredClipping)));
    CHECK(errors.notes().empty());
}

TEST_CASE("blocks of zeros and blocks with NaN or infinities are counted and told")
{
    std::vector<float> values(64, 0.0F);
    values[40] = nan;
    values[41] = inf;
    values[42] = 1.0F;
    const TensorInfo info = infoOf({2, 32});
    const FormatErrors errors =
        encodeTensor(sourceOf(info, values), parseBlockFormat("mxfp4"), matrixShape(info));
    CHECK(errors.blocks == 2);
    CHECK(errors.zeroBlocks == 1);
    CHECK(errors.poisonedBlocks == 1);
    CHECK(errors.notFinite == 2);
    CHECK(errors.sums.count == 62);
    CHECK(errors.notes() ==
          std::vector<std::string>{"1 block with NaN or infinities, which are left out"});
    const std::vector<float> zeros(64, 0.0F);
    for (const char* id : {"mxfp4", "nvfp4", "int4-g32", "int8", "q4_0"}) {
        const FormatErrors ofZeros =
            encodeTensor(sourceOf(info, zeros), parseBlockFormat(id), matrixShape(info));
        CHECK(ofZeros.sqnrDb() == std::numeric_limits<double>::infinity());
        CHECK(ofZeros.notes() == std::vector<std::string>{"all zero"});
        CHECK(ofZeros.tensorScale == 1.0F);
    }
}

TEST_CASE("without a finite value, or without any, there is nothing to measure")
{
    const std::vector<float> values(4, nan);
    const TensorInfo info = infoOf({1, 4});
    CHECK_FALSE(encodeTensor(sourceOf(info, values), parseBlockFormat("nvfp4"), matrixShape(info))
                    .sqnrDb());
    const TensorInfo empty = infoOf({0, 4});
    const FormatErrors errors =
        encodeTensor(sourceOf(empty, {}), parseBlockFormat("mxfp4"), matrixShape(empty));
    CHECK(errors.blocks == 0);
    CHECK(errors.effectiveBits == 0.0);
}

TEST_CASE("the largest value of a block is not counted as saturated where its scale was rounded")
{
    const std::vector<float> values = unlike(4096);
    const TensorInfo info = infoOf({64, 64});
    for (const char* id : {"int4-g32", "fp8-e4m3", "nf4-g64", "mxfp4:scale-rule=rceil"})
        CHECK(encodeTensor(sourceOf(info, values), parseBlockFormat(id), matrixShape(info))
                  .sums.clipped == 0);
}

TEST_CASE("tiles along an axis between others are refused")
{
    const TensorInfo info = infoOf({2, 4, 2});
    const std::vector<float> values = unlike(16);
    CHECK_THROWS_WITH(
        encodeTensor(sourceOf(info, values), parseBlockFormat("int4-b2x2"), matrixShape(info, 1)),
        test::containsText("first or the last axis"));
}

TEST_CASE("super-blocks: rows of whole ones along any axis, each group with a scale and pattern")
{
    const std::vector<float> values = unlike(3 * 512);
    std::vector<float> across;
    for (std::size_t column = 0; column < 512; ++column)
        for (std::size_t row = 0; row < 3; ++row)
            across.push_back(values[row * 512 + column]);
    const TensorInfo info = infoOf({3, 512});
    const TensorInfo turned = infoOf({512, 3});
    for (const char* id : {"q2_k", "q3_k", "q4_k", "q5_k", "q6_k"}) {
        INFO(id);
        const Decoded along = decoded(cut(info, values, 100), id, matrixShape(info));
        const Decoded behind = decoded(cut(turned, across, 77), id, matrixShape(turned, 0));
        CHECK(along.values == decoded(cut(info, values, 1), id, matrixShape(info)).values);
        const std::uint64_t columns = parseBlockFormat(id).granularity.columns;
        bool areEqual = true;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t other = i % 512 * 3 + i / 512;
            areEqual = areEqual && along.values[i] == behind.values[other] &&
                       along.blocks[i] == i / columns && behind.blocks[other] == i / columns;
        }
        CHECK(areEqual);
        CHECK(along.errors.blocks == values.size() / columns);
        CHECK(along.errors.sqnrDb() > 3.0 * parseBlockFormat(id).element->bits());
    }
    const TensorInfo wrong = infoOf({2, 384});
    CHECK_THROWS_WITH(decoded(cut(wrong, values, 768), "q4_k", matrixShape(wrong)),
                      test::containsText("whole super-blocks of 256 values, not of 384"));
}

TEST_CASE("super-blocks of odd values decode to finite ones, a group without a value to 0")
{
    std::vector<float> values(1024, 0.0F);
    for (std::size_t i = 0; i < 32; ++i)
        values[i] = i % 2 == 0 ? 3e38F : -3e38F;
    values[40] = nan;
    values[70] = inf;
    values[100] = 1e-44F;
    for (std::size_t i = 256; i < 512; ++i)
        values[i] = i % 3 == 0 ? 1e-44F : -1e-45F;
    for (std::size_t i = 512; i < 768; ++i)
        values[i] = -5.0F;
    const TensorInfo info = infoOf({2, 512});
    for (const char* id : {"q2_k", "q3_k", "q4_k", "q5_k", "q6_k"}) {
        INFO(id);
        bool isFinite = true;
        const FormatErrors errors =
            encodeTensor(cut(info, values, 1024), parseBlockFormat(id), matrixShape(info), {},
                         [&](const BlockPart& part) {
                             isFinite = isFinite && std::isfinite(part.scale.scale) &&
                                        std::isfinite(part.scale.minimum);
                             for (const float value : part.decoded)
                                 isFinite = isFinite && std::isfinite(value);
                         });
        CHECK(isFinite);
        CHECK(errors.poisonedBlocks == 2);
        CHECK(errors.largestBlocks > 0);
    }
}

double squaredError(const FormatErrors& errors)
{
    return errors.sums.squaredRounding + errors.sums.squaredClipping;
}

TEST_CASE("scales of rows are searched as those of groups are, along either axis")
{
    const std::vector<float> values = unlike(6 * 64);
    std::vector<float> across;  // rows behind each other
    for (std::size_t column = 0; column < 64; ++column)
        for (std::size_t row = 0; row < 6; ++row)
            across.push_back(values[row * 64 + column]);
    const TensorInfo info = infoOf({6, 64});
    const TensorInfo turned = infoOf({64, 6});
    for (const std::string search : {"shrink", "multiplier", "shrink,ends-by=tensor"}) {
        INFO(search);
        const std::string rows = "int4-row:search=" + search;
        const Decoded along = decoded(cut(info, values, 100), rows.c_str(), matrixShape(info));
        const Decoded groups = decoded(cut(info, values, 100),
                                       ("int4-g64:search=" + search).c_str(), matrixShape(info));
        const Decoded behind =
            decoded(cut(turned, across, 100), rows.c_str(), matrixShape(turned, 0));
        CHECK(along.values == groups.values);
        CHECK(squaredError(behind.errors) ==
              Approx(squaredError(along.errors)).epsilon(1e-12));  // added in another order
        CHECK(squaredError(along.errors) <
              squaredError(decoded(cut(info, values, 100), "int4-row", matrixShape(info)).errors));
    }
}

TEST_CASE("several formats in shared passes have the errors that each has alone")
{
    const std::vector<float> values = unlike(6 * 512);
    const TensorInfo info = infoOf({6, 512});
    const MatrixShape matrix = matrixShape(info);
    std::vector<BlockFormat> formats;
    for (const char* id : {"int4", "int4-row", "fp8-e4m3:search=multiplier", "mxfp4", "nvfp4",
                           "q4_k", "nvfp4:tensor-maximum=act-headroom",
                           "int4-g32:search=shrink,ends-by=tensor", "int4-b3x8"})
        formats.push_back(parseBlockFormat(id));
    const std::vector<FormatErrors> together =
        encodeTensors(cut(info, values, 100), formats, matrix);
    REQUIRE(together.size() == formats.size());
    for (std::size_t i = 0; i < formats.size(); ++i) {
        INFO(formats[i].id);
        const FormatErrors alone = encodeTensor(cut(info, values, 100), formats[i], matrix);
        CHECK(squaredError(together[i]) == squaredError(alone));
        CHECK(together[i].sums.sumProducts == alone.sums.sumProducts);
        CHECK(together[i].blocks == alone.blocks);
        CHECK(together[i].tensorScale == alone.tensorScale);
        CHECK(together[i].effectiveBits == alone.effectiveBits);
    }
}

TEST_CASE("sums have the same bits with one thread and several, and however a tensor is cut")
{
    for (const std::uint64_t length : {96U, 512U, 5120U}) {
        const std::uint64_t rows = 737280 / length;  // several strips of several threads
        const TensorInfo info = infoOf({rows, length});
        const std::vector<float> values = unlike(rows * length);
        for (const char* id : {"mxfp4", "nvfp4", "int4-g128", "q4_1", "fp8-e4m3-b128x128",
                               "int4-g32:search=shrink,max-shrink=0.1"}) {
            const auto sumsOf = [&](const ValueSource& source) {
                return encodeTensor(source, parseBlockFormat(id), matrixShape(info));
            };
            const FormatErrors several = sumsOf(sourceOf(info, values));
            const ThreadLimit one(1);
            for (const FormatErrors& errors :
                 {sumsOf(sourceOf(info, values)), sumsOf(cut(info, values, 100000))}) {
                INFO(id << ", rows of " << length);
                CHECK(errors.sums.squaredRounding == several.sums.squaredRounding);
                CHECK(errors.sums.squaredClipping == several.sums.squaredClipping);
                CHECK(errors.sums.sumProducts == several.sums.sumProducts);
                CHECK(errors.blocks == several.blocks);
                CHECK(errors.flushed == several.flushed);
            }
        }
    }
}

TEST_CASE("importance is that of a value's column, the same for all rows of a group")
{
    const std::vector<float> values = unlike(4 * 64);
    const TensorInfo info = infoOf({4, 64});
    const MatrixShape matrix = matrixShape(info);
    InputProducts inputs{
        .columns = 64, .rowsPerGroup = 2, .squares = std::vector<float>(128, 1.0F)};
    const auto errorsUnder = [&](const char* id) {
        std::vector<double> rows(4);
        (void)encodeTensor(
            cut(info, values, 50), parseBlockFormat(id), matrix, {},
            [&](const BlockPart& part) {
                for (std::size_t i = 0; i < part.values.size(); ++i)
                    rows[part.first / 64] +=
                        std::pow(static_cast<double>(part.values[i] - part.decoded[i]), 2.0);
            },
            &inputs);
        return rows;
    };
    const char* by = "int4-g32:search=shrink,max-shrink=0.8,patience=0,importance=input";
    const std::vector<double> alike = errorsUnder(by);
    CHECK(alike == errorsUnder("int4-g32:search=shrink,max-shrink=0.8,patience=0"));
    inputs.squares[64 + 5] = 1e6F;  // of the third and fourth row
    const std::vector<double> other = errorsUnder(by);
    CHECK(other[0] == alike[0]);
    CHECK(other[1] == alike[1]);
    CHECK(other[2] + other[3] > alike[2] + alike[3]);
    CHECK_THROWS_WITH(encodeTensor(cut(info, values, 50), parseBlockFormat(by), matrix),
                      test::containsText("needs the inputs"));
    CHECK_THROWS_WITH(encodeTensor(cut(info, values, 50),
                                   parseBlockFormat("int4-b2x8:search=shrink,importance=input"),
                                   matrix, {}, {}, &inputs),
                      test::containsText("inputs of their columns"));
}

TEST_CASE("a tile is searched with the values of all its rows")
{
    const std::vector<float> values = unlike(64);
    const TensorInfo tile = infoOf({8, 8});
    const TensorInfo group = infoOf({1, 64});
    const Decoded ofTile =
        decoded(cut(tile, values, 13), "int4-b8x8:search=shrink", matrixShape(tile));
    CHECK(ofTile.values ==
          decoded(cut(group, values, 13), "int4-g64:search=shrink", matrixShape(group)).values);
    CHECK(squaredError(ofTile.errors) <
          squaredError(decoded(cut(tile, values, 13), "int4-b8x8", matrixShape(tile)).errors));
}

TEST_CASE("a search in steps is refused where the values of a scale lie apart")
{
    const std::vector<float> values = unlike(64);
    const TensorInfo info = infoOf({1, 64});
    CHECK_THROWS_WITH(
        decoded(cut(info, values, 64), "int4-tensor:search=least-squares", matrixShape(info)),
        test::containsText("groups, tiles, or rows"));
    CHECK(decoded(cut(info, values, 64), "int4-row:search=least-squares", matrixShape(info))
              .errors.blocks == 1U);
}

}  // namespace encode_tensor_test
