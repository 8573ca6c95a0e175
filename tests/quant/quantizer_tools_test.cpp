// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/quantizer.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>

namespace quantizer_tools_test {

using namespace calibscope;

// The rules that schemes take over from other tools.

constexpr Scheme affine{.kind = SchemeKind::Affine};

Quantizer symmetric(const Scheme& scheme, double threshold)
{
    return makeQuantizer(scheme, {.threshold = threshold}).quantizer;
}

Quantizer ranged(const Scheme& scheme, double low, double high)
{
    return makeQuantizer(scheme, {.range = Range{low, high}}).quantizer;
}

TEST_CASE("float32 arithmetic rounds every step as PyTorch's observers do")
{
    // torch 1.13, MinMaxObserver on the golden tensor `laplace`: quint8 affine, qint8 symmetric.
    const Scheme quint8{.kind = SchemeKind::Affine,
                        .scaleFloor = std::ldexp(1.0, -23),
                        .arithmetic = Arithmetic::Float32,
                        .integers = Integers::Unsigned};
    const Quantizer affineOne = ranged(quint8, -14.198736190795898, 9.429387092590332);
    CHECK(affineOne.scale == 0.09265930950641632);
    CHECK(affineOne.zeroPoint == 153);
    CHECK(affineOne.lowLevel == 0);
    CHECK(affineOne.highLevel == 255);
    const Scheme qint8{.kind = SchemeKind::SymmetricFull,
                       .divisor = Divisor::QmaxPlusHalf,
                       .scaleFloor = std::ldexp(1.0, -23),
                       .arithmetic = Arithmetic::Float32};
    CHECK(symmetric(qint8, 14.198736190795898).scale == 0.11136263608932495);
    CHECK(symmetric(qint8, 0.0).scale == std::ldexp(1.0, -23));
    CHECK(ranged(quint8, 0.0, 0.0).scale == std::ldexp(1.0, -23));
    CHECK(ranged(quint8, 0.0, 0.0).zeroPoint == 0);
}

TEST_CASE("float32 ends with double steps and the nearer end are Glow's parameters")
{
    // Glow (2024), chooseQuantizationParams on the golden tensors `laplace` and `all_zero`.
    const Scheme asymmetric{.kind = SchemeKind::Affine,
                            .zeroScale = 0.1,
                            .arithmetic = Arithmetic::Float32Ends,
                            .zeroPointRule = ZeroPointRule::FromNearerEnd};
    const Quantizer laplace = ranged(asymmetric, -14.198736190795898, 9.429387092590332);
    CHECK(laplace.scale == static_cast<double>(0.0926593095F));
    CHECK(laplace.zeroPoint == 25);
    CHECK(ranged(asymmetric, 0.0, 0.0).scale == static_cast<double>(0.1F));
    CHECK(ranged(asymmetric, 0.0, 0.0).zeroPoint == 0);
    CHECK(ranged(asymmetric, -1.0, 1.0).zeroPoint == 0);
    const Scheme weighed{.kind = SchemeKind::SymmetricFull,
                         .divisor = Divisor::Ratio,
                         .zeroScale = 0.1,
                         .arithmetic = Arithmetic::Float32Ends};
    const double threshold = thresholdOver(weighed, {-14.198736190795898, 9.429387092590332});
    CHECK(symmetric(weighed, threshold).scale == static_cast<double>(0.110927626F));
    Scheme powers = weighed;
    powers.powerOfTwo = true;
    CHECK(symmetric(powers, threshold).scale == 0.125);
    CHECK(symmetric(powers, 0.0).scale == 0.125);  // 0.1, rounded up
}

TEST_CASE("the nearer end decides between zero points, halves go away from zero")
{
    // Scale 1: from the low end -128 + 2.5 = -125.5, from the high one 127 - 252.5 = -125.5; the
    // low end has the smaller terms, and rounding is away from zero instead of to even.
    const Scheme nearer{.kind = SchemeKind::Affine, .zeroPointRule = ZeroPointRule::FromNearerEnd};
    CHECK(ranged(nearer, -2.5, 252.5).zeroPoint == -126);
    CHECK(ranged(affine, -2.5, 252.5).zeroPoint == -126);  // to even
    CHECK(ranged(nearer, -3.5, 251.5).zeroPoint == -125);
    CHECK(ranged(affine, -3.5, 251.5).zeroPoint == -124);
}

TEST_CASE("float32 arithmetic gives no infinity and no scale of 0 at the ends of its range")
{
    constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
    constexpr auto least = static_cast<double>(std::numeric_limits<float>::denorm_min());
    for (const Arithmetic arithmetic : {Arithmetic::Float32, Arithmetic::Float32Ends})
        for (const int bits : {2, 8, 16}) {
            const Scheme wide{.kind = SchemeKind::Affine, .bits = bits, .arithmetic = arithmetic};
            CHECK(std::isfinite(ranged(wide, -most, most).scale));
            CHECK(ranged(wide, -least, least).scale > 0.0);
            const Scheme extended{.kind = SchemeKind::SymmetricFull,
                                  .bits = bits,
                                  .divisor = Divisor::Ratio,
                                  .arithmetic = arithmetic};
            CHECK(std::isfinite(symmetric(extended, most).clip.width()));
            CHECK(std::isfinite(symmetric(extended, most).scale));
        }
}

TEST_CASE("the scale of an empty range is the one given for it, a narrow range keeps its own")
{
    const Scheme given{.zeroScale = 0.25};
    CHECK(symmetric(given, 0.0).scale == 0.25);
    CHECK(symmetric(given, 1e-20).scale == 1e-20 / 127);
    const Scheme both{.scaleFloor = 0.5, .zeroScale = 0.25};
    CHECK(symmetric(both, 0.0).scale == 0.5);
    CHECK(symmetric({}, 0.0).scale == 1.0);
}

TEST_CASE("a symmetric threshold may come with its clip range, whose width counts under ratio")
{
    const ClipChoice both{.threshold = 1.0, .range = Range{-1.5, 1.0}};
    const Quantizer kept = makeQuantizer({}, both).quantizer;
    CHECK(kept.clip == Range{-1.5, 1.0});
    CHECK(kept.scale == 1.0 / 127);
    const Scheme ratio{.kind = SchemeKind::SymmetricFull, .divisor = Divisor::Ratio};
    CHECK(makeQuantizer(ratio, both).quantizer.scale == 2.5 / 255);
}

}  // namespace quantizer_tools_test
