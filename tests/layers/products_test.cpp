// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/products.h"

#include "tests/support/catch.h"

#include <cstddef>
#include <random>
#include <vector>

namespace products_test {

using namespace calibscope;

TEST_CASE("products are those of three loops, few columns and many, with gaps between rows")
{
    std::mt19937_64 random(3);
    std::uniform_int_distribution<int> whole(-50, 50);
    for (const std::size_t columns : {1U, 3U, 4U, 5U, 40U}) {
        for (const std::size_t rows : {1U, 7U, 64U}) {
            const layers::ProductShape shape{.rows = rows,
                                             .columns = columns,
                                             .depth = 13,
                                             .leftStride = rows + 3,
                                             .resultStride = rows + 2};
            std::vector<double> left(shape.depth * shape.leftStride);
            std::vector<double> right(shape.depth * columns);
            for (auto* all : {&left, &right})
                for (double& value : *all)
                    value = whole(random);
            std::vector<double> result(columns * shape.resultStride, -1.0);
            layers::multiply(left.data(), right.data(), shape, result.data());
            for (std::size_t column = 0; column < columns; ++column)
                for (std::size_t row = 0; row < rows; ++row) {
                    double sum = 0.0;
                    for (std::size_t k = 0; k < shape.depth; ++k)
                        sum += left[k * shape.leftStride + row] * right[k * columns + column];
                    // Sums of small integers are exact in any order.
                    if (result[column * shape.resultStride + row] != sum)
                        FAIL(rows << " x " << columns << " at " << row << ", " << column);
                }
            CHECK(result[rows] == -1.0);  // the gap is left alone
        }
    }
}

TEST_CASE("grams and inverse factors are those of loops")
{
    constexpr std::size_t rows = 6;
    constexpr std::size_t columns = 20;
    constexpr std::size_t stride = 23;
    std::mt19937_64 random(5);
    std::uniform_int_distribution<int> whole(-9, 9);
    std::vector<double> values(rows * stride);
    for (double& value : values)
        value = whole(random);
    std::vector<double> sums(rows * rows, 1.0);
    layers::addGram(values.data(), rows, columns, stride, sums.data());
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < rows; ++column) {
            double sum = 1.0;
            for (std::size_t k = 0; column >= row && k < columns; ++k)
                sum += values[row * stride + k] * values[column * stride + k];
            CHECK(sums[row * rows + column] == sum);  // below the diagonal it stays
        }
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < row; ++column)
            sums[row * rows + column] = sums[column * rows + row];
    std::vector<double> inverse = sums;
    REQUIRE(layers::invertFactor(inverse.data(), rows));
    // L^-1 A L^-T = I
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < rows; ++column) {
            double product = 0.0;
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t k = 0; k < rows; ++k)
                    product +=
                        inverse[row * rows + i] * sums[i * rows + k] * inverse[column * rows + k];
            CHECK(product == test::Approx(row == column ? 1.0 : 0.0).margin(1e-12));
            if (column > row)
                CHECK(inverse[row * rows + column] == 0.0);
        }
    std::vector<double> indefinite{1.0, 2.0, 2.0, 1.0};
    CHECK_FALSE(layers::invertFactor(indefinite.data(), 2));
}

}  // namespace products_test
