// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/quantizer.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace calibscope {

namespace {

double rounded(double value, Rounding rounding)
{
    switch (rounding) {
    case Rounding::HalfEven: return std::nearbyint(value);
    case Rounding::HalfAway: return std::round(value);
    case Rounding::FloorHalf: return std::floor(value + 0.5);
    }
    return value;
}

/// The least power of two that is not below a positive value.
double powerOfTwoAbove(double value)
{
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
    return fraction == 0.5 ? value : std::ldexp(1.0, exponent);
}

void checkChoice(const Scheme& scheme, const ClipChoice& choice)
{
    const bool isOfOtherKind =
        scheme.isAffine() ? choice.threshold.has_value() : choice.range && !choice.threshold;
    if (isOfOtherKind)
        throw std::invalid_argument("symmetric schemes take a threshold, affine schemes a range");
    if (choice.threshold && !(std::isfinite(*choice.threshold) && *choice.threshold >= 0.0))
        throw std::invalid_argument("a threshold must be finite and not negative");
    if (choice.range && !(std::isfinite(choice.range->width()) && choice.range->width() >= 0.0))
        throw std::invalid_argument("a clip range must be finite, its low end not above its high");
}

Range clipRange(const Scheme& scheme, const ClipChoice& choice)
{
    Range clip = choice.range.value_or(Range{});
    if (choice.threshold && !choice.range) {
        const double threshold = *choice.threshold;
        const double below = scheme.kind == SchemeKind::SymmetricFull
                                 ? threshold * (scheme.qmax() + 1) / scheme.qmax()
                                 : threshold;
        clip = {scheme.isUnsigned() ? 0.0 : 0.0 - below, threshold};
    }
    if (scheme.arithmetic == Arithmetic::Double)
        return clip;
    return {nearestFloat32(clip.low), nearestFloat32(clip.high)};
}

/// A step of the computation, rounded if every step is.
double step(const Scheme& scheme, double value)
{
    return scheme.arithmetic == Arithmetic::Float32 ? nearestFloat32(value) : value;
}

/// The scale that the clip range asks for; 0 where it is empty.
double wantedScale(const Scheme& scheme, const Range& clip)
{
    if (scheme.isAffine() || scheme.divisor == Divisor::Ratio)
        return step(scheme, step(scheme, clip.width()) / (scheme.highLevel() - scheme.lowLevel()));
    return step(scheme, clip.high / scheme.divisorValue());
}

/// The scale as it is kept: never rounded to 0.
double storedScale(const Scheme& scheme, double scale)
{
    constexpr auto least = static_cast<double>(std::numeric_limits<float>::denorm_min());
    return scheme.arithmetic == Arithmetic::Double ? scale : std::max(nearestFloat32(scale), least);
}

/// Of both equations for the zero point the one that adds the smaller terms.
double zeroPointFromNearerEnd(const Quantizer& quantizer, double scale)
{
    const double low = quantizer.clip.low / scale;
    const double high = quantizer.clip.high / scale;
    const bool isLowNearer = std::abs(quantizer.lowLevel) + std::abs(low) <
                             std::abs(quantizer.highLevel) + std::abs(high);
    return isLowNearer ? quantizer.lowLevel - low : quantizer.highLevel - high;
}

/// `scale` is not yet rounded to what is stored.
double zeroPointOf(const Scheme& scheme, const Quantizer& quantizer, double scale)
{
    constexpr auto almostSymmetric = static_cast<double>(std::numeric_limits<float>::epsilon());
    const bool isNearer = scheme.zeroPointRule == ZeroPointRule::FromNearerEnd;
    double zeroPoint = isNearer ? zeroPointFromNearerEnd(quantizer, scale)
                                : quantizer.lowLevel - step(scheme, quantizer.clip.low / scale);
    if (isNearer && std::abs(quantizer.clip.low + quantizer.clip.high) <= almostSymmetric)
        zeroPoint = 0.0;
    if (scheme.kind == SchemeKind::AffineReal)
        return zeroPoint;
    const Rounding rounding = isNearer ? Rounding::HalfAway : scheme.rounding;
    const double nearest = rounded(zeroPoint, rounding) + 0.0;  // + 0.0 turns -0 into 0
    return std::clamp<double>(nearest, quantizer.lowLevel, quantizer.highLevel);
}

/// The scale of the clip range after floor and rounding up, and what is odd about it; nothing where
/// the range is too narrow for one.
std::optional<double> scaleOf(const Scheme& scheme, const Range& clip,
                              std::vector<std::string>& notes)
{
    const double wanted = wantedScale(scheme, clip);
    double scale = std::max(wanted, scheme.scaleFloor);
    if (scale == 0.0) {
        if (clip.width() > 0.0)
            notes.emplace_back("the clip range is too narrow for a scale above 0, " +
                               numberText(scheme.zeroScale > 0.0 ? scheme.zeroScale : 1.0) +
                               " is used");
        if (scheme.zeroScale == 0.0)
            return std::nullopt;
        scale = scheme.zeroScale;
    } else if (wanted < scheme.scaleFloor)
        notes.push_back("scale raised to its floor of " + numberText(scheme.scaleFloor));
    return scheme.powerOfTwo ? powerOfTwoAbove(scale) : scale;
}

/// What the levels stand for becomes the clip range where the zero point could not follow the
/// chosen one.
void clipAtLevels(QuantizerChoice& made)
{
    Quantizer& quantizer = made.quantizer;
    const Range chosen = quantizer.clip;
    quantizer.clip = {quantizer.value(quantizer.lowLevel), quantizer.value(quantizer.highLevel)};
    made.notes.push_back("0 lies outside the chosen range from " + numberText(chosen.low) + " to " +
                         numberText(chosen.high) + ": the zero point stops at " +
                         numberText(quantizer.zeroPoint) + ", the levels reach from " +
                         numberText(quantizer.clip.low) + " to " + numberText(quantizer.clip.high));
}

}  // namespace

