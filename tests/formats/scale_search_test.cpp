// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/scale_search.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace scale_search_test {

using namespace calibscope;

std::vector<float> laplace(std::size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::exponential_distribution<float> size(1.0F);
    std::vector<float> values(count);
    for (float& value : values)
        value = (generator() & 1U) != 0 ? size(generator) : -size(generator);
    return values;
}

BlockPeak peakOf(std::span<const float> values)
{
    BlockPeak peak;
    peak.add(values);
    return peak;
}

BlockScale searched(const BlockFormat& format, std::span<const float> values)
{
    return BlockSearch(format, 1.0F).scale(peakOf(values), values);
}

double squaredError(const BlockFormat& format, const BlockScale& scale,
                    std::span<const float> values)
{
    std::vector<float> decoded(values.size());
    encodeBlock(format, scale, values, decoded, {});
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += std::pow(static_cast<double>(values[i]) - static_cast<double>(decoded[i]), 2.0);
    return sum;
}

TEST_CASE("shrink: an outlier is clipped where the others gain more, by hand")
{
    // int2 has -2, -1, 0, 1. At s = 1.25, the whole range, 1 becomes 1.25: an error of 16 x 0.0625;
    // at s = 1, four fifths of it, 1.25 becomes 1, and nothing else is lost.
    std::vector<float> values(17, 1.0F);
    values[0] = 1.25F;
    const auto scaleOf = [&](const char* id) {
        return searched(parseBlockFormat(id), values).scale;
    };
    CHECK(scaleOf("int2-g32") == 1.25F);
    CHECK(scaleOf("int2-g32:search=shrink,grid=5,max-shrink=0.6,norm=2") == 1.0F);
    // The last of five steps from 1 down is 0.2 of the end, and the first one as far above it.
    CHECK(scaleOf("int2-g32:search=shrink,grid=5,max-shrink=0.6,norm=2,expand=2") == 1.5F);
}

TEST_CASE("shrink: a step in vain counts, and patience ends the search before a later gain")
{
    // Steps 1, 0.9, ..., 0.5: 0.9 to 0.6 lose, 0.5 gains.
    const std::vector<double> errors{5.0, 6.0, 6.0, 6.0, 6.0, 4.0};
    const auto best = [&](const char* id) {
        const BlockFormat format = parseBlockFormat(id);
        return BlockSearch(format, 1.0F).best(errors);
    };
    CHECK(best("int4-g32:search=shrink,patience=0") == 5U);
    CHECK(best("int4-g32:search=shrink,patience=5") == 5U);
    CHECK(best("int4-g32:search=shrink,patience=4") == 0U);
}

TEST_CASE("where blocks end together, one that gains carries on the others")
{
    const BlockFormat format = parseBlockFormat("int4-g32:search=shrink,patience=2,ends-by=tensor");
    const std::vector<double> late{5.0, 6.0, 6.0, 6.0, 4.0};
    const std::vector<double> steady{5.0, 4.0, 3.0, 2.0, 1.0};
    BlockSearch alone(format, 1.0F);
    alone.watch(late);
    CHECK(alone.best(late) == 0U);
    BlockSearch together(format, 1.0F);
    together.watch(late);
    together.watch(steady);
    CHECK(together.best(late) == 4U);
}

TEST_CASE("multiplier: 39 factors from a quarter of the end to four times it")
{
    const BlockFormat format = parseBlockFormat("fp8-e4m3:search=multiplier");
    const std::vector<float> values{448.0F, -1.0F};
    const std::vector<ScaleTrial> trials = trialScales(format, peakOf(values), 1.0F);
    REQUIRE(trials.size() == 39);
    CHECK(trials.front().stored.scale == 0.25F);
    CHECK(trials.back().stored.scale == 4.0F);
    CHECK(trials[19].stored.scale == Approx(0.25 + 19 * 3.75 / 38).epsilon(1e-6));
}

