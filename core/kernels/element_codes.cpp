// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/element_codes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/element_codes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef CALIBSCOPE_ELEMENT_CODES_PLAIN
#define CALIBSCOPE_ELEMENT_CODES_PLAIN
namespace calibscope::kernels {

inline void addErrorPlain(float value, float decoded, std::size_t lane, float low, float high,
                          CodeErrors& errors)
{
    if (!std::isfinite(value)) {
        ++errors.notFinite;
        return;
    }
    const auto x = static_cast<double>(value);
    const auto y = static_cast<double>(decoded);
    const double error = x - y;
    const bool isClipped = value < low || value > high;
    ++errors.finite;
    errors.clipped += isClipped ? 1U : 0U;
    errors.flushed += decoded == 0.0F && value != 0.0F ? 1U : 0U;
    errors.squares[lane] += x * x;
    errors.squaresDecoded[lane] += y * y;
    errors.products[lane] += x * y;
    (isClipped ? errors.clipping : errors.rounding)[lane] += error * error;
    errors.largest[lane] = std::max(errors.largest[lane], std::abs(error));
}

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, codeLanes>;
using Bits = hn::RebindToUnsigned<Floats>;
using FloatVector = hn::Vec<Floats>;

HWY_INLINE FloatVector all(float value)
{
    return hn::Set(Floats(), value);
}

HWY_INLINE FloatVector within(FloatVector value, FloatVector low, FloatVector high)
{
    return hn::Min(hn::Max(value, low), high);
}

/// A whole number of at most 2^22.
HWY_INLINE FloatVector wholeNearest(FloatVector value, NearestNumber::Ties ties)
{
    const auto nearest = hn::Round(value);
    if (ties == NearestNumber::Ties::ToEven)
        return nearest;
    const auto towards = hn::Trunc(value);
    const auto other = ties == NearestNumber::Ties::TowardsZero
                           ? towards
                           : hn::Add(towards, hn::CopySign(all(1.0F), value));
    // The rest is exact: both are within a half of each other.
    const auto isTie = hn::Eq(hn::Abs(hn::Sub(value, nearest)), all(0.5F));
    return hn::IfThenElse(isTie, other, nearest);
}

/// Distance of the numbers about a value: a power of two.
HWY_INLINE hn::Vec<Bits> stepBits(FloatVector value, const NearestNumber& nearest)
{
    const Bits bits;
    const auto exponent = hn::And(hn::BitCast(bits, value), hn::Set(bits, 0x7F800000U));
    const auto mantissa = static_cast<std::uint32_t>(nearest.mantissaBits) << 23U;
    const auto least = std::bit_cast<std::uint32_t>(nearest.step) + mantissa;
    return hn::Sub(hn::Max(exponent, hn::Set(bits, least)), hn::Set(bits, mantissa));
}

template <NearestNumber::Kind kind>
HWY_INLINE FloatVector numberOf(FloatVector quotient, const BlockCode& code)
{
    using Kind = NearestNumber::Kind;
    const Floats floats;
    const NearestNumber& nearest = code.nearest;
    const auto low = all(code.low);
    const auto high = all(code.high);
    if constexpr (kind == Kind::Table) {
        auto number = all(nearest.numbers[0]);
        for (std::size_t i = 0; i < nearest.bounds.size(); ++i)
            number = hn::IfThenElse(hn::Ge(quotient, all(nearest.bounds[i])),
                                    all(nearest.numbers[i + 1]), number);
        return number;
    } else if constexpr (kind == Kind::Cut) {
        const auto cut = hn::Trunc(hn::Add(quotient, all(nearest.shift + 0.5F)));
        return within(hn::Sub(cut, all(nearest.shift)), low, high);
    } else if constexpr (kind == Kind::Floats) {
        const Bits bits;
        const auto value = within(quotient, low, high);
        const auto step = stepBits(value, nearest);
        const auto perStep = hn::Sub(hn::Set(bits, 254U << 23U), step);
        const auto number =
            hn::Mul(wholeNearest(hn::Mul(value, hn::BitCast(floats, perStep)), nearest.ties),
                    hn::BitCast(floats, step));
        return nearest.hasMinusZero ? hn::CopySign(number, value) : number;
    } else {
        const auto steps = wholeNearest(
            hn::Mul(within(quotient, low, high), all(1.0F / nearest.step)), nearest.ties);
        return hn::Mul(steps, all(nearest.step));
    }
}

template <NearestNumber::Kind kind>
HWY_INLINE FloatVector decodedOf(FloatVector value, const BlockCode& code)
{
    const auto most = all(std::numeric_limits<float>::max());
    const auto least = all(std::numeric_limits<float>::lowest());
    auto x = within(hn::IfThenZeroElse(hn::IsNaN(value), value), least, most);
    if (code.minimum != 0.0F)
        x = hn::Sub(x, all(code.minimum));
    auto quotient =
        code.isProduct ? hn::Mul(x, all(code.quotient)) : hn::Div(x, all(code.quotient));
    if (code.offset != 0.0F)
        quotient = hn::Add(quotient, all(code.offset));
    auto number = numberOf<kind>(quotient, code);
    if (code.offset != 0.0F)
        number = hn::Sub(number, all(code.offset));
    auto decoded = code.isDividedByQuotient ? hn::Div(number, all(code.quotient))
                                            : hn::Mul(number, all(code.scale));
    if (code.storedMinimum != 0.0F)
        decoded = hn::Add(decoded, all(code.storedMinimum));
    return within(decoded, least, most);
}

template <NearestNumber::Kind kind>
void decodeAs(const float* values, std::size_t size, const BlockCode& code, float* decoded)
{
    const Floats floats;
    const std::size_t step = hn::Lanes(floats);
    std::size_t i = 0;
    for (; i + step <= size; i += step)
        hn::StoreU(decodedOf<kind>(hn::LoadU(floats, values + i), code), floats, decoded + i);
    if (i == size)
        return;
    HWY_ALIGN std::array<float, codeLanes> rest{};
    std::copy(values + i, values + size, rest.begin());
    hn::Store(decodedOf<kind>(hn::Load(floats, rest.data()), code), floats, rest.data());
    std::copy_n(rest.begin(), size - i, decoded + i);
}

void vectorDecode(const float* values, std::size_t size, const BlockCode& code, float* decoded)
{
    using Kind = NearestNumber::Kind;
    switch (code.nearest.kind) {
    case Kind::Steps: return decodeAs<Kind::Steps>(values, size, code, decoded);
    case Kind::Floats: return decodeAs<Kind::Floats>(values, size, code, decoded);
    case Kind::Cut: return decodeAs<Kind::Cut>(values, size, code, decoded);
    case Kind::Table: return decodeAs<Kind::Table>(values, size, code, decoded);
    }
}

FiniteEnds vectorFiniteEnds(const float* values, std::size_t size)
{
    const Floats floats;
    const std::size_t step = hn::Lanes(floats);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    auto low = all(infinity);
    auto high = all(-infinity);
    FiniteEnds ends;
    std::size_t i = 0;
    for (; i + step <= size; i += step) {
        const auto x = hn::LoadU(floats, values + i);
        const auto isFinite = hn::IsFinite(x);
        ends.finite += hn::CountTrue(floats, isFinite);
        low = hn::Min(low, hn::IfThenElse(isFinite, x, all(infinity)));
        high = hn::Max(high, hn::IfThenElse(isFinite, x, all(-infinity)));
    }
    float least = hn::GetLane(hn::MinOfLanes(floats, low));
    float most = hn::GetLane(hn::MaxOfLanes(floats, high));
    for (; i < size; ++i)
        if (std::isfinite(values[i])) {
            ++ends.finite;
            least = std::min(least, values[i]);
            most = std::max(most, values[i]);
        }
    if (ends.finite > 0)
        ends = {ends.finite, least + 0.0F, most + 0.0F};
    return ends;
}

#if HWY_TARGET == HWY_SCALAR  // its vectors have no halves

void vectorCodeErrors(const float* values, const float* decoded, std::size_t size, float low,
                      float high, CodeErrors& errors)
{
    addCodeErrorsPlain({values, size}, {decoded, size}, low, high, errors);
}

#else

using HalfFloats = hn::Half<Floats>;
using Doubles = hn::Repartition<double, Floats>;

HWY_INLINE hn::Vec<Doubles> lowerOf(FloatVector x)
{
    return hn::PromoteTo(Doubles(), hn::LowerHalf(HalfFloats(), x));
}

HWY_INLINE hn::Vec<Doubles> upperOf(FloatVector x)
{
    return hn::PromoteTo(Doubles(), hn::UpperHalf(HalfFloats(), x));
}

struct CodeSums
{
    hn::Vec<Doubles> squares;
    hn::Vec<Doubles> squaresDecoded;
    hn::Vec<Doubles> products;
    hn::Vec<Doubles> rounding;
    hn::Vec<Doubles> clipping;
    hn::Vec<Doubles> largest;
};

HWY_INLINE CodeSums loadSums(const CodeErrors& errors, std::size_t lane)
{
    const Doubles doubles;
    return {hn::LoadU(doubles, &errors.squares[lane]),
            hn::LoadU(doubles, &errors.squaresDecoded[lane]),
            hn::LoadU(doubles, &errors.products[lane]),
            hn::LoadU(doubles, &errors.rounding[lane]),
            hn::LoadU(doubles, &errors.clipping[lane]),
            hn::LoadU(doubles, &errors.largest[lane])};
}

HWY_INLINE void storeSums(const CodeSums& sums, std::size_t lane, CodeErrors& errors)
{
    const Doubles doubles;
    hn::StoreU(sums.squares, doubles, &errors.squares[lane]);
    hn::StoreU(sums.squaresDecoded, doubles, &errors.squaresDecoded[lane]);
    hn::StoreU(sums.products, doubles, &errors.products[lane]);
    hn::StoreU(sums.rounding, doubles, &errors.rounding[lane]);
    hn::StoreU(sums.clipping, doubles, &errors.clipping[lane]);
    hn::StoreU(sums.largest, doubles, &errors.largest[lane]);
}

/// Everything but squared errors, which differ by whether a value is clipped.
HWY_INLINE void addSums(hn::Vec<Doubles> x, hn::Vec<Doubles> y, CodeSums& sums)
{
    const auto error = hn::Sub(x, y);
    sums.squares = hn::Add(sums.squares, hn::Mul(x, x));
    sums.squaresDecoded = hn::Add(sums.squaresDecoded, hn::Mul(y, y));
    sums.products = hn::Add(sums.products, hn::Mul(x, y));
    sums.largest = hn::Max(sums.largest, hn::Abs(error));
}

HWY_INLINE hn::Vec<Doubles> squaredError(hn::Vec<Doubles> x, hn::Vec<Doubles> y)
{
    const auto error = hn::Sub(x, y);
    return hn::Mul(error, error);
}

void vectorCodeErrors(const float* values, const float* decoded, std::size_t size, float low,
                      float high, CodeErrors& errors)
{
    const Floats floats;
    const std::size_t step = hn::Lanes(floats);
    const std::size_t whole = size - size % codeLanes;
    const auto zero = hn::Zero(floats);
    std::uint64_t finite = 0;
    for (std::size_t lane = 0; lane < codeLanes; lane += step) {
        CodeSums lower = loadSums(errors, lane);
        CodeSums upper = loadSums(errors, lane + step / 2);
        for (std::size_t i = lane; i < whole; i += codeLanes) {
            const auto read = hn::LoadU(floats, values + i);
            const auto isFinite = hn::IsFinite(read);
            const auto x = hn::IfThenElseZero(isFinite, read);
            const auto y = hn::IfThenElseZero(isFinite, hn::LoadU(floats, decoded + i));
            finite += hn::CountTrue(floats, isFinite);
            errors.flushed += hn::CountTrue(floats, hn::And(hn::Eq(y, zero), hn::Ne(x, zero)));
            addSums(lowerOf(x), lowerOf(y), lower);
            addSums(upperOf(x), upperOf(y), upper);
            const auto isClipped =
                hn::And(isFinite, hn::Or(hn::Lt(x, all(low)), hn::Gt(x, all(high))));
            const auto inX = hn::IfThenZeroElse(isClipped, x);
            const auto inY = hn::IfThenZeroElse(isClipped, y);
            lower.rounding = hn::Add(lower.rounding, squaredError(lowerOf(inX), lowerOf(inY)));
            upper.rounding = hn::Add(upper.rounding, squaredError(upperOf(inX), upperOf(inY)));
            if (hn::AllFalse(floats, isClipped))
                continue;
            errors.clipped += hn::CountTrue(floats, isClipped);
            const auto outX = hn::IfThenElseZero(isClipped, x);
            const auto outY = hn::IfThenElseZero(isClipped, y);
            lower.clipping = hn::Add(lower.clipping, squaredError(lowerOf(outX), lowerOf(outY)));
            upper.clipping = hn::Add(upper.clipping, squaredError(upperOf(outX), upperOf(outY)));
        }
        storeSums(lower, lane, errors);
        storeSums(upper, lane + step / 2, errors);
    }
    errors.finite += finite;
    errors.notFinite += whole - finite;
    for (std::size_t i = whole; i < size; ++i)
        addErrorPlain(values[i], decoded[i], i % codeLanes, low, high, errors);
}

#endif

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorDecode);
HWY_EXPORT(vectorFiniteEnds);
HWY_EXPORT(vectorCodeErrors);
}  // namespace

