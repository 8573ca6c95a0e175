// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/block_errors.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/block_errors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef CALIBSCOPE_BLOCK_ERRORS_PLAIN
#define CALIBSCOPE_BLOCK_ERRORS_PLAIN
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

inline void addPlain(float value, std::size_t index, const Lattice& lattice, QuantizedErrors& sums,
                     std::span<std::uint16_t> places)
{
    const std::size_t lane = index % summingLanes;
    const double x = static_cast<double>(value);
    const double place = roundedPlain(
        std::clamp(x / lattice.scale + lattice.shift, lattice.low, lattice.high), lattice.halves);
    const double quantized = lattice.scale * (place - lattice.shift);
    const double error = std::abs(x - quantized);
    const bool isClipped = x < lattice.clipLow || x > lattice.clipHigh;
    places[index] = static_cast<std::uint16_t>(place - lattice.low);
    sums.squaresQuantized[lane] += quantized * quantized;
    sums.products[lane] += x * quantized;
    (isClipped ? sums.clipping : sums.rounding)[lane] += error * error;
    sums.largest = std::max(sums.largest, error);
    sums.clipped += isClipped ? 1U : 0U;
}

inline double reachOf(const Lattice& lattice)
{
    return std::max(-lattice.low, lattice.high) + std::abs(lattice.shift) + 1.0;
}

/// Whether a product in float32 decides places: neither the inverse of the scale nor a place is
/// beyond what float32 tells apart.
inline bool isDecidedBySingles(const Lattice& lattice)
{
    constexpr double leastScale = 0x1p-100;
    constexpr double mostOfAll = 0x1p18;
    return lattice.scale >= leastScale && lattice.scale <= 1.0 / leastScale &&
           reachOf(lattice) <= mostOfAll;
}

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // its vectors have no halves

QuantizedErrors vectorErrors(const ValueBlock& block, const Lattice& lattice, double known,
                             std::uint16_t* places)
{
    return blockErrorsPlain(block, lattice, known, {places, block.values.size()});
}

