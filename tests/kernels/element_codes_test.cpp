// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/element_codes.h"
#include "core/kernels/targets.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace element_codes_test {

using namespace calibscope;

TEST_CASE("ends of finite values are those of values one by one, with every instruction set")
{
    for (const std::string& target : kernels::targets()) {
        const kernels::UsedTarget used(target);
        for (const auto& [kind, all] : test::kernelSamples())
            for (const std::span<const float> values : test::cutsOf(all)) {
                INFO(target << ", " << kind << ", " << values.size() << " values");
                CHECK(kernels::finiteEnds(values) == kernels::finiteEndsPlain(values));
            }
    }
}

TEST_CASE("errors of decoded values have the bits of values one by one, with every instruction set")
{
    for (const std::string& target : kernels::targets()) {
        const kernels::UsedTarget used(target);
        for (const auto& [kind, all] : test::kernelSamples()) {
            kernels::CodeErrors errors;
            kernels::CodeErrors plain;
            for (const std::span<const float> values : test::cutsOf(all)) {
                INFO(target << ", " << kind << ", " << values.size() << " values");
                std::vector<float> decoded;
                for (const float value : values)
                    decoded.push_back(
                        std::isfinite(value) ? std::clamp(std::round(value), -2.0F, 2.0F) : 0.0F);
                kernels::addCodeErrors(values, decoded, -2.25F, 2.5F, errors);
                kernels::addCodeErrorsPlain(values, decoded, -2.25F, 2.5F, plain);
                CHECK(errors == plain);
            }
        }
    }
}

TEST_CASE("sums of decoded values by hand")
{
    const std::vector<float> values{3.0F, 0.25F, -1.5F, std::numeric_limits<float>::quiet_NaN()};
    const std::vector<float> decoded{2.0F, 0.0F, -2.0F, 0.0F};
    kernels::CodeErrors errors;
    kernels::addCodeErrors(values, decoded, -2.0F, 2.0F, errors);
    CHECK(errors.finite == 3);
    CHECK(errors.notFinite == 1);
    CHECK(errors.clipped == 1);
    CHECK(errors.flushed == 1);
    CHECK(errors.clipping[0] == 1.0);
    CHECK(errors.rounding[0] == 0.0);
    CHECK(errors.rounding[2] == 0.25);
    CHECK(errors.squares[1] == 0.0625);
    CHECK(errors.squaresDecoded[2] == 4.0);
    CHECK(errors.products[0] == 6.0);
    CHECK(errors.largest[0] == 1.0);
}

}  // namespace element_codes_test
