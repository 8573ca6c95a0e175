#include "core/report/python/scheme_code.h"

#include <string>

namespace calibscope::python {

namespace {

/// Why there is no Python of the scheme; empty: there is.
std::string problemOf(const Scheme& scheme)
{
    const std::string end = ": it copies a tool's order of rounding";
    if (scheme.arithmetic != Arithmetic::Double)
        return "no Python for arithmetic other than double" + end;
    if (scheme.isAffine() && scheme.zeroPointRule == ZeroPointRule::FromNearerEnd)
        return "no Python for zero-point=from-nearer-end" + end;
    if (!scheme.isAffine() && scheme.divisor == Divisor::Ratio)
        return "no Python for divisor=ratio" + end;
    if (!scheme.isAffine() && scheme.unsignedWhenPositive)
        return "no Python for unsigned=when-positive: choose divisor=2^b-1 or qmax instead";
    return {};
}

/// Arguments whose values are not the defaults of the Python.
std::string furtherArguments(const Scheme& scheme)
{
    std::string text;
    if (scheme.rounding != Rounding::HalfEven)
        text += std::string(", rounded=") +
                (scheme.rounding == Rounding::HalfAway ? "half_away" : "floor_half");
    if (scheme.scaleFloor > 0.0)
        text += ", floor=" + literal(scheme.scaleFloor);
    if (scheme.zeroScale > 0.0)
        text += ", zero_scale=" + literal(scheme.zeroScale);
    if (scheme.powerOfTwo)
        text += ", power_of_two=True";
    return text;
}

}  // namespace

Code schemeCode(const Scheme& scheme)
{
    if (std::string problem = problemOf(scheme); !problem.empty())
        return {.text = {}, .problem = std::move(problem)};
    Code code{.text = {}, .needs = {"quantizer", scheme.isAffine() ? "affine" : "symmetric"}};
    if (scheme.rounding != Rounding::HalfEven)
        code.needs.insert("roundings");
    const std::string ends = "lowest=" + std::to_string(scheme.lowLevel()) +
                             ", highest=" + std::to_string(scheme.highLevel());
    std::string call = "symmetric(clip, divisor=" + literal(scheme.divisorValue()) + ", " + ends;
    if (scheme.isAffine())
        call = "affine(clip, " + ends;
    if (scheme.kind == SchemeKind::AffineReal)
        call += ", real_zero_point=True";
    if (!scheme.isAffine() && scheme.zeroLevel() != 0)
        call += ", zero=" + std::to_string(scheme.zeroLevel());
    code.text = "def scheme(clip):\n    return " + call + furtherArguments(scheme) + ")\n";
    return code;
}

}  // namespace calibscope::python
