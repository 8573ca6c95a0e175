// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace calibscope::kernels {

/// Names of the instruction sets that the kernels are compiled for and this processor has, the
/// widest first. By themselves they use that. Highway's names, as AVX3 for AVX-512.
[[nodiscard]] std::vector<std::string> targets();
[[nodiscard]] std::string targetInUse();

/// While one lives, all kernels of the process use that instruction set: for tests and
/// measurements. Not to be made or destroyed while kernels run. Throws std::invalid_argument for a
/// name that is none of targets().
class UsedTarget
{
public:
    explicit UsedTarget(std::string_view name);
    ~UsedTarget();
    UsedTarget(const UsedTarget&) = delete;
    UsedTarget& operator=(const UsedTarget&) = delete;
};

}  // namespace calibscope::kernels
