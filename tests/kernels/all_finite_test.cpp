// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/all_finite.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace all_finite_test {

using namespace calibscope;

TEST_CASE("vectors are all finite where values one by one are, for all kinds and lengths")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(values)) {
            INFO(kind << ", " << cut.size() << " values");
            CHECK(kernels::allFinite(cut) == kernels::allFinitePlain(cut));
        }
}

TEST_CASE("one value that is not finite is found wherever it is")
{
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float most = std::numeric_limits<float>::max();
    const std::vector<float> finite(67, most);
    CHECK(kernels::allFinite(finite));
    for (const float odd : {inf, -inf, std::nanf("")})
        for (std::size_t place = 0; place < finite.size(); ++place) {
            std::vector<float> values = finite;
            values[place] = odd;
            CHECK_FALSE(kernels::allFinite(values));
        }
}

}  // namespace all_finite_test