int Quantizer::level(double x) const
{
    const double level = roundsWithZeroPoint ? rounded(x / scale + zeroPoint, rounding)
                                             : rounded(x / scale, rounding) + zeroPoint;
    return static_cast<int>(std::clamp<double>(level, lowLevel, highLevel));
}

Range Quantizer::roundingCell(int level) const
{
    const double place = level - zeroPoint;
    Range cell{scale * (place - 0.5), scale * (place + 0.5)};
    if (level == lowLevel && cell.contains(clip.low))
        cell.low = clip.low;
    if (level == highLevel && cell.contains(clip.high))
        cell.high = clip.high;
    return cell;
}

QuantizerChoice makeQuantizer(const Scheme& scheme, const ClipChoice& choice)
{
    checkChoice(scheme, choice);
    QuantizerChoice made{
        .quantizer = {.clip = clipRange(scheme, choice),
                      .lowLevel = scheme.lowLevel(),
                      .highLevel = scheme.highLevel(),
                      .rounding = scheme.rounding,
                      .roundsWithZeroPoint = scheme.kind == SchemeKind::AffineReal}};
    if (!choice.threshold && !choice.range)
        return made;
    if (!scheme.isAffine())
        made.quantizer.zeroPoint = scheme.zeroLevel();
    const std::optional<double> scale = scaleOf(scheme, made.quantizer.clip, made.notes);
    if (!scale)
        return made;
    made.quantizer.scale = storedScale(scheme, *scale);
    if (scheme.isAffine())
        made.quantizer.zeroPoint = zeroPointOf(scheme, made.quantizer, *scale);
    if (scheme.kind == SchemeKind::Affine && !made.quantizer.clip.contains(0.0))
        clipAtLevels(made);
    if (nearestFloat32(made.quantizer.scale) == 0.0)
        made.notes.emplace_back("the scale is 0 in float32");
    if (1.0 / made.quantizer.scale > static_cast<double>(std::numeric_limits<float>::max()))
        made.notes.emplace_back("1/scale overflows float32");
    return made;
}

}  // namespace calibscope
