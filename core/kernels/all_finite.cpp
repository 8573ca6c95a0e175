// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/all_finite.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/all_finite.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

bool vectorAllFinite(const float* values, std::size_t size)
{
    const hn::ScalableTag<float> floats;
    const std::size_t step = hn::Lanes(floats);
    auto sum = hn::Zero(floats);
    std::size_t index = 0;
    for (; index + step <= size; index += step) {
        const auto x = hn::LoadU(floats, values + index);
        sum = hn::Add(sum, hn::Sub(x, x));  // 0, or NaN for ever
    }
    return hn::AllTrue(floats, hn::Eq(sum, hn::Zero(floats))) &&
           allFinitePlain({values + index, size - index});
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorAllFinite);
}

bool allFinite(std::span<const float> values)
{
    return HWY_DYNAMIC_DISPATCH(vectorAllFinite)(values.data(), values.size());
}

bool allFinitePlain(std::span<const float> values)
{
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

}  // namespace calibscope::kernels
#endif
