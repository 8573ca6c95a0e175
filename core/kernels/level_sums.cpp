// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/level_sums.h"

#include <algorithm>
#include <array>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/level_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The quotient x / s and the float product q = x perScale differ by less than 2^-22 |q|: both
// perScale and the product are rounded to 24 bits, the quotient to 53. So round(q) is the level of
// any rule of rounding unless q, clamped, is within 2^-22 (mostLevel of the rule + 1) of the middle
// between two whole numbers.
//
// The sums need no compensation: x z has at most 24 + 9 bits, and 4096 squares of at most 2^16 in
// 16 lanes stay within a float's 2^24. So a fused multiplication changes no bit either.
#ifndef CALIBSCOPE_LEVEL_SUMS_PLAIN
#define CALIBSCOPE_LEVEL_SUMS_PLAIN
namespace calibscope::kernels {

/// The largest distance from a whole number at which a product decides the level.
inline float surelyNearest(const LevelSumsRule& rule)
{
    return 0.5F - 0x1p-22F * static_cast<float>(std::max(-rule.low, rule.high) + 1);
}

inline std::uint64_t sumOf(const std::array<float, summingLanes>& lanes)
{
    std::uint64_t sum = 0;
    for (const float lane : lanes)
        sum += static_cast<std::uint64_t>(lane);
    return sum;
}

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

LevelSums vectorLevelSums(const float* values, std::size_t size, const LevelSumsRule& rule,
                          std::uint16_t* near)
{
    return levelSumsPlain({values, size}, rule, {near, size});  // its vectors have no halves
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, summingLanes>;

/// Places from `first` on whose bit is set.
std::size_t appendPlaces(std::uint64_t bits, std::size_t first, std::uint16_t* places)
{
    std::size_t count = 0;
    for (; bits != 0; bits &= bits - 1)
        places[count++] =
            static_cast<std::uint16_t>(first + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
    return count;
}

LevelSums vectorLevelSums(const float* values, std::size_t size, const LevelSumsRule& rule,
                          std::uint16_t* near)
{
    const Floats floats;
    const hn::Repartition<double, Floats> doubles;
    const hn::Half<Floats> halves;
    const std::size_t step = hn::Lanes(floats);
    const auto perScale = hn::Set(floats, rule.perScale);
    const auto low = hn::Set(floats, static_cast<float>(rule.low));
    const auto high = hn::Set(floats, static_cast<float>(rule.high));
    const auto sure = hn::Set(floats, surelyNearest(rule));
    LevelSums sums;
    std::array<float, summingLanes> zz{};
    for (std::size_t lane = 0; lane < summingLanes; lane += step) {
        auto lower = hn::Zero(doubles);
        auto upper = hn::Zero(doubles);
        auto squares = hn::Zero(floats);
        for (std::size_t first = lane; first < size; first += summingLanes) {
            const auto x = hn::LoadU(floats, values + first);
            const auto q = hn::Min(hn::Max(hn::Mul(x, perScale), low), high);
            auto z = hn::Round(q);
            const auto isNear = hn::Gt(hn::Abs(hn::Sub(q, z)), sure);
            if (HWY_UNLIKELY(!hn::AllFalse(floats, isNear))) {
                std::array<std::uint8_t, 8> bytes{};
                hn::StoreMaskBits(floats, isNear, bytes.data());
                const std::uint64_t bits = bytes[0] | std::uint64_t{bytes[1]} << 8U;
                sums.near += appendPlaces(bits, first, near + sums.near);
                z = hn::IfThenZeroElse(isNear, z);
            }
            squares = hn::MulAdd(z, z, squares);
            lower = hn::MulAdd(hn::PromoteTo(doubles, hn::LowerHalf(halves, x)),
                               hn::PromoteTo(doubles, hn::LowerHalf(halves, z)), lower);
            upper = hn::MulAdd(hn::PromoteTo(doubles, hn::UpperHalf(halves, x)),
                               hn::PromoteTo(doubles, hn::UpperHalf(halves, z)), upper);
        }
        hn::StoreU(lower, doubles, &sums.xz[lane]);
        hn::StoreU(upper, doubles, &sums.xz[lane + step / 2]);
        hn::StoreU(squares, floats, &zz[lane]);
    }
    sums.zz = sumOf(zz);
    std::sort(near, near + sums.near);
    return sums;
}

#endif

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorLevelSums);
}

LevelSums levelSums(std::span<const float> values, const LevelSumsRule& rule,
                    std::span<std::uint16_t> near)
{
    return HWY_DYNAMIC_DISPATCH(vectorLevelSums)(values.data(), values.size(), rule, near.data());
}

LevelSums levelSumsPlain(std::span<const float> values, const LevelSumsRule& rule,
                         std::span<std::uint16_t> near)
{
    const float sure = surelyNearest(rule);
    LevelSums sums;
    std::array<float, summingLanes> zz{};
    for (std::size_t index = 0; index < values.size(); ++index) {
        const float q = std::clamp(values[index] * rule.perScale, static_cast<float>(rule.low),
                                   static_cast<float>(rule.high));
        const float z = std::nearbyint(q);
        if (std::abs(q - z) > sure) {
            near[sums.near++] = static_cast<std::uint16_t>(index);
            continue;
        }
        const std::size_t lane = index % summingLanes;
        sums.xz[lane] += static_cast<double>(values[index]) * static_cast<double>(z);
        zz[lane] += z * z;
    }
    sums.zz = sumOf(zz);
    return sums;
}

}  // namespace calibscope::kernels
#endif
