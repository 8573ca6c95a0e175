#include "core/quant/scheme.h"

#include "core/base/error.h"

#include <array>
#include <string>
#include <utility>

namespace calibscope {

namespace {

constexpr std::array<std::pair<SchemeKind, std::string_view>, 4> kindTexts{
    {{SchemeKind::SymmetricRestricted, "symmetric-restricted"},
     {SchemeKind::SymmetricFull, "symmetric-full"},
     {SchemeKind::Affine, "affine"},
     {SchemeKind::AffineReal, "affine-real"}}};

constexpr std::array<std::pair<Divisor, std::string_view>, 3> divisorTexts{
    {{Divisor::Qmax, "qmax"}, {Divisor::QmaxPlusHalf, "qmax+0.5"}, {Divisor::Levels, "2^b-1"}}};

constexpr std::array<std::pair<Rounding, std::string_view>, 3> roundingTexts{
    {{Rounding::HalfEven, "half-even"},
     {Rounding::HalfAway, "half-away"},
     {Rounding::FloorHalf, "floor-half"}}};

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

}  // namespace

int Scheme::lowLevel() const
{
    if (isUnsigned())
        return 0;
    return kind == SchemeKind::SymmetricRestricted ? -qmax() : -qmax() - 1;
}

int Scheme::highLevel() const
{
    return isUnsigned() ? (1 << bits) - 1 : qmax();
}

double Scheme::divisorValue() const
{
    switch (divisor) {
    case Divisor::Qmax: return qmax();
    case Divisor::QmaxPlusHalf: return qmax() + 0.5;
    case Divisor::Levels: return (1 << bits) - 1;
    }
    return qmax();
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
    throw Error(Fault::Usage, "there is no scheme " + std::string(text) + "; there are " + known);
}

const std::vector<Parameter>& schemeParameters()
{
    static const std::vector<Parameter> parameters{
        {.id = "divisor",
         .label = "Divisor",
         .help = "What a symmetric threshold is divided by; 2^b-1 is for data without negative "
                 "values, with levels from 0.",
         .kind = Parameter::Kind::Choice,
         .fallback = "qmax",
         .words = words(divisorTexts)},
        {.id = "rounding",
         .label = "Rounding",
         .help = "Where a value in the middle between two levels goes.",
         .kind = Parameter::Kind::Choice,
         .fallback = "half-even",
         .words = words(roundingTexts)},
        {.id = "scale-floor",
         .label = "Least scale",
         .help = "Smaller scales, and those of all-zero data, are raised to it.",
         .kind = Parameter::Kind::Number,
         .fallback = "0",
         .least = 0.0,
         .greatest = 1.0,
         .step = 1e-6},
        {.id = "power-of-two",
         .label = "Power of two",
         .help = "Rounds the scale up to a power of two.",
         .kind = Parameter::Kind::Choice,
         .fallback = "no",
         .words = {"no", "up"}},
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
    return parameters;
}

Scheme schemeFrom(SchemeKind kind, const Settings& settings)
{
    return {.kind = kind,
            .bits = settings.integer("bits"),
            .divisor = valueOf(divisorTexts, settings.text("divisor")),
            .rounding = valueOf(roundingTexts, settings.text("rounding")),
            .scaleFloor = settings.number("scale-floor"),
            .powerOfTwo = settings.is("power-of-two", "up")};
}

}  // namespace calibscope
