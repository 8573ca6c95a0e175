// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/weight_rounding.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

namespace weight_rounding_test {

using namespace calibscope;
using namespace calibscope::layers;
using test::Approx;

using Matrix = std::vector<std::vector<double>>;

/// By Gauss and Jordan.
Matrix inverse(Matrix matrix)
{
    const std::size_t size = matrix.size();
    Matrix result(size, std::vector<double>(size, 0.0));
    for (std::size_t i = 0; i < size; ++i)
        result[i][i] = 1.0;
    for (std::size_t pivot = 0; pivot < size; ++pivot) {
        const double by = matrix[pivot][pivot];
        for (std::size_t k = 0; k < size; ++k) {
            matrix[pivot][k] /= by;
            result[pivot][k] /= by;
        }
        for (std::size_t row = 0; row < size; ++row) {
            const double times = matrix[row][pivot];
            for (std::size_t k = 0; row != pivot && k < size; ++k) {
                matrix[row][k] -= times * matrix[pivot][k];
                result[row][k] -= times * result[pivot][k];
            }
        }
    }
    return result;
}

/// A product of P rows with K columns, and M channels; the last column is 0 in all rows.
struct Product
{
    static constexpr std::size_t depth = 9;
    static constexpr std::size_t channels = 5;
    static constexpr std::size_t rows = 40;
    std::vector<float> weight = std::vector<float>(channels * depth);
    Matrix gram = Matrix(depth, std::vector<double>(depth, 0.0));
    LayerPlan plan;
    InputGrams grams{.depth = depth, .rows = rows, .sums = {}};
    AppliedScale scale;

    Product()
    {
        std::mt19937_64 random(11);
        std::normal_distribution<double> normal;
        for (std::size_t row = 0; row < rows; ++row) {
            std::vector<double> x(depth);
            const double common = normal(random);
            for (std::size_t k = 0; k + 1 < depth; ++k)
                x[k] = (common + 0.3 * normal(random)) * (1.0 + 0.2 * static_cast<double>(k));
            for (std::size_t i = 0; i < depth; ++i)
                for (std::size_t k = 0; k < depth; ++k)
                    gram[i][k] += x[i] * x[k];
        }
        for (const std::vector<double>& line : gram)
            grams.sums.insert(grams.sums.end(), line.begin(), line.end());
        for (float& value : weight)
            value = static_cast<float>(normal(random));
        plan.outers = depth;
        plan.channelsPerGroup = channels;
        plan.weightOuter = 1;
        plan.weightChannel = depth;
        plan.weightValues = weight.size();
        scale.scale = {.axis = 0, .format = NumberFormat::integers(-7, 7)};
        scale.axis = {.run = depth, .channels = channels};
        for (std::size_t channel = 0; channel < channels; ++channel) {
            float most = 0.0F;
            for (std::size_t k = 0; k < depth; ++k)
                most = std::max(most, std::abs(weight[channel * depth + k]));
            scale.scale.scales.push_back(most / 7.0F);
            scale.scale.zeroPoints.push_back(0.0);
        }
    }

    [[nodiscard]] std::vector<float> values(const std::vector<std::int16_t>& integers) const
    {
        return dequantized(integers, scale.scale, scale.axis);
    }

    /// Its error at the output, d H d^T, of all channels.
    [[nodiscard]] double error(const std::vector<float>& values, double damping = 0.0) const
    {
        double mean = 0.0;
        for (std::size_t k = 0; k < depth; ++k)
            mean += gram[k][k] / static_cast<double>(depth);
        double sum = 0.0;
        for (std::size_t channel = 0; channel < channels; ++channel)
            for (std::size_t i = 0; i < depth; ++i)
                for (std::size_t k = 0; k < depth; ++k) {
                    const auto difference = [&](std::size_t column) {
                        return static_cast<double>(values[channel * depth + column]) -
                               static_cast<double>(weight[channel * depth + column]);
                    };
                    sum += difference(i) * difference(k) *
                           (gram[i][k] + (i == k ? damping * mean : 0.0));
                }
        return sum;
    }

    /// Column after column is taken out, with the inverse of what is left of A.
    [[nodiscard]] std::vector<std::int16_t> byInverses() const
    {
        std::vector<std::int16_t> integers(weight.size());
        std::vector<std::size_t> order(depth);
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, std::greater{}, [&](std::size_t k) { return gram[k][k]; });
        double mean = 0.0;
        for (std::size_t k = 0; k < depth; ++k)
            mean += gram[k][k] / rows / static_cast<double>(depth);
        for (std::size_t channel = 0; channel < channels; ++channel) {
            std::vector<double> values(
                weight.begin() + static_cast<std::ptrdiff_t>(channel * depth),
                weight.begin() + static_cast<std::ptrdiff_t>((channel + 1) * depth));
            const auto step = static_cast<double>(scale.scale.scales[channel]);
            for (std::size_t done = 0; done < depth; ++done) {
                Matrix left;
                for (std::size_t i = done; i < depth; ++i) {
                    std::vector<double>& line = left.emplace_back();
                    for (std::size_t k = done; k < depth; ++k)
                        line.push_back(gram[order[i]][order[k]] / rows +
                                       (i == k ? roundingDamping * mean : 0.0));
                }
                const Matrix inverted = inverse(left);
                const std::size_t column = order[done];
                const double number = std::clamp(std::nearbyint(values[column] / step), -7.0, 7.0);
                integers[channel * depth + column] = static_cast<std::int16_t>(number);
                const double error = values[column] - step * number;
                for (std::size_t k = done; k < depth; ++k)
                    values[order[k]] -= error * inverted[0][k - done] / inverted[0][0];
            }
        }
        return integers;
    }
};

