// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/scale_search.h"
#include "core/kernels/targets.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

#include <cmath>
#include <limits>

namespace block_code_test {

using namespace calibscope;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float largestFloat = std::numeric_limits<float>::max();
constexpr float leastFloat = std::numeric_limits<float>::denorm_min();

struct Encoded
{
    BlockScale scale;
    std::vector<float> decoded;
    std::vector<std::uint16_t> patterns;
};

/// One block, which is all of the tensor.
Encoded encoded(const char* id, const std::vector<float>& values)
{
    const BlockFormat format = parseBlockFormat(id);
    BlockPeak peak;
    peak.add(values);
    Encoded result{.scale = blockScale(format, peak, tensorScale(format, peak.largest())),
                   .decoded = std::vector<float>(values.size()),
                   .patterns = std::vector<std::uint16_t>(values.size())};
    encodeBlock(format, result.scale, values, result.decoded, result.patterns);
    return result;
}

unsigned byteOf(const char* rule, float largest)
{
    return encoded((std::string("mxfp4:scale-rule=") + rule).c_str(), {largest}).scale.pattern;
}

TEST_CASE("the four rules of powers of two part at 1, 1.5, 1.75 times one: fp4, by hand")
{
    // E = 2: byte 125 is 1/4, which fp4's 6 makes 1.5, and 4 makes 1.
    for (const auto& [largest, floor, rceil, even, ceil] :
         {std::tuple{1.0F, 125U, 125U, 125U, 125U}, std::tuple{1.0000001F, 125U, 125U, 125U, 126U},
          std::tuple{1.5F, 125U, 125U, 125U, 126U}, std::tuple{1.5000001F, 125U, 126U, 125U, 126U},
          std::tuple{1.7499999F, 125U, 126U, 125U, 126U}, std::tuple{1.75F, 125U, 126U, 126U, 126U},
          std::tuple{1.9999999F, 125U, 126U, 126U, 126U}}) {
        INFO(largest);
        CHECK(byteOf("floor", largest) == floor);
        CHECK(byteOf("rceil", largest) == rceil);
        CHECK(byteOf("even", largest) == even);
        CHECK(byteOf("ceil", -largest) == ceil);
    }
    CHECK(byteOf("floor", leastFloat) == 0);
    CHECK(byteOf("floor", 0x1p-125F) == 0);
    CHECK(byteOf("floor", 0x1p-124F) == 1);
    CHECK(byteOf("floor", largestFloat) == 252);
}

TEST_CASE("mxfp4: what floor saturates")
{
    const Encoded block = encoded("mxfp4", {1.9F, -1.0F, 0.3F, 0.06F, -0.01F});
    CHECK(block.scale.scale == 0.25F);
    CHECK(block.decoded == std::vector<float>{1.5F, -1.0F, 0.25F, 0.0F, 0.0F});
    CHECK(block.patterns == std::vector<std::uint16_t>{7, 14, 2, 0, 8});
    CHECK(blockEnds(parseBlockFormat("mxfp4"), block.scale).high == 1.5F);
}

TEST_CASE("nvfp4: the tensor's scale, the block's in E4M3, and their product")
{
    // T = 6 / 2688 in float32; the block's own is m / (6 T) = 448.
    const Encoded block = encoded("nvfp4", {6.0F, -3.0F, 1.0F});
    CHECK(block.scale.pattern == 0x7eU);
    CHECK(block.decoded[0] == test::Approx(6.0).epsilon(1e-6));
    CHECK(block.decoded[1] == test::Approx(-3.0).epsilon(1e-6));
    CHECK(block.patterns == std::vector<std::uint16_t>{7, 13, 2});
    const BlockFormat one = parseBlockFormat("nvfp4-1");
    BlockPeak peak;
    peak.add(std::vector<float>{6.6F});
    const BlockScale scale = blockScale(one, peak, tensorScale(one, 6.6F));
    CHECK(scale.scale == 1.125F);  // 1.1 between 1 and 1.125: nearer to 1.125
    CHECK(tensorScale(one, 6.6F) == 1.0F);
}

TEST_CASE("nvfp4: a block far below the tensor has the least scale, or none")
{
    const auto scaleOf = [](const char* id) {
        const BlockFormat format = parseBlockFormat(id);
        BlockPeak peak;
        peak.add(std::vector<float>{1e-6F});
        return blockScale(format, peak, tensorScale(format, 2688.0F));
    };
    CHECK(scaleOf("nvfp4").pattern == 1U);
    CHECK(scaleOf("nvfp4").isLeast);
    CHECK(scaleOf("nvfp4:least-block-scale=0.015625").pattern == 8U);
    CHECK(scaleOf("nvfp4:least-block-scale=0").pattern == 0U);
    CHECK(scaleOf("nvfp4:least-block-scale=0").isLeast);
    CHECK_FALSE(scaleOf("nvfp4:tensor-maximum=1e-4").isLeast);
    CHECK(scaleOf("nvfp4:tensor-maximum=1e-7").isLargest);
}

TEST_CASE("nvfp4: a sweep finds a block scale that no other one beats, and the first of equal ones")
{
    const BlockFormat format = parseBlockFormat("nvfp4-1:search=sweep");
    const std::vector<float> values{5.0F, 5.0F, 5.0F, 1.0F};
    BlockPeak peak;
    peak.add(values);
    const auto errorOf = [&](const BlockScale& scale) {
        std::vector<float> decoded(values.size());
        encodeBlock(format, scale, values, decoded, {});
        double sum = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i)
            sum += std::pow(static_cast<double>(values[i] - decoded[i]), 2.0);
        return sum;
    };
    const BlockScale found = BlockSearch(format, 1.0F).scale(peak, values);
    CHECK(errorOf(found) < errorOf(blockScale(format, peak, 1.0F)));
    for (unsigned pattern = 1; pattern < 127; ++pattern) {
        BlockScale trial{.scale = format.scales->decode(pattern), .pattern = pattern};
        trial.quotient = trial.scale;
        CHECK((pattern < found.pattern ? errorOf(trial) > errorOf(found)
                                       : errorOf(trial) >= errorOf(found)));
    }
    peak = {};
    peak.add(std::vector<float>{0.0F});
    CHECK(BlockSearch(format, 1.0F).scale(peak, std::vector<float>{0.0F}).pattern == 1U);
}

