// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/quantized_errors.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/quantized_errors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef CALIBSCOPE_QUANTIZED_ERRORS_PLAIN
#define CALIBSCOPE_QUANTIZED_ERRORS_PLAIN
namespace calibscope::kernels {

inline double roundedPlain(double value, Halves halves)
{
    switch (halves) {
    case Halves::ToEven: return std::nearbyint(value);
    case Halves::AwayFromZero: return std::round(value);
    case Halves::Up: return std::floor(value + 0.5);
    }
    return value;
}

/// Distance from a whole number beyond which the product with 1 / scale may round to another one
/// than the quotient. Both differ by less than 2^-51 of the quotient; the sum with the shift is
/// rounded, too.
inline double surelyNearest(const Lattice& lattice)
{
    return 0.5 - 0x1p-49 * (std::max(-lattice.low, lattice.high) + std::abs(lattice.shift) + 1.0);
}

inline void addPlain(float value, std::size_t index, const Lattice& lattice, QuantizedErrors& sums,
                     std::span<std::uint32_t> places)
{
    const std::size_t lane = index % summingLanes;
    const double x = static_cast<double>(value);
    const double place = roundedPlain(
        std::clamp(x / lattice.scale + lattice.shift, lattice.low, lattice.high), lattice.halves);
    const double quantized = lattice.scale * (place - lattice.shift);
    const double error = std::abs(x - quantized);
    const bool isClipped = x < lattice.clipLow || x > lattice.clipHigh;
    places[index] = static_cast<std::uint32_t>(place - lattice.low);
    sums.squares[lane] += x * x;
    sums.squaresQuantized[lane] += quantized * quantized;
    sums.products[lane] += x * quantized;
    (isClipped ? sums.clipping : sums.rounding)[lane] += error * error;
    sums.largest[lane] = std::max(sums.largest[lane], error);
    sums.clipped += isClipped ? 1U : 0U;
}

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, summingLanes>;
using Vector = hn::Vec<Doubles>;

/// As roundedPlain().
Vector roundedVector(Vector value, Halves halves)
{
    const Doubles doubles;
    const auto half = hn::Set(doubles, 0.5);
    if (halves == Halves::Up)
        return hn::Floor(hn::Add(value, half));
    const auto nearest = hn::Round(value);
    if (halves == Halves::ToEven)
        return nearest;
    // The rest is exact: both are within a half of each other.
    const auto isTie = hn::Eq(hn::Abs(hn::Sub(value, nearest)), half);
    const auto away = hn::Add(hn::Trunc(value), hn::CopySign(hn::Set(doubles, 1.0), value));
    return hn::IfThenElse(isTie, away, nearest);
}

Vector placesOf(Vector x, Vector inverse, const Lattice& lattice)
{
    const Doubles doubles;
    const auto shift = hn::Set(doubles, lattice.shift);
    const auto clamped = [&](Vector place) {
        return hn::Min(hn::Max(hn::Add(place, shift), hn::Set(doubles, lattice.low)),
                       hn::Set(doubles, lattice.high));
    };
    const auto place = clamped(hn::Mul(x, inverse));
    const auto nearest = hn::Round(place);
    const auto isDoubtful =
        hn::Gt(hn::Abs(hn::Sub(place, nearest)), hn::Set(doubles, surelyNearest(lattice)));
    if (HWY_LIKELY(hn::AllFalse(doubles, isDoubtful)))
        return nearest;
    return roundedVector(clamped(hn::Div(x, hn::Set(doubles, lattice.scale))), lattice.halves);
}

QuantizedErrors vectorErrors(const float* values, std::size_t size, const Lattice& lattice,
                             std::uint32_t* places)
{
    const Doubles doubles;
    const hn::Rebind<float, Doubles> floats;
    const hn::Rebind<std::int32_t, Doubles> whole;
    const std::size_t step = hn::Lanes(doubles);
    const std::size_t count = size - size % summingLanes;
    const auto inverse = hn::Set(doubles, 1.0 / lattice.scale);
    const auto scale = hn::Set(doubles, lattice.scale);
    const auto shift = hn::Set(doubles, lattice.shift);
    const auto low = hn::Set(doubles, lattice.low);
    const auto clipLow = hn::Set(doubles, lattice.clipLow);
    const auto clipHigh = hn::Set(doubles, lattice.clipHigh);
    auto* room = reinterpret_cast<std::int32_t*>(places);
    QuantizedErrors sums;
    for (std::size_t lane = 0; lane < summingLanes; lane += step) {
        auto squares = hn::Zero(doubles);
        auto squaresQuantized = squares;
        auto products = squares;
        auto rounding = squares;
        auto clipping = squares;
        auto largest = squares;
        for (std::size_t first = lane; first < count; first += summingLanes) {
            const auto x = hn::PromoteTo(doubles, hn::LoadU(floats, values + first));
            const auto place = placesOf(x, inverse, lattice);
            const auto quantized = hn::Mul(scale, hn::Sub(place, shift));
            const auto error = hn::Abs(hn::Sub(x, quantized));
            const auto squared = hn::Mul(error, error);
            const auto isClipped = hn::Or(hn::Lt(x, clipLow), hn::Gt(x, clipHigh));
            hn::StoreU(hn::DemoteTo(whole, hn::Sub(place, low)), whole, room + first);
            squares = hn::Add(squares, hn::Mul(x, x));
            squaresQuantized = hn::Add(squaresQuantized, hn::Mul(quantized, quantized));
            products = hn::Add(products, hn::Mul(x, quantized));
            rounding = hn::Add(rounding, hn::IfThenZeroElse(isClipped, squared));
            clipping = hn::Add(clipping, hn::IfThenElseZero(isClipped, squared));
            largest = hn::Max(largest, error);
            sums.clipped += hn::CountTrue(doubles, isClipped);
        }
        hn::StoreU(squares, doubles, &sums.squares[lane]);
        hn::StoreU(squaresQuantized, doubles, &sums.squaresQuantized[lane]);
        hn::StoreU(products, doubles, &sums.products[lane]);
        hn::StoreU(rounding, doubles, &sums.rounding[lane]);
        hn::StoreU(clipping, doubles, &sums.clipping[lane]);
        hn::StoreU(largest, doubles, &sums.largest[lane]);
    }
    for (std::size_t index = count; index < size; ++index)
        addPlain(values[index], index, lattice, sums, {places, size});
    return sums;
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorErrors);
}

QuantizedErrors quantizedErrors(std::span<const float> values, const Lattice& lattice,
                                std::span<std::uint32_t> places)
{
    // The inverse of a scale near either end of doubles is not exact to its last bit.
    constexpr double leastScale = 0x1p-1000;
    if (lattice.scale < leastScale || lattice.scale > 1.0 / leastScale)
        return quantizedErrorsPlain(values, lattice, places);
    return HWY_DYNAMIC_DISPATCH(vectorErrors)(values.data(), values.size(), lattice, places.data());
}

QuantizedErrors quantizedErrorsPlain(std::span<const float> values, const Lattice& lattice,
                                     std::span<std::uint32_t> places)
{
    QuantizedErrors sums;
    for (std::size_t index = 0; index < values.size(); ++index)
        addPlain(values[index], index, lattice, sums, places);
    return sums;
}

}  // namespace calibscope::kernels
#endif
