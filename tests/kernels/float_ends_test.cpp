#include "core/kernels/float_ends.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

using namespace calibscope;

TEST_CASE("ends of vectors are those of values one by one, for all kinds and lengths")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(values)) {
            INFO(kind << ", " << cut.size() << " values");
            CHECK(kernels::floatEnds(cut) == kernels::floatEndsPlain(cut));
        }
}

TEST_CASE("the least of zeros of both signs is no negative zero")
{
    const std::vector<float> zeros(100, -0.0F);
    const kernels::FloatEnds ends = kernels::floatEnds(zeros);
    CHECK_FALSE(std::signbit(ends.least));
    CHECK_FALSE(std::signbit(ends.greatest));
    CHECK(ends.atLeast == 100);
    CHECK(ends.zeros == 100);
}
