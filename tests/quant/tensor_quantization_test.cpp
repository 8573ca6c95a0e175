// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/tensor_quantization.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tensor_quantization_test {

namespace quant_tensor_quantization_test {

using namespace calibscope;

std::vector<float> quantized(const std::vector<float>& values, const TensorQuantization& scale,
                             const ChannelAxis& axis = {})
{
    std::vector<float> results(values.size());
    fakeQuantize(values, scale, axis, results);
    return results;
}

TensorQuantization one(float scale, double zeroPoint = 0.0, int low = -128, int high = 127)
{
    return {
        .scales = {scale}, .zeroPoints = {zeroPoint}, .format = NumberFormat::integers(low, high)};
}

TEST_CASE("half steps go to the even level, and what is beyond the levels to their ends")
{
    CHECK(quantized({0.5F, 1.5F, -0.5F, -2.5F, 126.5F, 500.0F, -500.0F}, one(1.0F)) ==
          std::vector<float>{0, 2, 0, -2, 126, 127, -128});
    // Levels 3 above: from -131 to 124.
    CHECK(quantized({500.0F, -500.0F, 0.4F}, one(1.0F, 3.0)) == std::vector<float>{124, -131, 0});
}

TEST_CASE("neighbours along an axis share a scale where groups are told")
{
    // 4 x 3 in groups of two rows: scales are 2 x 3.
    TensorQuantization columns = one(1.0F);
    columns.axis = 0;
    columns.group = 2;
    columns.scales = {1, 2, 4, 8, 16, 32};
    columns.zeroPoints.assign(6, 0.0);
    const std::vector<std::uint64_t> shape{4, 3};
    CHECK(columns.scaleShape(shape) == std::vector<std::uint64_t>{2, 3});
    const std::vector<float> ofColumns = {13, 13, 13, 5, 5, 5, 13, 13, 13, 5, 5, 5};
    CHECK(quantized(ofColumns, columns, columns.axisIn(shape)) ==
          std::vector<float>{13, 12, 12, 5, 4, 4, 16, 16, 0, 8, 0, 0});
    // The same values where the axis is the last one: 3 x 4, scales 3 x 2.
    TensorQuantization rows = columns;
    rows.axis = 1;
    CHECK(rows.scaleShape(std::vector<std::uint64_t>{3, 4}) == std::vector<std::uint64_t>{3, 2});
    const std::vector<float> ofRows = {13, 5, 13, 5, 13, 5, 13, 5, 13, 5, 13, 5};
    CHECK(quantized(ofRows, rows, rows.axisIn(std::vector<std::uint64_t>{3, 4})) ==
          std::vector<float>{13, 5, 12, 4, 12, 4, 16, 8, 16, 0, 0, 0});
    columns.group = 1;
    CHECK(columns.scaleShape(shape) == std::vector<std::uint64_t>{4});
}

TEST_CASE("values become what QuantizeLinear and DequantizeLinear make of them")
{
    std::mt19937_64 random(5);
    std::normal_distribution<float> normal(0.0F, 2.0F);
    for (const float scale : {0.0173F, 1e-3F, 0.3333F, 1e-40F}) {
        for (const int zeroPoint : {0, -128, 17}) {
            const IntegerScale integers{.scale = scale, .zeroPoint = zeroPoint};
            for (int i = 0; i < 2000; ++i) {
                // Every other one on a half step, as far as float32 has it.
                const float value =
                    i % 2 == 0 ? normal(random) : scale * (static_cast<float>(i % 251) - 125.5F);
                const float expected = fromInteger(integerOf(value, integers), integers);
                if (quantized({value}, one(scale, zeroPoint)).front() != expected)
                    FAIL(value << " under " << scale << " and " << zeroPoint);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("scales along an axis change with its runs")
{
    const TensorQuantization scale{.scales = {1.0F, 10.0F}, .zeroPoints = {0.0, 0.0}, .axis = 1};
    // Shape 2 x 2 x 2, axis 1: runs of two values.
    const std::vector<std::uint64_t> shape{2, 2, 2};
    const ChannelAxis axis = axisWithin(shape, 1);
    CHECK(axis.run == 2);
    CHECK(axis.channels == 2);
    CHECK(quantized({1.2F, 2.2F, 12.0F, 26.0F, 3.3F, 4.4F, 55.0F, 44.0F}, scale, axis) ==
          std::vector<float>{1, 2, 10, 30, 3, 4, 60, 40});  // 5.5 to 6
}

TEST_CASE("a zero point that is not an integer is added before rounding")
{
    TensorQuantization scale = one(0.5F, 0.3);
    scale.roundsWithZeroPoint = true;
    // 1 / 0.5 + 0.3 = 2.3 -> 2 -> 0.5 (2 - 0.3)
    CHECK(quantized({1.0F}, scale).front() == 0.5F * static_cast<float>(2.0 - 0.3));
}

TEST_CASE("NaN stays NaN")
{
    CHECK(std::isnan(quantized({std::numeric_limits<float>::quiet_NaN()}, one(1.0F)).front()));
    CHECK(quantized({}, one(1.0F)).empty());
}

TEST_CASE("a scale that is not finite or not above 0 quantizes nothing")
{
    CHECK(isUsableScale(1e-45F));
    CHECK_FALSE(isUsableScale(0.0F));
    CHECK_FALSE(isUsableScale(-0.5F));
    CHECK_FALSE(isUsableScale(std::numeric_limits<float>::infinity()));
    CHECK_FALSE(isUsableScale(std::numeric_limits<float>::quiet_NaN()));
}

TEST_CASE("one of several scales as integers take it")
{
    const TensorQuantization quantization{.scales = {0.5F, 0.25F},
                                          .zeroPoints = {0.0, -3.0},
                                          .axis = 0,
                                          .format = NumberFormat::integers(-8, 7)};
    const IntegerScale second = quantization.integerScale(1);
    CHECK(second.scale == 0.25F);
    CHECK(second.zeroPoint == -3);
    CHECK(second.low == -8);
    CHECK(second.high == 7);
    const std::vector<std::uint64_t> shape{2, 5};
    CHECK(quantization.axisIn(shape).run == 5);
    CHECK(TensorQuantization{}.axisIn(shape).channels == 1);
}

}  // namespace quant_tensor_quantization_test

}  // namespace tensor_quantization_test