SummingLanes vectorSquares(const float* values, std::size_t size)
{
    return squaresOfPlain({values, size});
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Singles = hn::CappedTag<float, summingLanes>;
using HalfSingles = hn::Half<Singles>;
using Doubles = hn::Repartition<double, Singles>;  // as many as half of them
using Whole = hn::RebindToSigned<Singles>;
using Shorts = hn::Rebind<std::uint16_t, Singles>;

HWY_INLINE hn::Vec<Doubles> lowerOf(hn::Vec<Singles> x)
{
    return hn::PromoteTo(Doubles(), hn::LowerHalf(HalfSingles(), x));
}

HWY_INLINE hn::Vec<Doubles> upperOf(hn::Vec<Singles> x)
{
    return hn::PromoteTo(Doubles(), hn::UpperHalf(HalfSingles(), x));
}

/// As roundedPlain().
HWY_INLINE hn::Vec<Doubles> roundedVector(hn::Vec<Doubles> value, Halves halves)
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

HWY_INLINE hn::Vec<HalfSingles> halfDivided(hn::Vec<Doubles> x, const Lattice& lattice)
{
    const Doubles doubles;
    const auto quotient =
        hn::Add(hn::Div(x, hn::Set(doubles, lattice.scale)), hn::Set(doubles, lattice.shift));
    const auto clamped =
        hn::Min(hn::Max(quotient, hn::Set(doubles, lattice.low)), hn::Set(doubles, lattice.high));
    return hn::DemoteTo(HalfSingles(), roundedVector(clamped, lattice.halves));  // whole numbers
}

/// Places by the definition's division. Called for few vectors: not to be inlined thrice.
HWY_NOINLINE hn::Vec<Singles> byDivision(hn::Vec<Singles> x, const Lattice& lattice)
{
    return hn::Combine(Singles(), halfDivided(upperOf(x), lattice),
                       halfDivided(lowerOf(x), lattice));
}

/// Places by a product in float32. Its factor and itself are within 2^-24, relatively, and so are
/// the shift and the sum: with all of them a place is within 2^-22 (most + |shift|) of the
/// quotient's. Farther from a middle than twice that both round to the same, by any rule, and
/// nearer ones are divided. What a clamp moves is whole in both.
struct ByProduct
{
    hn::Vec<Singles> perScale;
    hn::Vec<Singles> shift;
    hn::Vec<Singles> low;
    hn::Vec<Singles> high;
    hn::Vec<Singles> sure;  ///< distance from a whole number up to which a place is
};

HWY_INLINE hn::Vec<Singles> single(double value)
{
    return hn::Set(Singles(), static_cast<float>(value));
}

ByProduct byProduct(const Lattice& lattice)
{
    const bool isDecided = isDecidedBySingles(lattice);
    constexpr double doubt = 0x1p-21;
    return {single(isDecided ? 1.0 / lattice.scale : 0.0), single(lattice.shift),
            single(lattice.low), single(lattice.high),
            single(isDecided ? 0.5 - doubt * reachOf(lattice) : -1.0)};
}

HWY_INLINE hn::Vec<Singles> nearestOf(hn::Vec<Singles> x, const ByProduct& product,
                                      const Lattice& lattice)
{
    const auto place = hn::Min(
        hn::Max(hn::Add(hn::Mul(x, product.perScale), product.shift), product.low), product.high);
    const auto nearest = hn::Round(place);
    const auto isDoubtful = hn::Gt(hn::Abs(hn::Sub(place, nearest)), product.sure);
    if (HWY_UNLIKELY(!hn::AllFalse(Singles(), isDoubtful)))
        return byDivision(x, lattice);
    return nearest;
}

struct ErrorLanes
{
    hn::Vec<Doubles> squaresQuantized;
    hn::Vec<Doubles> products;
    hn::Vec<Doubles> rounding;
    hn::Vec<Doubles> clipping;
};

// Constructors would not be compiled for the processor that this namespace is for.
HWY_INLINE ErrorLanes noErrors()
{
    const auto zero = hn::Zero(Doubles());
    return {zero, zero, zero, zero};
}

struct Dequantizer
{
    hn::Vec<Doubles> scale;
    hn::Vec<Doubles> shift;
    hn::Vec<Doubles> clipLow;
    hn::Vec<Doubles> clipHigh;

    /// What the rounded quotient stands for.
    HWY_INLINE hn::Vec<Doubles> operator()(hn::Vec<Doubles> rounded) const
    {
        return hn::Mul(scale, hn::Sub(rounded, shift));
    }
};

/// Adds the errors of some values; returns their squares.
template <bool clips>
HWY_INLINE hn::Vec<Doubles> addErrors(hn::Vec<Doubles> x, hn::Vec<Doubles> rounded,
                                      const Dequantizer& dequantizer, ErrorLanes& lanes,
                                      std::uint64_t& clipped)
{
    const Doubles doubles;
    const auto one = hn::Set(doubles, 1.0);
    const auto quantized = dequantizer(rounded);
    const auto error = hn::Sub(x, quantized);
    const auto squared = hn::Mul(error, error);
    // Rounded products times 1: the bits of additions, on pipes that these leave idle.
    lanes.squaresQuantized = hn::MulAdd(hn::Mul(quantized, quantized), one, lanes.squaresQuantized);
    lanes.products = hn::MulAdd(hn::Mul(x, quantized), one, lanes.products);
    if constexpr (clips) {
        const auto isClipped =
            hn::Or(hn::Lt(x, dequantizer.clipLow), hn::Gt(x, dequantizer.clipHigh));
        lanes.rounding = hn::Add(lanes.rounding, hn::IfThenZeroElse(isClipped, squared));
        lanes.clipping = hn::Add(lanes.clipping, hn::IfThenElseZero(isClipped, squared));
        clipped += hn::CountTrue(doubles, isClipped);
    } else {
        lanes.rounding = hn::Add(lanes.rounding, squared);
    }
    return squared;
}

/// Writes lanes from `lane` on.
HWY_INLINE void storeLanes(const ErrorLanes& lanes, std::size_t lane, QuantizedErrors& sums)
{
    const Doubles doubles;
    hn::StoreU(lanes.squaresQuantized, doubles, &sums.squaresQuantized[lane]);
    hn::StoreU(lanes.products, doubles, &sums.products[lane]);
    hn::StoreU(lanes.rounding, doubles, &sums.rounding[lane]);
    hn::StoreU(lanes.clipping, doubles, &sums.clipping[lane]);
}

/// The largest |x - q| of the first `count` values, a multiple of the lanes.
double largestError(const float* values, std::size_t count, const ByProduct& product,
                    const Dequantizer& dequantizer, const Lattice& lattice)
{
    const Doubles doubles;
    const Singles singles;
    auto largest = hn::Zero(doubles);
    for (std::size_t first = 0; first < count; first += hn::Lanes(singles)) {
        const auto x = hn::LoadU(singles, values + first);
        const auto nearest = nearestOf(x, product, lattice);
        const auto lower = hn::Abs(hn::Sub(lowerOf(x), dequantizer(lowerOf(nearest))));
        const auto upper = hn::Abs(hn::Sub(upperOf(x), dequantizer(upperOf(nearest))));
        largest = hn::Max(largest, hn::Max(lower, upper));
    }
    return hn::GetLane(hn::MaxOfLanes(doubles, largest));
}

template <bool clips>
QuantizedErrors errorsOf(std::span<const float> values, const Lattice& lattice, double known,
                         std::uint16_t* places)
{
    const Singles singles;
    const Doubles doubles;
    const Shorts shorts;
    const std::size_t step = hn::Lanes(singles);
    const std::size_t count = values.size() - values.size() % summingLanes;
    const ByProduct product = byProduct(lattice);
    const Dequantizer dequantizer{hn::Set(doubles, lattice.scale), hn::Set(doubles, lattice.shift),
                                  hn::Set(doubles, lattice.clipLow),
                                  hn::Set(doubles, lattice.clipHigh)};
    const auto lowest = hn::Set(Whole(), static_cast<std::int32_t>(lattice.low));
    auto greatest = hn::Zero(doubles);
    QuantizedErrors sums{.largest = known};
    for (std::size_t lane = 0; lane < summingLanes; lane += step) {
        ErrorLanes lower = noErrors();
        ErrorLanes upper = noErrors();
        for (std::size_t first = lane; first < count; first += summingLanes) {
            const auto x = hn::LoadU(singles, values.data() + first);
            const auto nearest = nearestOf(x, product, lattice);
            hn::StoreU(hn::DemoteTo(shorts, hn::Sub(hn::NearestInt(nearest), lowest)), shorts,
                       places + first);
            const auto below =
                addErrors<clips>(lowerOf(x), lowerOf(nearest), dequantizer, lower, sums.clipped);
            const auto above =
                addErrors<clips>(upperOf(x), upperOf(nearest), dequantizer, upper, sums.clipped);
            greatest = hn::Max(greatest, hn::Max(below, above));
        }
        storeLanes(lower, lane, sums);
        storeLanes(upper, lane + step / 2, sums);
    }
    // Rounded squares rise with the errors: only where one reaches the known one's may be a larger.
    if (hn::GetLane(hn::MaxOfLanes(doubles, greatest)) >= known * known)
        sums.largest =
            std::max(known, largestError(values.data(), count, product, dequantizer, lattice));
    for (std::size_t index = count; index < values.size(); ++index)
        addPlain(values[index], index, lattice, sums, {places, values.size()});
    return sums;
}

QuantizedErrors vectorErrors(const ValueBlock& block, const Lattice& lattice, double known,
                             std::uint16_t* places)
{
    const bool clips = static_cast<double>(block.least) < lattice.clipLow ||
                       static_cast<double>(block.greatest) > lattice.clipHigh;
    return clips ? errorsOf<true>(block.values, lattice, known, places)
                 : errorsOf<false>(block.values, lattice, known, places);
}

SummingLanes vectorSquares(const float* values, std::size_t size)
{
    const Singles singles;
    const Doubles doubles;
    const std::size_t step = hn::Lanes(singles);
    const std::size_t count = size - size % summingLanes;
    SummingLanes squares{};
    for (std::size_t lane = 0; lane < summingLanes; lane += step) {
        auto lower = hn::Zero(doubles);
        auto upper = hn::Zero(doubles);
        for (std::size_t first = lane; first < count; first += summingLanes) {
            const auto x = hn::LoadU(singles, values + first);
            lower = hn::MulAdd(lowerOf(x), lowerOf(x), lower);  // exact: 24 bits times 24
            upper = hn::MulAdd(upperOf(x), upperOf(x), upper);
        }
        hn::StoreU(lower, doubles, &squares[lane]);
        hn::StoreU(upper, doubles, &squares[lane + step / 2]);
    }
    for (std::size_t index = count; index < size; ++index)
        squares[index - count] +=
            static_cast<double>(values[index]) * static_cast<double>(values[index]);
    return squares;
}

#endif

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorErrors);
HWY_EXPORT(vectorSquares);
}  // namespace

