// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a program's widest instruction sets away, for measuring what processors without them do. CALIBSCOPE_NARROW is the
// name of the widest one that is left, as Highway says it:
//   g++ -std=c++20 -O1 -shared -fPIC narrow_targets.cpp -o libnarrow_targets.so
//   CALIBSCOPE_NARROW=AVX2 LD_PRELOAD=libnarrow_targets.so calib ...
#include <hwy/targets.h>

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace hwy {

// Declared by Highway, whose library has it for all others.
HWY_DLLEXPORT int64_t SupportedTargets()
{
    const auto own =
        reinterpret_cast<int64_t (*)()>(dlsym(RTLD_NEXT, "_ZN3hwy16SupportedTargetsEv"));
    int64_t targets = own();
    const char* widest = std::getenv("CALIBSCOPE_NARROW");
    // The lowest bit is the widest.
    while (widest != nullptr && (targets & (targets - 1)) != 0 &&
           TargetName(targets & -targets) != std::string_view(widest))
        targets &= targets - 1;
    return targets;
}

}  // namespace hwy
