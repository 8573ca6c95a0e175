#include "core/quant/quantizer.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
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
    if (scheme.isAffine() ? choice.threshold.has_value() : choice.range.has_value())
        throw std::invalid_argument("symmetric schemes take a threshold, affine schemes a range");
    if (choice.threshold && !(std::isfinite(*choice.threshold) && *choice.threshold >= 0.0))
        throw std::invalid_argument("a threshold must be finite and not negative");
    if (choice.range && !(std::isfinite(choice.range->width()) && choice.range->contains(0.0)))
        throw std::invalid_argument("a clip range must be finite and hold 0");
}

Range clipRange(const Scheme& scheme, const ClipChoice& choice)
{
    if (choice.range)
        return *choice.range;
    const double threshold = choice.threshold.value_or(0.0);
    if (scheme.isUnsigned())
        return {0.0, threshold};
    const double low = scheme.kind == SchemeKind::SymmetricFull
                           ? threshold * (scheme.qmax() + 1) / scheme.qmax()
                           : threshold;
    return {0.0 - low, threshold};
}

/// The scale that the clip range asks for; 0 where it is empty.
double wantedScale(const Scheme& scheme, const Range& clip)
{
    return scheme.isAffine() ? clip.width() / ((1 << scheme.bits) - 1)
                             : clip.high / scheme.divisorValue();
}

double zeroPointOf(const Scheme& scheme, const Quantizer& quantizer)
{
    const double zeroPoint = quantizer.lowLevel - quantizer.clip.low / quantizer.scale;
    if (scheme.kind == SchemeKind::AffineReal)
        return zeroPoint;
    const double nearest = rounded(zeroPoint, scheme.rounding) + 0.0;  // + 0.0 turns -0 into 0
    return std::clamp<double>(nearest, quantizer.lowLevel, quantizer.highLevel);
}

}  // namespace

int Quantizer::level(double x) const
{
    const double level = roundsWithZeroPoint ? rounded(x / scale + zeroPoint, rounding)
                                             : rounded(x / scale, rounding) + zeroPoint;
    return static_cast<int>(std::clamp<double>(level, lowLevel, highLevel));
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
    const double wanted = wantedScale(scheme, made.quantizer.clip);
    double scale = std::max(wanted, scheme.scaleFloor);
    if (scale == 0.0) {
        if (made.quantizer.clip.width() > 0.0)
            made.notes.emplace_back("the clip range is too narrow for a scale above 0, 1 is used");
        return made;
    }
    if (wanted < scheme.scaleFloor)
        made.notes.push_back("scale raised to its floor of " + numberText(scheme.scaleFloor));
    if (scheme.powerOfTwo)
        scale = powerOfTwoAbove(scale);
    if (1.0 / scale > static_cast<double>(std::numeric_limits<float>::max()))
        made.notes.emplace_back("1/scale overflows float32");
    made.quantizer.scale = scale;
    if (scheme.isAffine())
        made.quantizer.zeroPoint = zeroPointOf(scheme, made.quantizer);
    return made;
}

}  // namespace calibscope
