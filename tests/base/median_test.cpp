// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/median.h"

#include "tests/support/catch.h"

#include <limits>

namespace median_test {

using namespace calibscope;

TEST_CASE("a median is the middle value, or the mean of both in the middle")
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(medianOf({}) == 0.0);
    CHECK(medianOf({3.0}) == 3.0);
    CHECK(medianOf({3.0, 1.0, 2.0}) == 2.0);
    CHECK(medianOf({4.0, 1.0, 3.0, 2.0}) == 2.5);
    CHECK(medianOf({infinity, infinity}) == infinity);
    CHECK(middleOf({4.0, 1.0, 3.0, 2.0}).lower == 2.0);
    CHECK(middleOf({4.0, 1.0, 3.0, 2.0}).upper == 3.0);
}

}  // namespace median_test
