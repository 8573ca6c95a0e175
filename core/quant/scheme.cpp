// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/scheme.h"

#include "core/base/error.h"
#include "core/base/float32.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace calibscope {

namespace {

constexpr std::array<std::pair<SchemeKind, std::string_view>, 4> kindTexts{
    {{SchemeKind::SymmetricRestricted, "symmetric-restricted"},
     {SchemeKind::SymmetricFull, "symmetric-full"},
     {SchemeKind::Affine, "affine"},
     {SchemeKind::AffineReal, "affine-real"}}};

constexpr std::array<std::pair<Divisor, std::string_view>, 5> divisorTexts{
    {{Divisor::Qmax, "qmax"},
     {Divisor::QmaxPlusHalf, "qmax+0.5"},
     {Divisor::Levels, "2^b-1"},
     {Divisor::Ratio, "ratio"},
     {Divisor::QmaxPlusOne, "qmax+1"}}};

constexpr std::array<std::pair<Rounding, std::string_view>, 3> roundingTexts{
    {{Rounding::HalfEven, "half-even"},
     {Rounding::HalfAway, "half-away"},
     {Rounding::FloorHalf, "floor-half"}}};

constexpr std::array<std::pair<Arithmetic, std::string_view>, 3> arithmeticTexts{
    {{Arithmetic::Double, "double"},
     {Arithmetic::Float32, "float32"},
     {Arithmetic::Float32Ends, "float32-ends"}}};

constexpr std::array<std::pair<Integers, std::string_view>, 3> integersTexts{
    {{Integers::Scheme, "scheme"}, {Integers::Signed, "signed"}, {Integers::Unsigned, "unsigned"}}};

constexpr std::array<std::pair<ZeroPointRule, std::string_view>, 2> zeroPointTexts{
    {{ZeroPointRule::FromLow, "from-low"}, {ZeroPointRule::FromNearerEnd, "from-nearer-end"}}};

constexpr std::array<std::pair<bool, std::string_view>, 2> powerOfTwoTexts{
    {{false, "no"}, {true, "up"}}};

constexpr std::array<std::pair<bool, std::string_view>, 2> unsignedTexts{
    {{false, "no"}, {true, "when-positive"}}};

template <typename Texts>
std::vector<std::string> words(const Texts& texts)
{
    std::vector<std::string> list;
    for (const auto& [value, text] : texts)
        list.emplace_back(text);
    return list;
}

/// The value of a word that Settings have checked already.
template <typename Texts>
auto valueOf(const Texts& texts, std::string_view word)
{
    for (const auto& [value, text] : texts)
        if (text == word)
            return value;
    return texts.front().first;
}

template <typename Texts>
Parameter choiceOf(const char* id, const char* label, const char* help, const Texts& texts,
                   Parameter::Schemes schemes = Parameter::Schemes::All)
{
    Parameter parameter = choiceParameter(id, label, help, words(texts));
    parameter.schemes = schemes;
    return parameter;
}

std::vector<Parameter> scaleParameters()
{
    return {
        choiceOf("divisor", "Divisor",
                 "What a symmetric threshold is divided by; 2^b-1 is for data without negative "
                 "values, with levels from 0; ratio is qmax with each end of the data weighed "
                 "against its own levels.",
                 divisorTexts, Parameter::Schemes::Symmetric),
        choiceOf("rounding", "Rounding", "Where a value halfway between two levels goes.",
                 roundingTexts),
        {.id = "scale-floor",
         .label = "Minimum scale",
         .help = "Smaller scales, and those of all-zero data, are raised to it.",
         .kind = Parameter::Kind::Number,
         .fallback = "0",
         .least = 0.0,
         .greatest = 1.0,
         .step = 1e-6},
        {.id = "zero-scale",
         .label = "Scale of zeros",
         .help = "The scale where the clip range is empty; floor: the least scale, or 1 without "
                 "one.",
         .kind = Parameter::Kind::NumberOrWord,
         .fallback = "floor",
         .least = 1e-30,
         .greatest = 1e6,
         .step = 0.1,
         .words = {"floor"}},
        choiceOf("power-of-two", "Power of two", "Rounds the scale up to a power of two.",
                 powerOfTwoTexts),
        {.id = "bits",
         .label = "Bits",
         .help = "Width of the integers.",
         .kind = Parameter::Kind::Integer,
         .fallback = "8",
         .least = 2,
         .greatest = 16,
         .step = 1,
         .unit = "bits"},
    };
}

std::vector<Parameter> integerParameters()
{
    return {
        choiceOf("unsigned", "Unsigned",
                 "Whether symmetric data without negative values get the divisor 2^b-1 and levels "
                 "from 0.",
                 unsignedTexts, Parameter::Schemes::Symmetric),
        choiceOf("integers", "Integers",
                 "Which integers stand for the levels: those of the scheme, from -2^(bits-1), or "
                 "from 0.",
                 integersTexts),
        choiceOf("zero-point", "Zero point",
                 "The end that an affine zero point is computed from: the low one, or the one with "
                 "the smaller terms (then rounded half away from zero, and 0 where |lo + hi| is at "
                 "most 2^-23).",
                 zeroPointTexts, Parameter::Schemes::Affine),
        choiceOf("arithmetic", "Arithmetic",
                 "Precision of ends, scale and zero point: double; float32 at every step; or "
                 "float32 ends and scale with double steps between them.",
                 arithmeticTexts),
    };
}

std::vector<Parameter> allParameters()
{
    std::vector<Parameter> parameters = scaleParameters();
    for (Parameter& parameter : integerParameters())
        parameters.push_back(std::move(parameter));
    return parameters;
}

}  // namespace

