// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/bin_indices.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/bin_indices.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef CALIBSCOPE_BIN_INDICES_PLAIN
#define CALIBSCOPE_BIN_INDICES_PLAIN
namespace calibscope::kernels {

inline std::uint32_t binOf(float value, const EqualBins& equal)
{
    const double x = static_cast<double>(equal.ofMagnitude ? std::abs(value) : value);
    const double position = std::max((x - equal.low) / equal.width, 0.0);
    return static_cast<std::uint32_t>(std::min(position, static_cast<double>(equal.count - 1)));
}

/// Whether distances from `low` and the width's inverse keep their precision in float32, and few
/// places are as near to a whole number as the product is off.
inline bool isWithinSingles(const EqualBins& equal)
{
    constexpr double least = 0x1p-120;
    constexpr double greatest = 0x1p120;
    constexpr std::uint32_t mostBins = 1U << 18;
    return static_cast<double>(static_cast<float>(equal.low)) == equal.low &&
           std::abs(equal.low) <= greatest && equal.width >= least && equal.count <= mostBins &&
           equal.width * equal.count <= greatest;
}

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Singles = hn::ScalableTag<float>;
using Whole = hn::RebindToSigned<Singles>;

/// Bins as doubles by one division for each value.
struct DividedBins
{
    double low;
    double width;
    double last;

    HWY_INLINE hn::Vec<Whole> operator()(hn::Vec<Singles> x, hn::Mask<Singles> /*isKept*/) const
    {
        const Doubles doubles;
        const hn::Rebind<float, Doubles> floats;
        const hn::Rebind<std::int32_t, Doubles> whole;
        HWY_ALIGN float values[HWY_MAX_BYTES / sizeof(float)];
        HWY_ALIGN std::int32_t bins[HWY_MAX_BYTES / sizeof(float)];
        hn::Store(x, Singles(), values);
        for (std::size_t lane = 0; lane < hn::Lanes(Singles()); lane += hn::Lanes(doubles)) {
            const auto distance = hn::Sub(hn::PromoteTo(doubles, hn::Load(floats, values + lane)),
                                          hn::Set(doubles, low));
            const auto place = hn::Div(distance, hn::Set(doubles, width));
            const auto limited = hn::Min(hn::Max(place, hn::Zero(doubles)), hn::Set(doubles, last));
            hn::Store(hn::DemoteTo(whole, limited), whole, bins + lane);
        }
        return hn::Load(Whole(), bins);
    }
};

/// Bins by a product in float32. Three roundings of at most 2^-24 make it, so it is within 2^-22 of
/// the quotient, relatively: only where a whole number is nearer than that all lanes are divided.
struct NearBins
{
    float low;
    float inverse;
    float last;
    DividedBins divided;

    HWY_INLINE hn::Vec<Whole> operator()(hn::Vec<Singles> x, hn::Mask<Singles> isKept) const
    {
        const Singles singles;
        constexpr float doubt = 0x1p-21F;
        const auto place = hn::Mul(hn::Sub(x, hn::Set(singles, low)), hn::Set(singles, inverse));
        const auto nearest = hn::Round(place);
        const auto isDoubtful =
            hn::Lt(hn::Abs(hn::Sub(place, nearest)), hn::Mul(nearest, hn::Set(singles, doubt)));
        if (!hn::AllFalse(singles, hn::And(isDoubtful, isKept)))
            return divided(x, isKept);
        const auto limited = hn::Min(hn::Max(place, hn::Zero(singles)), hn::Set(singles, last));
        return hn::ConvertTo(Whole(), limited);
    }
};

template <bool ofMagnitude>
KeptPatterns vectorBinsOf(const float* values, std::size_t size, const EqualBins& equal,
                          const auto& binsOf, std::uint32_t* bins)
{
    constexpr std::size_t ahead = 1024;  // that far what comes is fetched
    const Singles singles;
    const Whole whole;
    const std::size_t step = hn::Lanes(singles);
    auto* room = reinterpret_cast<std::int32_t*>(bins);
    KeptPatterns result;
    std::size_t index = 0;
    for (; index + step <= size; index += step) {
        hwy::Prefetch(values + index + ahead);
        auto x = hn::LoadU(singles, values + index);
        const auto isZero = hn::Eq(x, hn::Zero(singles));
        const auto isKept = hn::AndNot(isZero, hn::IsFinite(x));
        if constexpr (ofMagnitude)
            x = hn::Abs(x);
        const auto found = binsOf(x, isKept);
        const std::size_t kept = hn::CountTrue(singles, isKept);
        if (kept == step) {
            hn::StoreU(found, whole, room + result.kept);
        } else {
            hn::StoreU(hn::Compress(found, hn::RebindMask(whole, isKept)), whole,
                       room + result.kept);
            result.zeros += hn::CountTrue(singles, isZero);
        }
        result.kept += kept;
    }
    for (; index < size; ++index) {
        const float value = values[index];
        if (value == 0.0F)
            ++result.zeros;
        else if (std::isfinite(value))
            bins[result.kept++] = binOf(value, equal);
    }
    return result;
}

KeptPatterns vectorBins(const float* values, std::size_t size, const EqualBins& equal,
                        std::uint32_t* bins)
{
    const double last = static_cast<double>(equal.count - 1);
    const DividedBins divided{.low = equal.low, .width = equal.width, .last = last};
    if (!isWithinSingles(equal))
        return equal.ofMagnitude ? vectorBinsOf<true>(values, size, equal, divided, bins)
                                 : vectorBinsOf<false>(values, size, equal, divided, bins);
    const NearBins near{.low = static_cast<float>(equal.low),
                        .inverse = static_cast<float>(1.0 / equal.width),
                        .last = static_cast<float>(last),
                        .divided = divided};
    return equal.ofMagnitude ? vectorBinsOf<true>(values, size, equal, near, bins)
                             : vectorBinsOf<false>(values, size, equal, near, bins);
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorBins);
}

KeptPatterns binIndices(std::span<const float> values, const EqualBins& equal,
                        std::span<std::uint32_t> bins)
{
    return HWY_DYNAMIC_DISPATCH(vectorBins)(values.data(), values.size(), equal, bins.data());
}

KeptPatterns binIndicesPlain(std::span<const float> values, const EqualBins& equal,
                             std::span<std::uint32_t> bins)
{
    KeptPatterns result;
    for (const float value : values) {
        if (value == 0.0F)
            ++result.zeros;
        else if (std::isfinite(value))
            bins[result.kept++] = binOf(value, equal);
    }
    return result;
}

}  // namespace calibscope::kernels
#endif
