// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/sample_extremes.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <vector>

namespace sample_extremes_test {

using namespace calibscope;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Samples of two values, in blocks of so many.
std::optional<SampleExtreme> extremeOf(const std::vector<float>& values, std::size_t block)
{
    TensorInfo info;
    info.shape = {values.size() / 2, 2};
    info.batchAxis = 0;
    ValueSource source{.info = info, .visit = {}};
    source.visit = [&](const BlockVisitor& visitor, const Progress&) {
        for (std::size_t first = 0; first < values.size(); first += block)
            visitor(
                {.values = std::span(values).subspan(first, std::min(block, values.size() - first)),
                 .firstIndex = first});
    };
    return sampleExtreme(source);
}

TEST_CASE("the sample of the largest magnitude is found, and the largest of the others")
{
    for (const std::size_t block : {1U, 2U, 3U, 5U, 8U}) {
        const auto found = extremeOf({1.0F, -2.0F, 3.0F, -7.0F, 6.0F, 0.0F, -5.0F, 6.5F}, block);
        REQUIRE(found);
        CHECK(found->sample == 1);
        CHECK(found->index == 3);
        CHECK(found->value == -7.0);
        CHECK(found->others == 6.5);
        // The second one before the first; both ends of a sample.
        const auto last = extremeOf({4.0F, 1.0F, 0.0F, 0.0F, 8.0F, -9.0F}, block);
        CHECK(last->sample == 2);
        CHECK(last->index == 5);
        CHECK(last->others == 4.0);
    }
}

TEST_CASE("of equal samples the first one is named, and the others reach as far")
{
    const auto found = extremeOf({0.0F, 6.0F, -6.0F, 1.0F}, 4);
    CHECK(found->sample == 0);
    CHECK(found->index == 1);
    CHECK(found->others == 6.0);
}

TEST_CASE("NaN and infinite values are no extremes; without others there is no range")
{
    const float nan = std::nanf("");
    const auto found = extremeOf({nan, infinity, -1.0F, nan, -infinity, nan}, 2);
    REQUIRE(found);
    CHECK(found->sample == 1);
    CHECK(found->value == -1.0);
    CHECK_FALSE(found->others);
    CHECK_FALSE(extremeOf({nan, infinity}, 2));
    CHECK_FALSE(extremeOf({}, 2));
    const auto zeros = extremeOf({0.0F, 0.0F, 0.0F, 0.0F}, 2);
    CHECK(zeros->value == 0.0);
    CHECK(zeros->others == 0.0);
}

}  // namespace sample_extremes_test
