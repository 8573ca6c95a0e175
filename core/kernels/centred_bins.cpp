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

using Singles = hn::ScalableTag<float>;
using Doubles = hn::Repartition<double, Singles>;

/// By the definition's division. `size` is a multiple of the lanes of doubles.
HWY_NOINLINE void divideBins(const float* values, std::size_t size, const CentredBins& centred,
                             std::uint32_t* bins)
{
    const Doubles doubles;
    const hn::Rebind<float, Doubles> floats;
    const hn::Rebind<std::int32_t, Doubles> whole;
    const auto half = hn::Set(doubles, static_cast<double>(centred.half));
    const auto last = hn::Set(doubles, static_cast<double>(centred.half) - 1.0);
    auto* room = reinterpret_cast<std::int32_t*>(bins);
    for (std::size_t index = 0; index < size; index += hn::Lanes(doubles)) {
        const auto x = hn::PromoteTo(doubles, hn::LoadU(floats, values + index));
        const auto below = hn::Floor(hn::Div(x, hn::Set(doubles, centred.width)));
        const auto bin = hn::Min(hn::Max(below, hn::Neg(half)), last);
        hn::StoreU(hn::DemoteTo(whole, hn::Add(bin, half)), whole, room + index);
    }
}

/// Bins by a product in float32, which is within 2^-22 of the quotient, relatively: only where a
/// whole number other than 0 is nearer than twice that values are divided. The width is neither
/// huge nor tiny, `size` a multiple of the lanes.
void nearBins(const float* values, std::size_t size, const CentredBins& centred,
              std::uint32_t* bins)
{
    const Singles singles;
    const hn::RebindToSigned<Singles> whole;
    const std::size_t step = hn::Lanes(singles);
    constexpr float doubt = 0x1p-21F;
    const auto inverse = hn::Set(singles, static_cast<float>(1.0 / centred.width));
    const auto half = hn::Set(singles, static_cast<float>(centred.half));
    const auto last = hn::Set(singles, static_cast<float>(centred.half) - 1.0F);
    const auto minusOne = hn::Set(singles, -1.0F);
    auto* room = reinterpret_cast<std::int32_t*>(bins);
    for (std::size_t index = 0; index < size; index += step) {
        const auto x = hn::LoadU(singles, values + index);
        const auto product = hn::Mul(x, inverse);
        const auto nearest = hn::Round(product);
        const auto isDoubtful = hn::Lt(hn::Abs(hn::Sub(product, nearest)),
                                       hn::Mul(hn::Abs(nearest), hn::Set(singles, doubt)));
        if (HWY_UNLIKELY(!hn::AllFalse(singles, isDoubtful))) {
            divideBins(values + index, step, centred, bins + index);
            continue;
        }
        // A negative value lies below 0 even where its product vanishes.
        const auto floor = hn::Floor(product);
        const auto below =
            hn::IfThenElse(hn::Lt(x, hn::Zero(singles)), hn::Min(floor, minusOne), floor);
        const auto bin = hn::Min(hn::Max(below, hn::Neg(half)), last);
        hn::StoreU(hn::ConvertTo(whole, hn::Add(bin, half)), whole, room + index);
    }
}

void vectorBins(const float* values, std::size_t size, const CentredBins& centred,
                std::uint32_t* bins)
{
    constexpr double leastWidth = 0x1p-100;
    constexpr std::uint32_t mostBins = 1U << 17U;  // of which float32 tells the parts
    const bool isNear = centred.width >= leastWidth && centred.width <= 1.0 / leastWidth &&
                        centred.half <= mostBins;
    const std::size_t count = size - size % hn::Lanes(Singles());
    (isNear ? nearBins : divideBins)(values, count, centred, bins);
    centredBinsPlain({values + count, size - count}, centred, {bins + count, size - count});
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