int Scheme::lowestOfKind() const
{
    if (isUnsigned())
        return 0;
    return kind == SchemeKind::SymmetricRestricted ? -qmax() : -qmax() - 1;
}

int Scheme::highestOfKind() const
{
    return isUnsigned() ? (1 << bits) - 1 : qmax();
}

int Scheme::zeroLevel() const
{
    switch (integers) {
    case Integers::Scheme: return 0;
    case Integers::Signed: return isUnsigned() ? -qmax() - 1 : 0;
    case Integers::Unsigned: return isUnsigned() ? 0 : qmax() + 1;
    }
    return 0;
}

double Scheme::divisorValue() const
{
    switch (divisor) {
    case Divisor::Qmax: return qmax();
    case Divisor::QmaxPlusHalf: return qmax() + 0.5;
    case Divisor::Levels: return (1 << bits) - 1;
    case Divisor::Ratio: return qmax();
    case Divisor::QmaxPlusOne: return qmax() + 1;
    }
    return qmax();
}

Scheme schemeFor(const Scheme& scheme, const Range& ends)
{
    Scheme own = scheme;
    own.unsignedWhenPositive = false;
    if (scheme.unsignedWhenPositive && !scheme.isAffine() && ends.low >= 0.0 && ends.high > 0.0)
        own.divisor = Divisor::Levels;
    return own;
}

double thresholdOver(const Scheme& scheme, const Range& ends)
{
    const bool hasFurtherLevel =
        scheme.divisor == Divisor::Ratio && scheme.kind == SchemeKind::SymmetricFull;
    const double below = 0.0 - ends.low;  // 0.0 -: never -0
    return std::max(ends.high,
                    hasFurtherLevel ? below * scheme.qmax() / (scheme.qmax() + 1) : below);
}

double nearestFloat32(double value)
{
    constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
    return toFloat32(std::clamp(value, -most, most));
}

std::string_view schemeText(SchemeKind kind)
{
    for (const auto& [value, text] : kindTexts)
        if (value == kind)
            return text;
    return kindTexts.front().second;
}

SchemeKind parseSchemeKind(std::string_view text)
{
    std::string known;
    for (const auto& [kind, id] : kindTexts) {
        if (id == text)
            return kind;
        known += (known.empty() ? "" : ", ") + std::string(id);
    }
    throw Error(Fault::Usage, "there is no scheme {}; available: {}", text, known);
}

const std::vector<Parameter>& schemeParameters()
{
    static const std::vector<Parameter> parameters = allParameters();
    return parameters;
}

Scheme schemeFrom(SchemeKind kind, const Settings& settings)
{
    return {.kind = kind,
            .bits = settings.integer("bits"),
            .divisor = valueOf(divisorTexts, settings.text("divisor")),
            .rounding = valueOf(roundingTexts, settings.text("rounding")),
            .scaleFloor = settings.number("scale-floor"),
            .zeroScale = settings.is("zero-scale", "floor") ? 0.0 : settings.number("zero-scale"),
            .powerOfTwo = valueOf(powerOfTwoTexts, settings.text("power-of-two")),
            .unsignedWhenPositive = valueOf(unsignedTexts, settings.text("unsigned")),
            .arithmetic = valueOf(arithmeticTexts, settings.text("arithmetic")),
            .integers = valueOf(integersTexts, settings.text("integers")),
            .zeroPointRule = valueOf(zeroPointTexts, settings.text("zero-point"))};
}

}  // namespace calibscope
