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
using Counts = hn::RebindToSigned<Floats>;

/// Adds 1 to the lanes of `counts` where the mask is set.
template <typename Mask>
hn::Vec<Counts> counted(hn::Vec<Counts> counts, Mask mask)
{
    const Counts whole;
    return hn::Sub(counts, hn::VecFromMask(whole, hn::RebindMask(whole, mask)));
}

std::uint64_t total(hn::Vec<Counts> counts)
{
    const Counts whole;
    return static_cast<std::uint64_t>(hn::GetLane(hn::SumOfLanes(whole, counts)));
}

/// `count` is a multiple of the lanes.
FloatEnds endsOfVectors(const float* values, std::size_t count)
{
    const Floats floats;
    const Counts whole;
    const auto infinity = hn::Set(floats, std::numeric_limits<float>::infinity());
    auto least = infinity;
    auto greatest = hn::Neg(infinity);
    auto leastMagnitude = infinity;
    auto finite = hn::Zero(whole);
    auto zeros = hn::Zero(whole);
    for (std::size_t first = 0; first < count; first += hn::Lanes(floats)) {
        const auto x = hn::LoadU(floats, values + first);
        const auto magnitude = hn::Abs(x);
        const auto isFinite = hn::Lt(magnitude, infinity);
        finite = counted(finite, isFinite);
        zeros = counted(zeros, hn::Eq(x, hn::Zero(floats)));
        least = hn::Min(least, hn::IfThenElse(isFinite, x, infinity));
        greatest = hn::Max(greatest, hn::IfThenElse(isFinite, x, hn::Neg(infinity)));
        leastMagnitude = hn::Min(leastMagnitude, hn::IfThenElse(isFinite, magnitude, infinity));
    }
    return {.finite = total(finite),
            .zeros = total(zeros),
            .least = hn::GetLane(hn::MinOfLanes(floats, least)),
            .greatest = hn::GetLane(hn::MaxOfLanes(floats, greatest)),
            .leastMagnitude = hn::GetLane(hn::MinOfLanes(floats, leastMagnitude))};
}

/// How many values equal either end; `count` is a multiple of the lanes.
void countAtEnds(const float* values, std::size_t count, FloatEnds& ends)
{
    const Floats floats;
    const Counts whole;
    const auto least = hn::Set(floats, ends.least);
    const auto greatest = hn::Set(floats, ends.greatest);
    auto atLeast = hn::Zero(whole);
    auto atGreatest = hn::Zero(whole);
    for (std::size_t first = 0; first < count; first += hn::Lanes(floats)) {
        const auto x = hn::LoadU(floats, values + first);
        atLeast = counted(atLeast, hn::Eq(x, least));
        atGreatest = counted(atGreatest, hn::Eq(x, greatest));
    }
    ends.atLeast = total(atLeast);
    ends.atGreatest = total(atGreatest);
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
    countAtEnds(values, count, ends);
    for (std::size_t index = count; index < size; ++index) {
        ends.atLeast += values[index] == ends.least ? 1U : 0U;
        ends.atGreatest += values[index] == ends.greatest ? 1U : 0U;
    }
    return ends;
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorEnds);
}

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
        if (x < ends.least) {
            ends.least = x;
            ends.atLeast = 0;
        }
        if (x > ends.greatest) {
            ends.greatest = x;
            ends.atGreatest = 0;
        }
        ends.leastMagnitude = std::min(ends.leastMagnitude, std::abs(x));
        ends.atLeast += x == ends.least ? 1U : 0U;
        ends.atGreatest += x == ends.greatest ? 1U : 0U;
        ends.zeros += x == 0.0F ? 1U : 0U;
        ++ends.finite;
    }
    return ends;
}

}  // namespace calibscope::kernels
#endif
