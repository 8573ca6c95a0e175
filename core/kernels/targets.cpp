// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/targets.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/targets.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

std::int64_t ownTarget()
{
    return HWY_TARGET;
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(ownTarget);
}

std::vector<std::string> targets()
{
    std::vector<std::string> names;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())  // the widest first
        names.emplace_back(hwy::TargetName(target));
    return names;
}

std::string targetInUse()
{
    return hwy::TargetName(HWY_DYNAMIC_DISPATCH(ownTarget)());
}

UsedTarget::UsedTarget(std::string_view name)
{
    const std::vector<std::int64_t> all = hwy::SupportedAndGeneratedTargets();
    const auto found = std::ranges::find_if(
        all, [&](std::int64_t target) { return hwy::TargetName(target) == name; });
    if (found == all.end())
        throw std::invalid_argument(std::string(name) + ": not compiled, or not of this processor");
    hwy::GetChosenTarget().Update(*found);
}

UsedTarget::~UsedTarget()
{
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace calibscope::kernels
#endif
