// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/block_code.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace calibscope {

namespace {

constexpr float largestFloat = std::numeric_limits<float>::max();
constexpr float leastFloat = std::numeric_limits<float>::denorm_min();

/// The nearest float that is finite and not 0.
float usable(double value)
{
    constexpr auto most = static_cast<double>(largestFloat);
    const auto nearest = static_cast<float>(std::clamp(value, -most, most));
    return nearest != 0.0F ? nearest : std::signbit(value) ? -leastFloat : leastFloat;
}

float finite(float value)
{
    return std::clamp(value, -largestFloat, largestFloat);
}

/// Greatest whole number of which 2 to the power is not above a positive value, which is none of
/// double's subnormal ones.
int floorLog2(double value)
{
    return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52U) - 1023;
}

/// Exponent of an E8M0 scale before it is held to what a byte can be.
int wantedExponent(const BlockFormat& format, float largest)
{
    const double peak = static_cast<double>(largest);
    const double most = format.element->largest();
    const int floor = floorLog2(peak) - floorLog2(most);
    switch (format.rule) {
    case ScaleRule::Rceil: return floor + (peak > std::ldexp(most, floor) ? 1 : 0);
    case ScaleRule::Ceil: return floor + (peak > std::ldexp(1.0, floorLog2(peak)) ? 1 : 0);
    case ScaleRule::Even: {
        // Halfway from the largest number with that mantissa to the next power of two.
        const double border = 2.0 - std::ldexp(1.0, -1 - format.element->mantissaBits());
        return floor + (peak >= std::ldexp(border, floorLog2(peak)) ? 1 : 0);
    }
    default: return floor;
    }
}

BlockScale powerOfTwoScale(const BlockFormat& format, float largest)
{
    constexpr int least = -127;  // OCP MX 1.0, 5.4.1
    constexpr int most = 127;
    const int wanted = largest == 0.0F ? least : wantedExponent(format, largest);
    const int exponent = std::clamp(wanted, least, most);
    BlockScale scale{.scale = format.scales->decode(static_cast<unsigned>(exponent - least)),
                     .pattern = static_cast<unsigned>(exponent - least),
                     .isLeast = wanted<least, .isLargest = wanted> most};
    scale.quotient = scale.scale;
    return scale;
}

BlockScale twoLevelScale(const BlockFormat& format, float largest, float tensorScale)
{
    const ElementFormat& stored = *format.scales;
    const auto most = static_cast<float>(stored.largest());
    const auto least = static_cast<float>(format.leastScale);
    const float across = static_cast<float>(format.element->largest()) * tensorScale;
    const float wanted = across > 0.0F ? largest / across : largest == 0.0F ? 0.0F : most;
    const unsigned pattern = stored.encode(std::clamp(wanted, least, most));
    const float own = stored.decode(pattern);
    return {.scale = own * tensorScale,
            .quotient = format.elementsByUnrounded && wanted > 0.0F ? finite(wanted) * tensorScale
                                                                    : own * tensorScale,
            .pattern = pattern,
            .isLeast = largest > 0.0F && (wanted < least || own == 0.0F),
            .isLargest = wanted > most * (1.0F + 0x1p-22F)};  // T is rounded
}

struct BlockRange
{
    float low = 0.0F;
    float high = 0.0F;

    /// In float32 as the tools have it, unless that is beyond float32.
    [[nodiscard]] float stepOf(float levels) const
    {
        const float width = high - low;
        return std::isfinite(width)
                   ? width / levels
                   : static_cast<float>((static_cast<double>(high) - static_cast<double>(low)) /
                                        static_cast<double>(levels));
    }
};

BlockScale affineScale(const BlockFormat& format, const BlockPeak& peak)
{
    const auto levels = static_cast<float>(format.element->largest());
    BlockRange range{peak.low, peak.high};
    if (format.zeroInRange)
        range = {std::min(range.low, 0.0F), std::max(range.high, 0.0F)};
    const float step = range.stepOf(levels);
    if (format.zeroIsFloat) {  // as HQQ: values times levels / width, plus the zero point
        const float width = range.high - range.low;
        const float inverse = width > 0.0F && std::isfinite(width)
                                  ? usable(static_cast<double>(levels / width))
                                  : 1.0F;
        BlockScale scale = storedScale(format, finite(1.0F / inverse));
        scale.quotient = inverse;
        scale.zeroPoint = finite(-range.low * inverse);
        return scale;
    }
    BlockScale scale =
        storedScale(format, range.low == range.high ? 1.0F : usable(static_cast<double>(step)));
    const float zero = scale.scale == 0.0F ? 0.0F : std::nearbyint(-range.low / scale.scale);
    scale.zeroPoint = std::clamp(zero, 0.0F, levels);
    return scale;
}

BlockScale minimumScale(const BlockFormat& format, const BlockPeak& peak)
{
    const BlockRange range{peak.low, peak.high};
    BlockScale scale =
        storedScale(format, range.stepOf(static_cast<float>(format.element->largest())));
    const unsigned minimum = format.scales->encode(range.low);
    scale.minimum = format.elementsByUnrounded ? range.low : format.scales->decode(minimum);
    scale.pattern |= minimum << 16U;
    return scale;
}