TEST_CASE("integers: the largest magnitude at 7, at 7.5, or at -8 with a scale of its sign")
{
    const std::vector<float> values{7.0F, -3.0F, 3.5F};
    CHECK(encoded("int4-g32", values).scale.scale == 1.0F);
    CHECK(encoded("int4-g32", values).patterns == std::vector<std::uint16_t>{7, 13, 4});
    CHECK(encoded("int4-g32:divisor=qmax+0.5", {7.5F}).scale.scale == 1.0F);
    CHECK(encoded("int4-g32:divisor=qmax+0.5", {7.5F}).decoded[0] == 7.0F);
    CHECK(encoded("int4-g32:divisor=qmax+0.5", {-7.5F}).decoded[0] == -8.0F);
    const Encoded turned = encoded("int4-g32:divisor=signed", {8.0F, -7.0F, 1.0F, -8.0F});
    CHECK(turned.scale.scale == -1.0F);
    CHECK(turned.decoded == std::vector<float>{8.0F, -7.0F, 1.0F, -7.0F});
    const BlockEnds ends = blockEnds(parseBlockFormat("int4-g32:divisor=signed"), turned.scale);
    CHECK(ends.low == -7.0F);
    CHECK(ends.high == 8.0F);
}

TEST_CASE("affine groups: zero is a level, unless its range may leave it")
{
    const Encoded block = encoded("uint4-g32", {-3.0F, 12.0F, 0.4F});
    CHECK(block.scale.scale == 1.0F);
    CHECK(block.scale.zeroPoint == 3.0F);
    CHECK(block.decoded == std::vector<float>{-3.0F, 12.0F, 0.0F});
    CHECK(block.patterns == std::vector<std::uint16_t>{0, 15, 3});
    CHECK(encoded("uint4-g32", {30.0F, 15.0F}).scale.scale == 2.0F);
    CHECK(encoded("uint4-g32:zero-in-range=no", {30.0F, 15.0F}).scale.scale == 1.0F);
}

