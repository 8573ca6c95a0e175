// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/sorted_values.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace sorted_values_test {

using namespace calibscope;
using calibscope::test::Approx;

std::vector<float> mixed(std::size_t count)
{
    std::mt19937 engine(31);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(count);
    for (float& value : values)
        value = std::ldexp(normal(engine), static_cast<int>(engine() % 200) - 120);
    return values;
}

TEST_CASE("sorting by bits is sorting by value, with a copy and in place")
{
    for (const std::size_t count : {0U, 1U, 2U, 100U, 5000U})
        for (const bool withCopy : {true, false}) {
            std::vector<float> values = mixed(count);
            std::vector<float> expected = values;
            std::ranges::sort(expected);
            sortFloats(values, withCopy);
            CHECK(values == expected);
        }
    std::vector<float> ends = {3.4e38F, 0.0F, 1e-45F, -1e-45F, -0.0F, -3.4e38F};
    ends.resize(4000, 0.0F);  // enough for the sort with a copy
    sortFloats(ends, true);
    CHECK(ends.front() == -3.4e38F);
    CHECK(ends[1] == -1e-45F);
    CHECK(std::signbit(ends[2]));
    CHECK(ends.back() == 3.4e38F);
    CHECK(std::ranges::is_sorted(ends));
}

TEST_CASE("sums before each place are those of the values before it")
{
    const SortedValues sorted({3.0F, -1.5F, 0.25F, 2.0F});
    CHECK(sorted.before(0).values.value() == 0.0);
    CHECK(sorted.before(1).values.value() == -1.5);
    CHECK(sorted.before(2).values.value() == -1.25);
    CHECK(sorted.before(4).values.value() == 3.75);
    CHECK(sorted.before(4).squares.value() == 9.0 + 2.25 + 0.0625 + 4.0);
    for (const std::size_t count : {31U, 32U, 33U, 64U, 1000U}) {
        std::vector<float> values(count);
        for (std::size_t index = 0; index < count; ++index)
            values[index] = static_cast<float>(index + 1);
        const SortedValues whole(values);
        const double n = static_cast<double>(count);
        CHECK(whole.before(count).values.value() == n * (n + 1.0) / 2.0);
        CHECK(whole.before(count - 1).values.value() == n * (n - 1.0) / 2.0);
        CHECK(whole.before(count).squares.value() == n * (n + 1.0) * (2.0 * n + 1.0) / 6.0);
    }
}

TEST_CASE("a compensated sum keeps what a double loses, whatever the order")
{
    CompensatedSum sum;
    for (const double term : {1e17, 1.0, -1e17, 1e-9})
        sum.add(term);
    CHECK(sum.value() == 1.000000001);

    std::vector<float> values = mixed(3000);
    const auto total = [&] {
        CompensatedSum all;
        for (const float value : values)
            all.add(static_cast<double>(value));
        return all.value();
    };
    const double before = total();
    std::ranges::shuffle(values, std::mt19937(4));
    CHECK(total() == before);
}

TEST_CASE("products and multiples enter a compensated sum without rounding")
{
    CompensatedSum product;
    product.addProduct(1.0 + 0x1p-52, 1.0 + 0x1p-52);  // 1 + 2^-51 + 2^-104
    product.add(-1.0);
    product.add(-0x1p-51);
    CHECK(product.value() == 0x1p-104);

    CompensatedSum third(1.0);
    third.add(0x1p-60);
    CompensatedSum multiple;
    multiple.addTimes(3.0, third);
    multiple.add(-3.0);
    CHECK(multiple.value() == 3.0 * 0x1p-60);
    multiple.subtract(third);
    CHECK(multiple.value() == -1.0 + 2.0 * 0x1p-60);
}

}  // namespace sorted_values_test
