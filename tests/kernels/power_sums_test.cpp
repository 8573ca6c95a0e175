// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/power_sums.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace power_sums_test {

using namespace calibscope;

TEST_CASE("power sums of vectors have the bits of those of values one by one")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(values)) {
            INFO(kind << ", " << cut.size() << " values");
            const auto finite = static_cast<std::uint64_t>(
                std::ranges::count_if(cut, [](float x) { return std::isfinite(x); }));
            CHECK(kernels::powerSums(cut, finite) == kernels::powerSumsPlain(cut, finite));
        }
}

TEST_CASE("power sums of whole numbers are exact")
{
    std::vector<float> values;
    for (int number = 1; number <= 100; ++number)
        values.push_back(static_cast<float>(number));
    const kernels::PowerSums sums = kernels::powerSums(values, values.size());
    CHECK(sums.sum == 5050.0);
    CHECK(sums.sumSquares == 338350.0);
    CHECK(sums.mean == 50.5);
    CHECK(sums.m2 == 83325.0);  // n (n^2 - 1) / 12
    CHECK(sums.m3 == 0.0);
}

}  // namespace power_sums_test
