// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/float_ends.h"

#include "tests/support/catch.h"
#include "tests/support/each_target.h"
#include "tests/support/kernel_samples.h"

namespace float_ends_test {

using namespace calibscope;

TEST_CASE("ends of vectors are those of values one by one, for all kinds and lengths")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(values)) {
            INFO(kind << ", " << cut.size() << " values");
            CHECK(kernels::floatEnds(cut) == kernels::floatEndsPlain(cut));
        }
}

TEST_CASE("the least of zeros of both signs is not a negative zero")
{
    const std::vector<float> zeros(100, -0.0F);
    const kernels::FloatEnds ends = kernels::floatEnds(zeros);
    CHECK_FALSE(std::signbit(ends.least));
    CHECK_FALSE(std::signbit(ends.greatest));
    CHECK(ends.zeros == 100);
}

TEST_CASE("values that equal one are counted as value by value, for all kinds and lengths")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(values))
            for (const float wanted : {0.0F, -0.0F, -3.25F, 0.125F, 1e30F, values[3]}) {
                INFO(kind << ", " << cut.size() << " values, equal to " << wanted);
                CHECK(kernels::countEqual(cut, wanted) == kernels::countEqualPlain(cut, wanted));
            }
}

TEST_CASE("the largest magnitude but one is that of values one by one, of all kinds and lengths")
{
    test::withEachTarget([] {
        for (const auto& [kind, values] : test::kernelSamples())
            for (const std::span<const float> cut : test::cutsOf(values)) {
                const kernels::FloatEnds ends = kernels::floatEndsPlain(cut);
                for (const float greatest :
                     {std::max(ends.greatest, -ends.least), 0.0F, 1.0F, 1e-40F, 1e30F}) {
                    INFO(kind << ", " << cut.size() << " values, the greatest " << greatest);
                    CHECK(kernels::secondMagnitude(cut, greatest) ==
                          kernels::secondMagnitudePlain(cut, greatest));
                }
            }
    });
}

TEST_CASE("of two values of the largest magnitude one is the largest but one, wherever they lie")
{
    test::withEachTarget([] {
        std::vector<float> values(67, 1.5F);
        values[40] = std::nanf("");
        for (std::size_t first = 0; first < 40; ++first) {
            values[first] = -9.0F;
            CHECK(kernels::secondMagnitude(values, 9.0F) == 1.5F);
            values[66 - first / 2] = 9.0F;
            CHECK(kernels::secondMagnitude(values, 9.0F) == 9.0F);
            values[first] = values[66 - first / 2] = 1.5F;
        }
        CHECK(kernels::secondMagnitude(std::vector<float>{7.0F}, 7.0F) == 0.0F);
    });
}

TEST_CASE("a value that is not finite is found among many that are, wherever it lies")
{
    std::vector<float> values(100, 2.5F);
    for (const float odd : {std::nanf(""), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()})
        for (std::size_t place = 0; place < values.size(); ++place) {
            values[place] = odd;
            CHECK(kernels::floatEnds(values) ==
                  kernels::FloatEnds{
                      .finite = 99, .least = 2.5F, .greatest = 2.5F, .leastMagnitude = 2.5F});
            values[place] = 2.5F;
        }
}

}  // namespace float_ends_test