TEST_CASE("llama.cpp's blocks store float16 and quantize by the scale before it is rounded")
{
    const Encoded q8 = encoded("q8_0", {1.0F, -0.5F});
    CHECK(q8.scale.pattern == 0x2008U);                          // 1/127 in float16
    CHECK(q8.patterns == std::vector<std::uint16_t>{127, 192});  // -63.5 away from 0 is -64
    const Encoded q41 = encoded("q4_1", {1.0F, 16.0F, 8.6F});
    CHECK(q41.decoded == std::vector<float>{1.0F, 16.0F, 9.0F});
    CHECK(encoded("q4_1", {0.75F, 0.75F}).decoded == std::vector<float>{0.75F, 0.75F});
    CHECK(encoded("q4_0", {-8.0F, 7.0F, 0.5F}).decoded == std::vector<float>{-8.0F, 7.0F, 1.0F});
}

TEST_CASE("a scale that float16 cannot hold leaves zeros, and is known by it")
{
    const Encoded block = encoded("q8_0", {1e-8F});
    CHECK(block.scale.isLeast);
    CHECK(block.decoded[0] == 0.0F);
    CHECK(encoded("int4-g32:scales=float16", {1e8F}).scale.isLargest);
}

const std::vector<std::vector<float>> oddBlocks{
    {},
    {0.0F, -0.0F},
    {nan, inf, -inf},
    {nan, 1.0F, -2.0F},
    {inf, 0.5F},
    {leastFloat, -leastFloat},
    {1e-40F, 3e-41F},
    {largestFloat, -largestFloat, 1.0F},
    {largestFloat, leastFloat},
    {-1e-45F, 1e38F},
    {3e38F},
};

TEST_CASE("odd blocks give finite values and scales that are not 0, under every format")
{
    std::vector<std::string> ids;
    for (const BlockFormat& format : blockFormats())
        ids.push_back(format.id);
    for (const char* more :
         {"mxfp4:scale-rule=rceil", "mxfp8-e4m3:scale-rule=ceil", "mxfp6-e3m2:scale-rule=even",
          "int4-g32:divisor=signed", "int4-g32:divisor=qmax+0.5", "uint4-g32:zero-in-range=no",
          "int4-g32:quotient=multiply", "int4-g32:quotient=inverse", "int4-g32:scales=bfloat16",
          "nvfp4:elements-by=unrounded", "nvfp4:search=sweep", "nvfp4:tensor-maximum=act-headroom",
          "nvfp4:least-block-scale=0", "nvfp4:tensor-maximum=1e-30", "nvfp4:tensor-maximum=1e30",
          "fp4-e2m1", "int2", "uint16", "int16"})
        ids.emplace_back(more);
    ids.insert(ids.end(), {"uint2-g32", "uint16-row"});
    for (const std::string& id : ids)
        for (const std::vector<float>& values : oddBlocks) {
            const Encoded block = encoded(id.c_str(), values);
            INFO(id << " of " << Catch::Detail::stringify(values) << ": "
                    << Catch::Detail::stringify(block.decoded));
            CHECK(std::isfinite(block.scale.scale));
            CHECK(std::ranges::all_of(block.decoded, [](float x) { return std::isfinite(x); }));
        }
}

TEST_CASE("a block of zeros has scale 1, byte 0 of E8M0, the least one of E4M3")
{
    const std::vector<float> zeros(32, 0.0F);
    CHECK(encoded("int4-g32", zeros).scale.scale == 1.0F);
    CHECK(encoded("fp8-e4m3", zeros).scale.scale == 1.0F);
    CHECK(encoded("uint4-g32", zeros).scale.scale == 1.0F);
    CHECK(encoded("mxfp4", zeros).scale.pattern == 0U);
    CHECK(encoded("nvfp4", zeros).scale.pattern == 1U);
    CHECK_FALSE(encoded("nvfp4", zeros).scale.isLeast);
    CHECK(encoded("mxfp4", zeros).decoded == zeros);
}

TEST_CASE("a tensor's largest block is not beyond the range of scales where T was rounded")
{
    const BlockFormat format = parseBlockFormat("nvfp4");
    for (int i = 0; i < 1000; ++i) {
        const std::vector<float> values{1.0F + static_cast<float>(i) * 0.00113F};
        BlockPeak peak;
        peak.add(values);
        CHECK_FALSE(blockScale(format, peak, tensorScale(format, values[0])).isLargest);
        CHECK(blockScale(format, peak, tensorScale(format, 0.5F * values[0])).isLargest);
    }
}