/// Level of a whole number that may be none of the format's.
std::uint16_t patternOf(const ElementFormat& element, float level)
{
    return static_cast<std::uint16_t>(element.encode(level));
}

/// What is added to the product of a decoded value.
float storedMinimum(const BlockFormat& format, const BlockScale& scale)
{
    const bool isOfBlock = format.rule == ScaleRule::Minimum && !format.superBlock;
    return isOfBlock ? format.scales->decode(scale.pattern >> 16U) : scale.minimum;
}

struct Coded
{
    std::uint16_t pattern = 0;
    float decoded = 0.0F;
};

Coded codeOf(const BlockFormat& format, const BlockScale& scale, float x)
{
    const ElementFormat& element = *format.element;
    const float value = std::isnan(x) ? 0.0F : finite(x);
    switch (format.rule) {
    case ScaleRule::Affine: {
        const float zero = scale.zeroPoint;
        const float level = format.zeroIsFloat
                                ? std::nearbyint(value * scale.quotient + zero)
                                : std::nearbyint(quotientOf(format, scale, value)) + zero;
        const std::uint16_t pattern = patternOf(element, level);
        return {pattern, scale.scale * (element.decode(pattern) - zero)};
    }
    case ScaleRule::Minimum: {
        const float steps = quotientOf(format, scale, value - scale.minimum);
        const std::uint16_t pattern = patternOf(
            element, format.cutsFraction ? std::trunc(steps + 0.5F) : std::nearbyint(steps));
        return {pattern, element.decode(pattern) * scale.scale + storedMinimum(format, scale)};
    }
    default: break;
    }
    float quotient = quotientOf(format, scale, value);
    if (format.isNarrow)
        quotient = std::max(quotient, -static_cast<float>(element.largest()));
    if (format.cutsFraction) {
        const float shift = -static_cast<float>(element.numbers().least());
        const std::uint16_t pattern =
            patternOf(element, std::trunc(quotient + (shift + 0.5F)) - shift);
        return {pattern, scale.scale * element.decode(pattern)};
    }
    const auto pattern = static_cast<std::uint16_t>(element.encode(quotient, format.ties));
    const float decoded = element.decode(pattern);
    const bool isDivided = format.quotient == Quotient::Inverse && element.numbers().isInteger();
    return {pattern, isDivided ? decoded / scale.quotient : scale.scale * decoded};
}

/// Vectors of what codeOf() decodes to.
void decodeBlock(const BlockFormat& format, const BlockScale& scale, std::span<const float> values,
                 std::span<float> decoded)
{
    const bool isInteger = format.element->numbers().isInteger();
    const kernels::NearestNumber& nearest = format.element->nearest(
        format.cutsFraction ? ElementRounding::Cut
        : format.rule == ScaleRule::Affine || format.rule == ScaleRule::Minimum
            ? ElementRounding::ToEven
            : roundingOf(format.ties));
    const float moved = format.zeroIsFloat ? 0.0F : scale.zeroPoint;
    const bool isInverse = format.quotient == Quotient::Inverse;
    kernels::decodeNearest(values,
                           {.nearest = nearest,
                            .low = (format.isNarrow ? -nearest.high : nearest.low) - moved,
                            .high = nearest.high - moved,
                            .quotient = scale.quotient,
                            .scale = scale.scale,
                            .offset = format.zeroIsFloat ? scale.zeroPoint : 0.0F,
                            .minimum = scale.minimum,
                            .storedMinimum = storedMinimum(format, scale),
                            .isProduct = format.zeroIsFloat || format.quotient != Quotient::Divided,
                            .isDividedByQuotient = isInverse && isInteger &&
                                                   format.rule != ScaleRule::Affine &&
                                                   format.rule != ScaleRule::Minimum},
                           decoded);
}

}  // namespace

void BlockPeak::add(std::span<const float> values)
{
    const kernels::FiniteEnds ends = kernels::finiteEnds(values);
    notFinite += values.size() - ends.finite;
    if (ends.finite == 0)
        return;
    low = finite == 0 ? ends.low : std::min(low, ends.low);
    high = finite == 0 ? ends.high : std::max(high, ends.high);
    finite += ends.finite;
    const float most = std::max(-ends.low, ends.high);
    if (most <= std::abs(extreme))
        return;
    extreme = most == ends.high ? ends.high : ends.low;
    if (ends.high == -ends.low)  // the first of the two
        extreme = *std::ranges::find(values, most, [](float x) { return std::abs(x); });
}

float BlockPeak::largest() const
{
    return std::abs(extreme);
}

float tensorScale(const BlockFormat& format, float largest)
{
    // Largest element times largest block scale; four over six needs half as much again.
    const float across = format.search.kind == ScaleSearch::Kind::FourOverSix ? 1536.0F   // 6 x 256
                                                                              : 2688.0F;  // 6 x 448
    if (!format.hasTensorScale)
        return 1.0F;
    const float maximum =
        format.tensorMaximum ? static_cast<float>(*format.tensorMaximum) : largest;
    return maximum == 0.0F ? 1.0F : usable(static_cast<double>(maximum / across));
}

