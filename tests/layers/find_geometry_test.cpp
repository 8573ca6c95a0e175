// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/find_geometry.h"

#include "tests/support/catch.h"

#include <random>
#include <vector>

namespace find_geometry_test {

using namespace calibscope;
using layers::FirstSamples;
using layers::LayerShapes;

std::vector<float> gaussian(std::size_t count, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values)
        value = normal(random);
    return values;
}

constexpr double limit = 1e-3;

TEST_CASE("the likeliest geometry is that without dilation, with equal pads and small strides")
{
    const LayerShapes same{
        .op = "Conv", .input = {2, 4, 20, 20}, .weight = {6, 4, 3, 3}, .output = {2, 6, 20, 20}};
    const OpGeometry first = layers::likelyGeometries(same).front();
    CHECK(first.strides == std::vector<std::int64_t>{1, 1});
    CHECK(first.pads == std::vector<std::int64_t>{1, 1, 1, 1});
    CHECK(first.dilations == std::vector<std::int64_t>{1, 1});
    CHECK(first.group == 1);
    LayerShapes half = same;
    half.output = {2, 6, 10, 10};
    CHECK(layers::likelyGeometries(half).front().strides == std::vector<std::int64_t>{2, 2});
    CHECK(layers::likelyGeometries(half).front().pads == std::vector<std::int64_t>{1, 1, 1, 1});
}

TEST_CASE("each geometry that is tried fits the shapes")
{
    for (const LayerShapes& shapes :
         {LayerShapes{
              .op = "Conv", .input = {1, 2, 9, 7}, .weight = {4, 1, 3, 2}, .output = {1, 4, 5, 7}},
          LayerShapes{.op = "ConvTranspose",
          .input = {1, 4, 5, 5},
          .weight = {4, 2, 3, 3},
          .output = {1, 4, 10, 11}},
          LayerShapes{
              .op = "Conv", .input = {1, 1, 640}, .weight = {8, 1, 256}, .output = {1, 8, 4}}}) {
        const std::vector<OpGeometry> all = layers::likelyGeometries(shapes);
        CHECK_FALSE(all.empty());
        CHECK(all.size() <= 400);
        for (const OpGeometry& geometry : all) {
            INFO(layers::geometryText(shapes, geometry));
            CHECK(layers::planLayer(shapes, geometry).whyNot.empty());
        }
    }
}

TEST_CASE("geometry is found for a shifted output, and for none of noise")
{
    // Zeros in front alone: a causal convolution, not the likeliest.
    const LayerShapes shapes{
        .op = "Conv", .input = {2, 1, 30}, .weight = {1, 1, 3}, .output = {2, 1, 30}};
    const std::vector<float> input = gaussian(60, 1);
    const std::vector<float> weight{0.5F, -1.0F, 2.0F};
    std::vector<float> output(60);
    for (std::size_t sample = 0; sample < 2; ++sample)
        for (std::size_t at = 0; at < 30; ++at)
            for (std::size_t tap = 0; tap < 3; ++tap)
                if (at + tap >= 2)
                    output[sample * 30 + at] += weight[tap] * input[sample * 30 + at + tap - 2];
    for (float& value : output)
        value += 3.0F;  // the bias
    const FirstSamples values{.samples = 2, .input = input, .weight = weight, .output = output};
    const auto found = layers::findGeometry(shapes, values, limit);
    REQUIRE(found);
    CHECK(found->pads == std::vector<std::int64_t>{2, 0});
    const std::vector<float> noise = gaussian(60, 2);
    CHECK_FALSE(layers::findGeometry(
        shapes, {.samples = 2, .input = input, .weight = weight, .output = noise}, limit));
}

TEST_CASE("a square weight of a Gemm is turned as the output says")
{
    const LayerShapes shapes{.op = "Gemm", .input = {8, 2}, .weight = {2, 2}, .output = {8, 2}};
    const std::vector<float> input = gaussian(16, 3);
    const std::vector<float> weight{1, 2, 3, 4};
    for (const std::int64_t transposed : {0, 1}) {
        std::vector<float> output(16);
        for (std::size_t row = 0; row < 8; ++row)
            for (std::size_t to = 0; to < 2; ++to)
                for (std::size_t k = 0; k < 2; ++k)
                    output[row * 2 + to] +=
                        input[row * 2 + k] * weight[transposed == 1 ? to * 2 + k : k * 2 + to];
        const auto found = layers::findGeometry(
            shapes, {.samples = 8, .input = input, .weight = weight, .output = output}, limit);
        REQUIRE(found);
        CHECK(found->transB == transposed);
    }
}

TEST_CASE("a Gemm's alpha is found where 1 gives another output, its beta is a constant")
{
    const LayerShapes shapes{.op = "Gemm", .input = {16, 3}, .weight = {2, 3}, .output = {16, 2}};
    const std::vector<float> input = gaussian(48, 5);
    const std::vector<float> weight{1, 2, 3, -4, 5, 6};
    const auto found = [&](float alpha, float noise) {
        const std::vector<float> added = gaussian(32, 6);
        std::vector<float> output(32);
        for (std::size_t row = 0; row < 16; ++row)
            for (std::size_t to = 0; to < 2; ++to) {
                for (std::size_t k = 0; k < 3; ++k)
                    output[row * 2 + to] += alpha * input[row * 3 + k] * weight[to * 3 + k];
                output[row * 2 + to] += 0.5F * static_cast<float>(to) +  // beta times the bias
                                        noise * added[row * 2 + to];
            }
        return layers::findGeometry(
            shapes, {.samples = 16, .input = input, .weight = weight, .output = output}, limit);
    };
    REQUIRE(found(1.0F, 0.0F));
    CHECK_FALSE(found(1.0F, 0.0F)->alpha);
    for (const float alpha : {2.0F, -0.125F}) {
        const auto scaled = found(alpha, 0.0F);
        REQUIRE(scaled);
        CHECK(scaled->transB == 1);
        CHECK(*scaled->alpha == test::Approx(static_cast<double>(alpha)).epsilon(1e-6));
    }
    CHECK(layers::geometryText(shapes, {.transB = 1, .alpha = 2.0}) == "transB 1, alpha 2");
    CHECK_FALSE(found(2.0F, 0.1F));  // another op in between
    CHECK_FALSE(found(0.0F, 0.0F));
}

TEST_CASE("shapes that no layer has, or too large ones, give nothing to try")
{
    const std::uint64_t huge = std::uint64_t{1} << 40U;
    CHECK(layers::likelyGeometries(
              {.op = "Conv", .input = {1, 1, huge}, .weight = {1, 1, huge}, .output = {1, 1, 1}})
              .empty());
    CHECK(layers::likelyGeometries({.op = "Conv", .input = {1}, .weight = {1}, .output = {1}})
              .empty());
    CHECK(layers::likelyGeometries(
              {.op = "Conv", .input = {1, 1, 4}, .weight = {1, 0, 2}, .output = {1, 1, 3}})
              .empty());
}

}  // namespace find_geometry_test
