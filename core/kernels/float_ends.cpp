// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/float_ends.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/float_ends.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Patterns = hn::RebindToSigned<Floats>;

/// Ends of the values of several vectors, lane by lane. Magnitudes are compared as the whole
/// numbers that their bits are: of values that are not finite they are above all others.
struct EndLanes
{
    hn::Vec<Floats> least;
    hn::Vec<Floats> greatest;
    hn::Vec<Patterns> leastMagnitude;
    hn::Vec<Patterns> greatestMagnitude;
    std::uint64_t zeros;
};

// Constructors would not be compiled for the processor that this namespace is for.
EndLanes noEnds()
{
    const Patterns whole;
    const auto infinity = hn::Set(Floats(), std::numeric_limits<float>::infinity());
    return {infinity, hn::Neg(infinity), hn::BitCast(whole, infinity), hn::Zero(whole), 0};
}

HWY_INLINE void add(EndLanes& lanes, hn::Vec<Floats> x)
{
    const Patterns whole;
    const auto magnitude = hn::BitCast(whole, hn::Abs(x));
    lanes.least = hn::Min(lanes.least, x);
    lanes.greatest = hn::Max(lanes.greatest, x);
    lanes.leastMagnitude = hn::Min(lanes.leastMagnitude, magnitude);
    lanes.greatestMagnitude = hn::Max(lanes.greatestMagnitude, magnitude);
    lanes.zeros += hn::CountTrue(whole, hn::Eq(magnitude, hn::Zero(whole)));
}

/// Adds what is finite of x; returns how many that are.
HWY_INLINE std::size_t addFinite(EndLanes& lanes, hn::Vec<Floats> x)
{
    const Floats floats;
    const auto infinity = hn::Set(floats, std::numeric_limits<float>::infinity());
    const auto isFinite = hn::Lt(hn::Abs(x), infinity);
    const auto magnitude = hn::IfThenElse(isFinite, hn::Abs(x), infinity);
    lanes.least = hn::Min(lanes.least, hn::IfThenElse(isFinite, x, infinity));
    lanes.greatest = hn::Max(lanes.greatest, hn::IfThenElse(isFinite, x, hn::Neg(infinity)));
    lanes.leastMagnitude = hn::Min(lanes.leastMagnitude, hn::BitCast(Patterns(), magnitude));
    lanes.zeros += hn::CountTrue(floats, hn::Eq(x, hn::Zero(floats)));
    return hn::CountTrue(floats, isFinite);
}

EndLanes merged(const EndLanes& a, const EndLanes& b)
{
    return {hn::Min(a.least, b.least), hn::Max(a.greatest, b.greatest),
            hn::Min(a.leastMagnitude, b.leastMagnitude),
            hn::Max(a.greatestMagnitude, b.greatestMagnitude), a.zeros + b.zeros};
}

bool isAllFinite(const EndLanes& lanes)
{
    constexpr std::int32_t infinityBits = 0x7f800000;
    const Patterns whole;
    return hn::AllTrue(whole, hn::Lt(lanes.greatestMagnitude, hn::Set(whole, infinityBits)));
}

FloatEnds endsOf(const EndLanes& lanes, std::uint64_t finite)
{
    const Floats floats;
    return {.finite = finite,
            .zeros = lanes.zeros,
            .least = hn::GetLane(hn::MinOfLanes(floats, lanes.least)),
            .greatest = hn::GetLane(hn::MaxOfLanes(floats, lanes.greatest)),
            .leastMagnitude =
                hn::GetLane(hn::MinOfLanes(floats, hn::BitCast(floats, lanes.leastMagnitude)))};
}

/// `count` is a multiple of the lanes.
FloatEnds endsOfVectors(const float* values, std::size_t count)
{
    const Floats floats;
    const std::size_t step = hn::Lanes(floats);
    EndLanes even = noEnds();
    EndLanes odd = noEnds();  // two, since each comparison waits for the one before
    std::size_t first = 0;
    for (; first + 2 * step <= count; first += 2 * step) {
        add(even, hn::LoadU(floats, values + first));
        add(odd, hn::LoadU(floats, values + first + step));
    }
    if (first < count)
        add(even, hn::LoadU(floats, values + first));
    even = merged(even, odd);
    if (isAllFinite(even))
        return endsOf(even, count);
    EndLanes lanes = noEnds();
    std::uint64_t finite = 0;
    for (first = 0; first < count; first += step)
        finite += addFinite(lanes, hn::LoadU(floats, values + first));
    return endsOf(lanes, finite);
}