BlockScale blockScale(const BlockFormat& format, const BlockPeak& peak, float tensorScale)
{
    const float largest = peak.largest();
    switch (format.rule) {
    case ScaleRule::Floor:
    case ScaleRule::Rceil:
    case ScaleRule::Even:
    case ScaleRule::Ceil: return powerOfTwoScale(format, largest);
    case ScaleRule::TwoLevel: return twoLevelScale(format, largest, tensorScale);
    case ScaleRule::Affine: return affineScale(format, peak);
    case ScaleRule::Minimum: return minimumScale(format, peak);
    case ScaleRule::Signed: {
        const auto lowest = static_cast<float>(format.element->numbers().least());
        if (largest == 0.0F)  // a table without 0 has it by a scale of 0
            return storedScale(format, format.element->nearest(0.0F) == 0.0F ? 1.0F : 0.0F);
        return storedScale(format, usable(static_cast<double>(peak.extreme / lowest)));
    }
    case ScaleRule::BothEnds: {
        const NumberFormat& numbers = format.element->numbers();
        const float below = std::min(peak.low, 0.0F) / static_cast<float>(numbers.least());
        const float above = std::max(peak.high, 0.0F) / static_cast<float>(numbers.largest());
        return storedScale(
            format, largest == 0.0F ? 1.0F : usable(static_cast<double>(std::max(below, above))));
    }
    case ScaleRule::Threshold: break;
    }
    if (largest == 0.0F)
        return storedScale(format, 1.0F);
    const auto divisor = static_cast<float>(format.divisor);
    if (format.quotient != Quotient::Inverse)
        return storedScale(format, usable(static_cast<double>(largest / divisor)));
    // As PyTorch divides a number by a tensor.
    const float inverse = usable(static_cast<double>(divisor * finite(1.0F / largest)));
    BlockScale scale = storedScale(format, usable(static_cast<double>(1.0F / inverse)));
    scale.quotient = inverse;
    return scale;
}

float quotientOf(const BlockFormat& format, const BlockScale& scale, float x)
{
    return format.quotient == Quotient::Divided ? x / scale.quotient : x * scale.quotient;
}

BlockScale storedBlockScale(const BlockFormat& format, unsigned pattern, float tensorScale)
{
    BlockScale scale{.scale = format.scales->decode(pattern) * tensorScale, .pattern = pattern};
    scale.quotient = scale.scale;
    return scale;
}

BlockScale storedScale(const BlockFormat& format, float wanted)
{
    BlockScale scale{.scale = wanted, .pattern = std::bit_cast<std::uint32_t>(wanted)};
    if (format.scales != nullptr) {
        scale.pattern = format.scales->encode(wanted);
        scale.scale = format.scales->decode(scale.pattern);
        scale.isLargest = std::abs(wanted) > static_cast<float>(format.scales->largest());
        scale.isLeast = scale.scale == 0.0F && wanted != 0.0F;
    }
    const float by = format.elementsByUnrounded ? wanted : scale.scale;
    scale.quotient = format.quotient == Quotient::Divided ? by
                     : by == 0.0F                         ? 0.0F
                                                          : finite(1.0F / by);
    return scale;
}

void encodeBlock(const BlockFormat& format, const BlockScale& scale, std::span<const float> values,
                 std::span<float> decoded, std::span<std::uint16_t> patterns)
{
    // A scale that is stored as 0 leaves nothing of any value.
    const bool isNothing = scale.quotient == 0.0F && format.rule != ScaleRule::Minimum;
    if (patterns.empty()) {
        if (isNothing)
            std::ranges::fill(decoded, 0.0F);
        else
            decodeBlock(format, scale, values, decoded);
        return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Coded coded = isNothing ? Coded{patternOf(*format.element, 0.0F), 0.0F}
                                      : codeOf(format, scale, values[i]);
        decoded[i] = finite(coded.decoded);
        patterns[i] = coded.pattern;
    }
}

void BlockEnds::addErrors(std::span<const float> values, std::span<const float> decoded,
                          kernels::CodeErrors& errors) const
{
    constexpr float slack = 1.0F + 0x1p-22F;
    kernels::addCodeErrors(values, decoded, low * slack, high * slack, errors);
}

BlockEnds blockEnds(const BlockFormat& format, const BlockScale& scale)
{
    const bool isUnrounded =
        format.elementsByUnrounded && !format.zeroIsFloat && scale.quotient != 0.0F;
    const float step = !isUnrounded                           ? scale.scale
                       : format.quotient == Quotient::Divided ? scale.quotient
                                                              : finite(1.0F / scale.quotient);
    const float zero = scale.zeroPoint;
    const float minimum = format.rule == ScaleRule::Minimum ? scale.minimum : 0.0F;
    const kernels::NearestNumber& numbers = format.element->nearest(ElementRounding::ToEven);
    const float least = format.isNarrow ? -numbers.high : numbers.low;
    const float first = finite(step * (least - zero) + minimum);
    const float last = finite(step * (numbers.high - zero) + minimum);
    return {std::min(first, last), std::max(first, last)};
}

}  // namespace calibscope
