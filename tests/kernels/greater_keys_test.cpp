// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/greater_keys.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace greater_keys_test {

using namespace calibscope;
using kernels::Key;

TEST_CASE("greater keys are kept as value by value, for all kinds, lengths and bounds")
{
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (const auto& [kind, values] : test::kernelSamples())
        for (const Key key : {Key::Magnitude, Key::Value, Key::Negated})
            for (const float bound : {-inf, -1.5F, 0.0F, 1e-39F, 3.0F, 3.25F, 1e30F})
                for (const std::span<const float> cut : test::cutsOf(values)) {
                    INFO(kind << ", " << cut.size() << " values, above " << bound);
                    std::vector<float> keys(cut.size() + kernels::vectorRoom);
                    std::vector<float> plain(keys.size());
                    const auto found = kernels::keepGreater(cut, key, bound, keys);
                    const auto expected = kernels::keepGreaterPlain(cut, key, bound, plain);
                    CHECK(found.finite == expected.finite);
                    keys.resize(found.kept);
                    plain.resize(expected.kept);
                    CHECK(keys == plain);
                }
}

TEST_CASE("keys are magnitudes, values or negated values above the bound")
{
    const std::vector<float> values{2.0F, -5.0F, std::nanf(""), 1.0F, -1.0F};
    const auto keysOf = [&](Key key) {
        std::vector<float> keys(values.size() + kernels::vectorRoom);
        keys.resize(kernels::keepGreater(values, key, 1.0F, keys).kept);
        return keys;
    };
    CHECK(keysOf(Key::Magnitude) == std::vector<float>{2.0F, 5.0F});
    CHECK(keysOf(Key::Value) == std::vector<float>{2.0F});
    CHECK(keysOf(Key::Negated) == std::vector<float>{5.0F});
}

}  // namespace greater_keys_test