FloatEnds vectorEnds(const float* values, std::size_t size)
{
    const std::size_t count = size - size % hn::Lanes(Floats());
    FloatEnds ends = endsOfVectors(values, count);
    for (std::size_t index = count; index < size; ++index) {
        const float x = values[index];
        if (!std::isfinite(x))
            continue;
        ++ends.finite;
        ends.zeros += x == 0.0F ? 1U : 0U;
        ends.least = std::min(ends.least, x);
        ends.greatest = std::max(ends.greatest, x);
        ends.leastMagnitude = std::min(ends.leastMagnitude, std::abs(x));
    }
    if (ends.finite == 0)
        return {};
    ends.least += 0.0F;  // of two zeros the minimum may be the negative one
    ends.greatest += 0.0F;
    return ends;
}

std::uint64_t vectorEqual(const float* values, std::size_t size, float wanted)
{
    const Floats floats;
    const std::size_t step = hn::Lanes(floats);
    std::uint64_t equal = 0;
    std::size_t index = 0;
    for (; index + step <= size; index += step)
        equal += hn::CountTrue(floats,
                               hn::Eq(hn::LoadU(floats, values + index), hn::Set(floats, wanted)));
    for (; index < size; ++index)
        equal += values[index] == wanted ? 1U : 0U;
    return equal;
}

float vectorSecond(const float* values, std::size_t size, float greatest)
{
    const Floats floats;
    const std::size_t count = size - size % hn::Lanes(floats);
    const auto most = hn::Set(floats, greatest);
    auto lesser = hn::Zero(floats);
    std::size_t equal = 0;
    for (std::size_t index = 0; index < count; index += hn::Lanes(floats)) {
        const auto magnitude = hn::Abs(hn::LoadU(floats, values + index));
        lesser = hn::Max(lesser, hn::IfThenElseZero(hn::Lt(magnitude, most), magnitude));
        equal += hn::CountTrue(floats, hn::Eq(magnitude, most));
    }
    float second = hn::GetLane(hn::MaxOfLanes(floats, lesser));
    for (std::size_t index = count; index < size; ++index) {
        const float magnitude = std::abs(values[index]);
        equal += magnitude == greatest ? 1U : 0U;
        second = magnitude < greatest ? std::max(second, magnitude) : second;
    }
    return equal > 1 ? greatest : second;
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorEnds);
HWY_EXPORT(vectorEqual);
HWY_EXPORT(vectorSecond);
}  // namespace

FloatEnds floatEnds(std::span<const float> values)
{
    return HWY_DYNAMIC_DISPATCH(vectorEnds)(values.data(), values.size());
}

FloatEnds floatEndsPlain(std::span<const float> values)
{
    FloatEnds ends;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const float x = value + 0.0F;  // never -0
        if (ends.finite == 0)
            ends = {.least = x, .greatest = x, .leastMagnitude = std::abs(x)};
        ends.least = std::min(ends.least, x);
        ends.greatest = std::max(ends.greatest, x);
        ends.leastMagnitude = std::min(ends.leastMagnitude, std::abs(x));
        ends.zeros += x == 0.0F ? 1U : 0U;
        ++ends.finite;
    }
    return ends;
}

std::uint64_t countEqual(std::span<const float> values, float wanted)
{
    return HWY_DYNAMIC_DISPATCH(vectorEqual)(values.data(), values.size(), wanted);
}

std::uint64_t countEqualPlain(std::span<const float> values, float wanted)
{
    return static_cast<std::uint64_t>(std::ranges::count(values, wanted));
}

float secondMagnitude(std::span<const float> values, float greatest)
{
    return HWY_DYNAMIC_DISPATCH(vectorSecond)(values.data(), values.size(), greatest);
}

float secondMagnitudePlain(std::span<const float> values, float greatest)
{
    float second = 0.0F;
    bool isGreatestSeen = false;
    for (const float value : values) {
        const float magnitude = std::abs(value);
        if (!(magnitude <= greatest))
            continue;
        if (magnitude == greatest && !isGreatestSeen)
            isGreatestSeen = true;
        else
            second = std::max(second, magnitude);
    }
    return second;
}

}  // namespace calibscope::kernels
#endif
