// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/exact_sum.h"

#include "core/stats/exact_number.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace exact_sum_test {

using namespace calibscope;

/// Doubles of all signs and exponents below 2^1009. The same in Python:
///     s = (s * 6364136223846793005 + 1442695040888963407) % 2**64; bits = s ^ (s >> 29)
std::vector<double> doublesOfAllSizes()
{
    std::vector<double> values;
    for (std::uint64_t state = 7; values.size() < 2000;) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const std::uint64_t bits = state ^ (state >> 29U);
        if ((bits >> 52U & 0x7ffU) < 0x7f0U)
            values.push_back(std::bit_cast<double>(bits));
    }
    return values;
}

double nearest(const ExactSum& sum)
{
    return ExactNumber(sum).over(1, 0);
}

ExactSum sumOf(const std::vector<double>& values)
{
    ExactSum sum;
    for (const double value : values)
        sum.add(value);
    return sum;
}

TEST_CASE("an exact sum of a few values is theirs, whatever cancels")
{
    CHECK(nearest(ExactSum{}) == 0.0);
    CHECK(nearest(sumOf({1.5, -2.25})) == -0.75);
    CHECK(nearest(sumOf({1e300, 1.0, -1e300})) == 1.0);
    CHECK(nearest(sumOf({-1e300, 0x1p-1074, 1e300})) == 0x1p-1074);
    CHECK(sumOf({0.1, -0.1, 0.0, -0.0}) == ExactSum{});
    CHECK(sumOf({-1.0}).isNegative());
    const double most = std::numeric_limits<double>::max();
    CHECK(nearest(sumOf({most, most, -most})) == most);
    CHECK(std::isinf(nearest(sumOf({most, most}))));
}

TEST_CASE("a sum is rounded once, to the nearest double and to the even one of two")
{
    CHECK(nearest(sumOf({1.0, 0x1p-53})) == 1.0);
    CHECK(nearest(sumOf({1.0, 0x1p-53, 0x1p-1074})) == 1.0 + 0x1p-52);
    CHECK(nearest(sumOf({1.0 + 0x1p-52, 0x1p-53})) == 1.0 + 0x1p-51);
    CHECK(nearest(sumOf({-1.0, -0x1p-53, -0x1p-1074})) == -1.0 - 0x1p-52);
}

TEST_CASE("sums and quotients of doubles of all sizes are Python's fractions, rounded once")
{
    // float(sum(map(Fraction, xs))) and float(sum(...) / d), Python 3.11
    const std::vector<double> values = doublesOfAllSizes();
    const ExactNumber sum(sumOf(values));
    CHECK(sum.over(1, 0) == -0x1.aa2aee948ba57p+1007);
    CHECK(sum.over(3, 1) == -0x1.1c1c9f0db26e5p+1006);
    CHECK(sum.over(1000000000000000007U, 3) == -0x1.468cd038c8d79p+828);

    std::vector<double> small;
    std::ranges::copy_if(values, std::back_inserter(small),
                         [](double value) { return std::abs(value) < 1e-290; });
    REQUIRE(small.size() == 68);
    const ExactNumber smallSum(sumOf(small));
    CHECK(smallSum.over(1, 0) == -0x1.17044a446cc21p-967);
    CHECK(smallSum.over((std::uint64_t{1} << 63U) + 5, 1) == -0x0.0117044a446ccp-1022);
}

TEST_CASE("any order and grouping of an exact sum is equal to the bit")
{
    std::vector<double> values = doublesOfAllSizes();
    const ExactSum expected = sumOf(values);
    std::mt19937 engine(5);
    for (int round = 0; round < 20; ++round) {
        std::ranges::shuffle(values, engine);
        std::vector<ExactSum> groups(1 + engine() % 9);
        for (const double value : values)
            groups[engine() % groups.size()].add(value);
        std::ranges::shuffle(groups, engine);
        ExactSum sum;
        for (const ExactSum& group : groups)
            sum += group;
        REQUIRE(sum == expected);
    }
    CHECK(ExactSum(expected.words()) == expected);
}

}  // namespace exact_sum_test
