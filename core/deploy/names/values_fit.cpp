// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/values_fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace calibscope::deploy {

namespace {

/// What a small float holds: 1.f x 2^e.
struct FloatFields
{
    int fractionBits = 0;
    int leastExponent = 0;  ///< of normal values; smaller ones have the same steps
    double most = 0.0;      ///< the greatest finite value
};

constexpr FloatFields binary16{.fractionBits = 10, .leastExponent = -14, .most = 65504.0};
constexpr FloatFields bfloat16{.fractionBits = 7, .leastExponent = -126, .most = 0x1.FEp127};

bool isEqual(float one, float other)
{
    return one == other || (std::isnan(one) && std::isnan(other));
}

std::optional<float> rounded(const FloatFields& fields, float value)
{
    int exponent = 0;  // one above that of 1.f
    static_cast<void>(std::frexp(value, &exponent));
    const int step = std::max(exponent - 1, fields.leastExponent) - fields.fractionBits;
    // Powers of two move no digit; float32's least subnormal over bfloat16's step is a double.
    const double steps = std::nearbyint(std::ldexp(static_cast<double>(value), -step));
    const double nearest = std::ldexp(steps, step);
    if (std::fabs(nearest) > fields.most)
        return std::nullopt;
    return static_cast<float>(nearest);
}

}  // namespace

std::optional<float> roundedTo(ElementKind kind, float value)
{
    const bool isSmall = kind == ElementKind::Float16 || kind == ElementKind::Bfloat16;
    if (!isSmall || !std::isfinite(value) || value == 0.0F)
        return value;
    return rounded(kind == ElementKind::Float16 ? binary16 : bfloat16, value);
}

ValuesFit valuesFit(std::span<const float> recorded, ElementKind kind,
                    std::span<const float> values)
{
    if (recorded.size() != values.size())
        return ValuesFit::Differ;
    auto fit = ValuesFit::Equal;
    for (std::size_t place = 0; place < values.size(); ++place) {
        if (isEqual(recorded[place], values[place]))
            continue;
        const std::optional<float> nearest = roundedTo(kind, values[place]);
        if (!nearest || !isEqual(recorded[place], *nearest))
            return ValuesFit::Differ;
        fit = ValuesFit::Rounded;
    }
    return fit;
}

}  // namespace calibscope::deploy