TEST_CASE("a sweep of powers of two takes the best of four exponents")
{
    const BlockFormat format = parseBlockFormat("mxfp4:search=sweep");
    for (unsigned seed = 1; seed < 20; ++seed) {
        const std::vector<float> values = laplace(32, seed);
        const int floor = std::ilogb(peakOf(values).largest()) - 2;
        double least = std::numeric_limits<double>::infinity();
        for (int exponent = floor - 1; exponent <= floor + 2; ++exponent) {
            BlockScale scale{.scale = std::ldexp(1.0F, exponent)};
            scale.quotient = scale.scale;
            least = std::min(least, squaredError(format, scale, values));
        }
        CHECK(squaredError(format, searched(format, values), values) == least);
    }
}

TEST_CASE("four over six: a block of 4 and 3 is exact at 4, one of 6 at 6")
{
    const BlockFormat format = parseBlockFormat("nvfp4-1:search=four-over-six");
    // 4 / 4 = 1 leaves nothing; 4 / 6 is 0.6875 in E4M3, under which 4 is beyond 5 x 0.6875.
    CHECK(searched(format, std::vector<float>{4.0F, 3.0F, 2.0F}).scale == 1.0F);
    CHECK(searched(format, std::vector<float>{6.0F, 4.0F, 1.5F}).scale == 1.0F);
    CHECK(tensorScale(parseBlockFormat("nvfp4:search=four-over-six"), 1536.0F) == 1.0F);
}

TEST_CASE("least squares: the scale is the one that its own integers ask for")
{
    const BlockFormat format = parseBlockFormat("int4-g32:search=least-squares");
    for (unsigned seed = 1; seed < 20; ++seed) {
        const std::vector<float> values = laplace(32, seed);
        const float scale = searched(format, values).scale;
        double products = 0.0;
        double squares = 0.0;
        for (const float value : values) {
            const double level =
                std::clamp(std::nearbyint(static_cast<double>(value / scale)), -8.0, 7.0);
            products += static_cast<double>(value) * level;
            squares += level * level;
        }
        CHECK(static_cast<double>(scale) == Approx(products / squares).epsilon(1e-4));
    }
    // 0.5, 1 and so on are multiples of the first scale, 4 / 8.
    CHECK(searched(format, std::vector<float>{-4.0F, 0.5F, 1.0F}).scale == 0.5F);
}

TEST_CASE("HQQ moves the zero point alone, and never to a larger mean error")
{
    const BlockFormat own = parseBlockFormat("uint4-g64:zero-point=float,zero-in-range=no");
    const BlockFormat hqq = parseBlockFormat("uint4-g64:search=hqq");
    const auto meanError = [&](BlockScale scale, const std::vector<float>& values) {
        std::vector<float> decoded(values.size());
        encodeBlock(own, scale, values, decoded, {});
        double sum = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i)
            sum += std::abs(static_cast<double>(values[i]) - static_cast<double>(decoded[i]));
        return sum;
    };
    double before = 0.0;
    double after = 0.0;
    for (unsigned seed = 1; seed < 20; ++seed) {
        const std::vector<float> values = laplace(64, seed);
        BlockScale start = blockScale(own, peakOf(values), 1.0F);
        const BlockScale found = searched(hqq, values);
        CHECK(found.scale == start.scale);
        start.zeroPoint = std::nearbyint(start.zeroPoint);
        CHECK(meanError(found, values) <= meanError(start, values));
        before += meanError(start, values);
        after += meanError(found, values);
    }
    CHECK(after < 0.99 * before);
}

TEST_CASE("the weighted search of q4_0 and iq4_nl is no worse by its own measure")
{
    for (const char* id : {"q4_0:search=weighted", "q5_0:search=weighted", "iq4_nl"}) {
        const BlockFormat format = parseBlockFormat(id);
        BlockFormat plain = format;
        plain.search = {};
        double found = 0.0;
        double own = 0.0;
        for (unsigned seed = 1; seed < 20; ++seed) {
            std::vector<float> values = laplace(32, seed);
            found += squaredError(format, searched(format, values), values);
            own += squaredError(plain, blockScale(plain, peakOf(values), 1.0F), values);
        }
        INFO(id);
        CHECK(found < own);
    }
    const std::vector<float> zeros(32, 0.0F);
    CHECK(squaredError(parseBlockFormat("iq4_nl"), searched(parseBlockFormat("iq4_nl"), zeros),
                       zeros) == 0.0);
}

