// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/square_sums.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace square_sums_test {

using namespace calibscope;

TEST_CASE("square sums of vectors have the bits of those of values one by one")
{
    for (const auto& [kind, all] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(all)) {
            INFO(kind << ", " << cut.size() << " values");
            std::vector<float> values;
            std::ranges::copy_if(cut, std::back_inserter(values),
                                 [](float x) { return std::isfinite(x); });
            values.resize(values.size() / 16 * 16);
            CHECK(kernels::squareSums(values) == kernels::squareSumsPlain(values));
        }
}

TEST_CASE("square sums keep what double would round away")
{
    std::vector<float> values(48);
    values[3] = 0x1p30F;
    values[19] = 1.0F;  // of the same lane: 2^60 + 1 + 1 has more than 53 bits
    values[35] = 1.0F;
    const kernels::SquareSums sums = kernels::squareSums(values);
    CHECK(sums.high[3] == 0x1p60);
    CHECK(sums.low[3] == 2.0);
}

}  // namespace square_sums_test
