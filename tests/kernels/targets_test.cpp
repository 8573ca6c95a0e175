// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/targets.h"

#include "tests/support/catch.h"

#include <hwy/nanobenchmark.h>

#include <stdexcept>

namespace targets_test {

using namespace calibscope;

TEST_CASE("kernels use the widest instruction set, and any other one while that is asked for")
{
    const std::vector<std::string> all = kernels::targets();
    REQUIRE_FALSE(all.empty());
    CHECK(kernels::targetInUse() == all.front());
    for (const std::string& name : all) {
        const kernels::UsedTarget used(name);
        CHECK(kernels::targetInUse() == name);
    }
    CHECK(kernels::targetInUse() == all.front());
}

TEST_CASE("an instruction set that the processor has not is refused")
{
    CHECK_THROWS_AS(kernels::UsedTarget("AVX9"), std::invalid_argument);
    CHECK(kernels::targetInUse() == kernels::targets().front());
}

TEST_CASE("a program does not measure Highway's clock when it starts")
{
    CHECK(hwy::platform::TimerResolution() == 1);  // ours; Highway's takes 3 ms and finds more
}

}  // namespace targets_test
