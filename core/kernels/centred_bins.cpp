// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/centred_bins.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/centred_bins.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;

/// Whole parts below x / width. The product with the inverse is within 2^-51 of the quotient,
/// relatively, so only places so near to a whole number other than 0 are divided.
hn::Vec<Doubles> floorsOf(hn::Vec<Doubles> x, hn::Vec<Doubles> width, hn::Vec<Doubles> inverse)
{
    const Doubles doubles;
    constexpr double doubt = 0x1p-49;
    const auto place = hn::Mul(x, inverse);
    const auto nearest = hn::Round(place);
    const auto isDoubtful = hn::Lt(hn::Abs(hn::Sub(place, nearest)),
                                   hn::Mul(hn::Abs(nearest), hn::Set(doubles, doubt)));
    if (HWY_LIKELY(hn::AllFalse(doubles, isDoubtful)))
        return hn::Floor(place);
    return hn::Floor(hn::Div(x, width));
}

void vectorBins(const float* values, std::size_t size, const CentredBins& centred,
                std::uint32_t* bins)
{
    const Doubles doubles;
    const hn::Rebind<float, Doubles> floats;
    const hn::Rebind<std::int32_t, Doubles> whole;
    const std::size_t step = hn::Lanes(doubles);
    const auto width = hn::Set(doubles, centred.width);
    const auto inverse = hn::Set(doubles, 1.0 / centred.width);
    const auto half = hn::Set(doubles, static_cast<double>(centred.half));
    const auto last = hn::Set(doubles, static_cast<double>(centred.half) - 1.0);
    auto* room = reinterpret_cast<std::int32_t*>(bins);
    std::size_t index = 0;
    for (; index + step <= size; index += step) {
        const auto x = hn::PromoteTo(doubles, hn::LoadU(floats, values + index));
        const auto place = hn::Min(hn::Max(floorsOf(x, width, inverse), hn::Neg(half)), last);
        hn::StoreU(hn::DemoteTo(whole, hn::Add(place, half)), whole, room + index);
    }
    centredBinsPlain({values + index, size - index}, centred, {bins + index, size - index});
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorBins);
}

void centredBins(std::span<const float> values, const CentredBins& centred,
                 std::span<std::uint32_t> bins)
{
    // The inverse of a width near either end of doubles is not exact to its last bit.
    constexpr double leastWidth = 0x1p-1000;
    if (centred.width < leastWidth || centred.width > 1.0 / leastWidth)
        return centredBinsPlain(values, centred, bins);
    HWY_DYNAMIC_DISPATCH(vectorBins)(values.data(), values.size(), centred, bins.data());
}

void centredBinsPlain(std::span<const float> values, const CentredBins& centred,
                      std::span<std::uint32_t> bins)
{
    const double half = static_cast<double>(centred.half);
    for (std::size_t index = 0; index < values.size(); ++index) {
        const double place = std::floor(static_cast<double>(values[index]) / centred.width);
        bins[index] = static_cast<std::uint32_t>(std::clamp(place, -half, half - 1.0) + half);
    }
}

}  // namespace calibscope::kernels
#endif