QuantizedErrors blockErrors(const ValueBlock& block, const Lattice& lattice, double known,
                            std::span<std::uint16_t> places)
{
    // Places are float32 on their way, and their distances 16 bits.
    constexpr double exactSingles = 0x1p24;
    if (std::max(-lattice.low, lattice.high) > exactSingles)
        return blockErrorsPlain(block, lattice, known, places);
    return HWY_DYNAMIC_DISPATCH(vectorErrors)(block, lattice, known, places.data());
}

QuantizedErrors blockErrorsPlain(const ValueBlock& block, const Lattice& lattice, double known,
                                 std::span<std::uint16_t> places)
{
    QuantizedErrors sums{.largest = known};
    for (std::size_t index = 0; index < block.values.size(); ++index)
        addPlain(block.values[index], index, lattice, sums, places);
    return sums;
}

SummingLanes squaresOf(std::span<const float> values)
{
    return HWY_DYNAMIC_DISPATCH(vectorSquares)(values.data(), values.size());
}

SummingLanes squaresOfPlain(std::span<const float> values)
{
    SummingLanes squares{};
    for (std::size_t index = 0; index < values.size(); ++index) {
        const double x = static_cast<double>(values[index]);
        squares[index % summingLanes] += x * x;
    }
    return squares;
}

}  // namespace calibscope::kernels
#endif