TEST_CASE("weights are rounded as if column after column were taken out of the inverse")
{
    const Product product;
    const std::vector<std::int16_t> integers =
        roundedByGrams(product.plan, product.grams, product.weight, product.scale);
    CHECK(integers == product.byInverses());
    std::vector<float> nearest(product.weight.size());
    fakeQuantize(product.weight, product.scale.scale, product.scale.axis, nearest);
    const std::vector<float> values = product.values(integers);
    CHECK(values != nearest);
    CHECK(product.error(values, roundingDamping) < product.error(nearest, roundingDamping));
    // Nothing that a dead column takes is known.
    for (std::size_t channel = 0; channel < Product::channels; ++channel) {
        const std::size_t dead = channel * Product::depth + Product::depth - 1;
        CHECK(values[dead] == nearest[dead]);
    }
}

TEST_CASE("columns that do not belong together are rounded to nearest")
{
    Product product;
    for (std::size_t i = 0; i < Product::depth; ++i)
        for (std::size_t k = 0; k < Product::depth; ++k)
            product.grams.sums[i * Product::depth + k] = i == k ? 1.0 : 0.0;
    std::vector<float> nearest(product.weight.size());
    fakeQuantize(product.weight, product.scale.scale, product.scale.axis, nearest);
    const std::vector<std::int16_t> integers =
        roundedByGrams(product.plan, product.grams, product.weight, product.scale);
    CHECK(product.values(integers) == nearest);
    std::ranges::fill(product.grams.sums, 0.0);
    CHECK(roundedByGrams(product.plan, product.grams, product.weight, product.scale) == integers);
}

TEST_CASE("zero points and groups of rounded weights")
{
    Product product;
    product.scale.scale.format = NumberFormat::integers(-8, 7);
    std::ranges::fill(product.scale.scale.zeroPoints, -1.0);
    const std::vector<std::int16_t> integers =
        roundedByGrams(product.plan, product.grams, product.weight, product.scale);
    CHECK(std::ranges::all_of(integers, [](int one) { return one >= -8 && one <= 7; }));
    const float step = product.scale.scale.scales[0];
    CHECK(product.values(integers)[0] == step * static_cast<float>(integers[0] + 1));
    // A scale for every third column: those of all values but for that.
    product.scale.scale = {.axis = 1, .group = 3, .format = NumberFormat::integers(-7, 7)};
    product.scale.scale.scales.assign(15, 0.25F);
    product.scale.scale.zeroPoints.assign(15, 0.0);
    product.scale.scale.scales[1] = 2.0F;
    const std::vector<std::uint64_t> shape{Product::channels, Product::depth};
    product.scale.axis = product.scale.scale.axisIn(shape);
    const std::vector<float> values =
        product.values(roundedByGrams(product.plan, product.grams, product.weight, product.scale));
    CHECK(std::fmod(values[3], 2.0F) == 0.0F);
    CHECK(std::fmod(values[6], 0.25F) == 0.0F);
    CHECK(clippedScales(product.plan, product.grams, product.weight, product.scale) ==
          product.scale.scale.scales);
}

TEST_CASE("each scale takes the fraction with the least error at the output")
{
    const Product product;
    const std::vector<float> clipped =
        clippedScales(product.plan, product.grams, product.weight, product.scale);
    Product tried = product;
    for (std::size_t channel = 0; channel < Product::channels; ++channel) {
        double least = 0.0;
        float best = 0.0F;
        for (int step = 40; step >= 16; --step) {
            tried.scale.scale.scales = clipped;
            const float one = static_cast<float>(
                static_cast<double>(product.scale.scale.scales[channel]) * step / 40);
            tried.scale.scale.scales[channel] = one;
            std::vector<float> values(product.weight.size());
            fakeQuantize(product.weight, tried.scale.scale, tried.scale.axis, values);
            const double error = product.error(values);
            if (best == 0.0F || error < least * (1.0 - 1e-12)) {
                least = error;
                best = one;
            }
        }
        CHECK(clipped[channel] == best);
    }
}

}  // namespace weight_rounding_test
