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

}  // namespace products_test
