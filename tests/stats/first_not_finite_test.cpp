// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/first_not_finite.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace first_not_finite_test {

using namespace calibscope;

constexpr float inf = std::numeric_limits<float>::infinity();
const float notANumber = std::nanf("");

/// The values added in blocks of a given size.
FirstNotFinite firstOf(const std::vector<float>& values, std::size_t blockSize)
{
    FirstNotFinite first;
    for (std::size_t start = 0; start < values.size(); start += blockSize) {
        const std::span block =
            std::span(values).subspan(start, std::min(blockSize, values.size() - start));
        Extents counts;
        counts.add(block);
        first.add(block, start, counts);
    }
    return first;
}

TEST_CASE("nothing is first where all is finite, or nothing is there")
{
    CHECK(firstOf({}, 1) == FirstNotFinite{});
    CHECK(firstOf({0.0F, -1.0F, std::numeric_limits<float>::max()}, 2) == FirstNotFinite{});
}

TEST_CASE("the first NaN and the first infinity of either sign, whatever the blocks")
{
    const std::vector<float> values{1.0F, -inf, 2.0F, notANumber, inf, notANumber, 3.0F};
    for (std::size_t blockSize = 1; blockSize <= values.size(); ++blockSize) {
        CHECK(firstOf(values, blockSize).nan == 3U);
        CHECK(firstOf(values, blockSize).infinite == 1U);
    }
    CHECK(firstOf({1.0F, inf}, 1).nan == std::nullopt);
    CHECK(firstOf({-notANumber}, 1).nan == 0U);
    CHECK(firstOf({-notANumber}, 1).infinite == std::nullopt);
}

TEST_CASE("an index beyond 32 bits stays whole")
{
    const std::vector<float> values{0.0F, notANumber};
    Extents counts;
    counts.add(values);
    FirstNotFinite first;
    first.add(values, std::uint64_t{1} << 33, counts);
    CHECK(first.nan == (std::uint64_t{1} << 33) + 1);
}

}  // namespace first_not_finite_test