void decodeNearest(std::span<const float> values, const BlockCode& code, std::span<float> decoded)
{
    HWY_DYNAMIC_DISPATCH(vectorDecode)(values.data(), values.size(), code, decoded.data());
}

FiniteEnds finiteEnds(std::span<const float> values)
{
    return HWY_DYNAMIC_DISPATCH(vectorFiniteEnds)(values.data(), values.size());
}

FiniteEnds finiteEndsPlain(std::span<const float> values)
{
    FiniteEnds ends;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        ends.low = ends.finite == 0 ? value : std::min(ends.low, value);
        ends.high = ends.finite == 0 ? value : std::max(ends.high, value);
        ++ends.finite;
    }
    return {ends.finite, ends.low + 0.0F, ends.high + 0.0F};
}

void addCodeErrors(std::span<const float> values, std::span<const float> decoded, float low,
                   float high, CodeErrors& errors)
{
    HWY_DYNAMIC_DISPATCH(vectorCodeErrors)
    (values.data(), decoded.data(), values.size(), low, high, errors);
}

void addCodeErrorsPlain(std::span<const float> values, std::span<const float> decoded, float low,
                        float high, CodeErrors& errors)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        addErrorPlain(values[i], decoded[i], i % codeLanes, low, high, errors);
}

}  // namespace calibscope::kernels
#endif
