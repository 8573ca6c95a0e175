#include "core/kernels/bin_indices.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/bin_indices.cpp"
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

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;

/// Whole parts of distance / width, as the division gives them. The product with the inverse is
/// within 2^-51 of the quotient, relatively, so only places so near to a whole number are divided.
hn::Vec<Doubles> placesOf(hn::Vec<Doubles> distance, hn::Vec<Doubles> width,
                          hn::Vec<Doubles> inverse, hn::Vec<Doubles> last)
{
    const Doubles doubles;
    const auto limit = [&](auto place) { return hn::Min(hn::Max(place, hn::Zero(doubles)), last); };
    constexpr double doubt = 0x1p-49;
    const auto place = limit(hn::Mul(distance, inverse));
    const auto nearest = hn::Round(place);
    const auto isDoubtful =
        hn::Le(hn::Abs(hn::Sub(place, nearest)), hn::Mul(nearest, hn::Set(doubles, doubt)));
    if (hn::AllFalse(doubles, isDoubtful))
        return place;
    return limit(hn::Div(distance, width));
}

template <bool ofMagnitude>
KeptPatterns vectorBinsOf(const float* values, std::size_t size, const EqualBins& equal,
                          std::uint32_t* bins)
{
    const Doubles doubles;
    const hn::Rebind<float, Doubles> floats;
    const hn::Rebind<std::int32_t, Doubles> whole;
    const std::size_t step = hn::Lanes(doubles);
    const auto low = hn::Set(doubles, equal.low);
    const auto width = hn::Set(doubles, equal.width);
    const auto inverse = hn::Set(doubles, 1.0 / equal.width);
    const auto last = hn::Set(doubles, static_cast<double>(equal.count - 1));
    auto* room = reinterpret_cast<std::int32_t*>(bins);
    KeptPatterns result;
    std::size_t index = 0;
    for (; index + step <= size; index += step) {
        auto x = hn::LoadU(floats, values + index);
        const auto isZero = hn::Eq(x, hn::Zero(floats));
        const auto isKept = hn::AndNot(isZero, hn::IsFinite(x));
        if constexpr (ofMagnitude)
            x = hn::Abs(x);
        const auto place = placesOf(hn::Sub(hn::PromoteTo(doubles, x), low), width, inverse, last);
        result.kept += hn::CompressStore(hn::DemoteTo(whole, place), hn::RebindMask(whole, isKept),
                                         whole, room + result.kept);
        result.zeros += hn::CountTrue(floats, isZero);
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
    return equal.ofMagnitude ? vectorBinsOf<true>(values, size, equal, bins)
                             : vectorBinsOf<false>(values, size, equal, bins);
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
    // The inverse of a width near either end of doubles is not exact to its last bit.
    constexpr double leastWidth = 0x1p-1000;
    if (equal.width < leastWidth)
        return binIndicesPlain(values, equal, bins);
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