TEST_CASE("values that are not finite do not decide the scale")
{
    const Encoded block = encoded("mxfp4", {1.0F, nan, inf, -inf});
    CHECK(block.scale.pattern == 125U);
    CHECK(block.decoded == std::vector<float>{1.0F, 0.0F, 1.5F, -1.5F});
}

TEST_CASE("scaling the values by a power of two scales what an e8m0 or float scale gives")
{
    const std::vector<float> values{0.3F, -1.7F, 0.02F, 0.9F, -0.44F};
    std::vector<float> scaled;
    for (const float value : values)
        scaled.push_back(value * 64.0F);
    for (const char* id : {"mxfp4", "mxfp8-e5m2", "mxint8", "int4-g32", "fp8-e4m3", "nf4-g64"}) {
        std::vector<float> expected = encoded(id, values).decoded;
        for (float& value : expected)
            value *= 64.0F;
        INFO(id);
        CHECK(encoded(id, scaled).decoded == expected);
    }
}

TEST_CASE("vectors decode to what elements one by one do: every format, on odd values")
{
    std::vector<std::string> ids;
    for (const BlockFormat& format : blockFormats())
        ids.push_back(format.id);
    for (const char* element : {"int4-g32", "int16-g32", "int2-row", "fp8-e5m2-g32", "fp6-e3m2-g32",
                                "fp4-e2m1-g32", "nf4-g32", "mxfp4", "mxint8"})
        for (const char* ties : {"half-even", "half-away", "half-down"})
            ids.push_back(std::string(element) + ":rounding=" + ties);
    for (const char* more :
         {"int4-g32:levels=narrow", "int4-g32:divisor=signed", "int4-g32:divisor=both-ends",
          "int4-g32:quotient=multiply", "int8:quotient=inverse", "fp8-e4m3:quotient=inverse",
          "uint4-g64:search=hqq", "uint4-g64:zero-in-range=no", "int4-g32:scales=float16"})
        ids.emplace_back(more);
    ids.insert(ids.end(), {"uint2-g32", "uint16-row"});
    std::vector<float> halves;  // quotients halfway between numbers, under a scale of 1
    for (int i = -2048; i <= 2048; ++i)
        halves.push_back(static_cast<float>(i) / 32.0F);
    for (const std::string& target : kernels::targets()) {
        const kernels::UsedTarget used(target);
        for (const std::string& id : ids) {
            const BlockFormat format = parseBlockFormat(id);
            std::vector<test::KernelSample> samples = test::kernelSamples();
            samples.push_back({"halves", halves});
            samples.push_back({"extreme",
                               {inf, -inf, nan, largestFloat, -largestFloat, leastFloat,
                                -leastFloat, 0.0F, -0.0F, 1.0F, -1.0F}});
            for (const auto& [kind, values] : samples) {
                INFO(target << ", " << id << ", " << kind);
                BlockPeak peak;
                peak.add(std::span(values).first(std::min<std::size_t>(values.size(), 4097)));
                BlockScale scale = blockScale(format, peak, 1.0F);
                if (kind == "halves" && format.scales == nullptr && scale.zeroPoint == 0.0F)
                    scale.scale = scale.quotient = 1.0F;
                std::vector<float> expected(values.size());
                std::vector<std::uint16_t> patterns(values.size());
                encodeBlock(format, scale, values, expected, patterns);
                std::vector<float> decoded(values.size());
                encodeBlock(format, scale, values, decoded, {});
                CHECK(decoded == expected);
            }
        }
    }
}

TEST_CASE("the extreme of a block is the first value of the largest magnitude")
{
    for (const auto& [values, extreme] : {std::pair(std::vector{1.0F, -2.0F, 2.0F}, -2.0F),
                                          {{1.0F, 2.0F, nan, -2.0F}, 2.0F},
                                          {{-3.0F, 2.0F}, -3.0F},
                                          {{-1.0F, -4.0F}, -4.0F},
                                          {{inf, 0.5F}, 0.5F},
                                          {{nan}, 0.0F}}) {
        BlockPeak peak;
        peak.add(values);
        CHECK(peak.extreme == extreme);
    }
}

}  // namespace block_code_test
