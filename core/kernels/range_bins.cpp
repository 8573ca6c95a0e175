// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/range_bins.h"

#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/range_bins.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void vectorRangeBins(const float* values, std::size_t size, const RangeBins& range,
                     std::uint32_t* bins)
{
    const hn::ScalableTag<float> floats;
    const hn::RebindToSigned<decltype(floats)> whole;
    const auto low = hn::Set(floats, range.low);
    const auto high = hn::Set(floats, range.high);
    const auto width = hn::Set(floats, range.high - range.low);
    const auto count = hn::Set(floats, static_cast<float>(range.count));
    const auto last = hn::Set(whole, static_cast<std::int32_t>(range.count) - 1);
    const auto outside = hn::Set(whole, static_cast<std::int32_t>(range.count));
    const auto infinite = hn::Set(whole, static_cast<std::int32_t>(range.count) + 1);
    auto* room = reinterpret_cast<std::int32_t*>(bins);
    std::size_t index = 0;
    for (; index + hn::Lanes(floats) <= size; index += hn::Lanes(floats)) {
        const auto x = hn::LoadU(floats, values + index);
        const auto place = hn::Mul(hn::Div(hn::Sub(x, low), width), count);
        const auto isInside = hn::And(hn::Ge(x, low), hn::Le(x, high));
        const auto isBelow = hn::And(isInside, hn::Lt(place, count));
        const auto bin =
            hn::IfThenElse(hn::RebindMask(whole, isBelow),
                           hn::ConvertTo(whole, hn::IfThenElseZero(isBelow, place)), last);
        const auto isFinite = hn::RebindMask(whole, hn::IsFinite(x));
        const auto other = hn::IfThenElse(isFinite, outside, infinite);
        hn::StoreU(hn::IfThenElse(hn::RebindMask(whole, isInside), bin, other), whole,
                   room + index);
    }
    rangeBinsPlain({values + index, size - index}, range, {bins + index, size - index});
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorRangeBins);
}

void rangeBins(std::span<const float> values, const RangeBins& range, std::span<std::uint32_t> bins)
{
    HWY_DYNAMIC_DISPATCH(vectorRangeBins)(values.data(), values.size(), range, bins.data());
}

void rangeBinsPlain(std::span<const float> values, const RangeBins& range,
                    std::span<std::uint32_t> bins)
{
    for (std::size_t index = 0; index < values.size(); ++index) {
        const float x = values[index];
        if (x >= range.low && x <= range.high) {
            const auto count = static_cast<float>(range.count);
            const float place = (x - range.low) / (range.high - range.low) * count;
            bins[index] = place < count ? static_cast<std::uint32_t>(place) : range.count - 1;
        } else {
            bins[index] = range.count + (std::isfinite(x) ? 0U : 1U);
        }
    }
}

}  // namespace calibscope::kernels
#endif