TEST_CASE("importance: what counts decides the scale, by squares and by products")
{
    // int2 has -2 to 1. Alike, 16 values of 1 win over one of 1.25 (s = 1); where that one counts a
    // thousand times, s = 1.25 has no error there.
    std::vector<float> values(17, 1.0F);
    values[0] = 1.25F;
    std::vector<float> squares(17, 1.0F);
    squares[0] = 1000.0F;
    const std::string shrink = "int2-g32:search=shrink,grid=5,max-shrink=0.6,norm=2";
    const auto scaleOf = [&](const std::string& id, const ErrorWeights& weights) {
        return BlockSearch(parseBlockFormat(id), 1.0F).scale(peakOf(values), values, weights).scale;
    };
    CHECK(scaleOf(shrink, {}) == 1.0F);
    CHECK(scaleOf(shrink + ",importance=input", {.squares = squares}) == 1.25F);
    // Products of a diagonal are those squares; errors of one sign that inputs of unlike sign take
    // away (H = 1 or -1) do not count: at s = 1.25 all but the first are off by the same.
    std::vector<double> products(17 * 17, 0.0);
    for (std::size_t i = 0; i < 17; ++i)
        products[i * 18] = static_cast<double>(squares[i]);
    const ErrorWeights together{.squares = squares, .products = products, .stride = 17};
    CHECK(scaleOf(shrink + ",importance=hessian", together) == 1.25F);
    std::vector<double> opposite(17 * 17, 0.0);
    for (std::size_t i = 0; i < 17; ++i)
        for (std::size_t j = 0; j < 17; ++j)
            opposite[i * 17 + j] = i == 0 || j == 0   ? (i == j ? 1.0 : 0.0)
                                   : (i + j) % 2 == 0 ? 1.0
                                                      : -1.0;
    const ErrorWeights cancelling{.squares = squares, .products = opposite, .stride = 17};
    CHECK(scaleOf(shrink + ",importance=hessian", cancelling) == 1.25F);
}

TEST_CASE("narrow integers leave the lowest out")
{
    const BlockFormat full = parseBlockFormat("int4-g32:search=multiplier");
    const BlockFormat narrow = parseBlockFormat("int4-g32:levels=narrow");
    const std::vector<float> values{-9.0F, 7.0F, -7.4F};
    std::vector<float> decoded(3);
    const BlockScale one{};
    encodeBlock(narrow, one, values, decoded, {});
    CHECK(decoded == std::vector<float>{-7.0F, 7.0F, -7.0F});
    CHECK(blockEnds(narrow, one).low == -7.0F);
    encodeBlock(full, one, values, decoded, {});
    CHECK(decoded == std::vector<float>{-8.0F, 7.0F, -7.0F});
}

TEST_CASE("odd blocks have finite scales under every search")
{
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::vector<float>> blocks{{0.0F, 0.0F},         {nan, 1.0F, inf}, {nan, nan},
                                                 {1e-45F, -1e-45F},    {3e38F, -3e38F},  {1.0F},
                                                 {-2.0F, -2.0F, -2.0F}};
    for (const char* id :
         {"int4-g32:search=shrink", "int4-g32:search=multiplier", "int4-g32:search=least-squares",
          "uint4-g32:search=shrink", "uint4-g32:search=hqq", "mxfp4:search=sweep",
          "mxfp4:search=shrink", "nvfp4:search=four-over-six", "nvfp4:search=shrink",
          "nvfp4:search=sweep", "q4_0:search=weighted", "iq4_nl"})
        for (const std::vector<float>& block : blocks) {
            const BlockFormat format = parseBlockFormat(id);
            const BlockScale scale = searched(format, block);
            std::vector<float> decoded(block.size());
            encodeBlock(format, scale, block, decoded, {});
            INFO(id << " " << block[0]);
            CHECK(std::isfinite(scale.scale));
            CHECK(std::ranges::all_of(decoded, [](float value) { return std::isfinite(value); }));
        }
}

}  // namespace scale_search_test
