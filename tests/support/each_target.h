// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/targets.h"
#include "tests/support/catch.h"

namespace calibscope::test {

/// Calls `check` with the kernels of each instruction set that this processor has.
template <typename Check>
void withEachTarget(const Check& check)
{
    for (const std::string& target : kernels::targets()) {
        INFO("instruction set " << target);
        const kernels::UsedTarget used(target);
        check();
    }
}

}  // namespace calibscope::test
