// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/quantizer.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace quantizer_test {

using namespace calibscope;
using calibscope::test::Approx;

constexpr Scheme restricted{.kind = SchemeKind::SymmetricRestricted};
constexpr Scheme full{.kind = SchemeKind::SymmetricFull};
constexpr Scheme affine{.kind = SchemeKind::Affine};
constexpr Scheme affineReal{.kind = SchemeKind::AffineReal};

Quantizer symmetric(const Scheme& scheme, double threshold)
{
    return makeQuantizer(scheme, {.threshold = threshold}).quantizer;
}

Quantizer ranged(const Scheme& scheme, double low, double high)
{
    return makeQuantizer(scheme, {.range = Range{low, high}}).quantizer;
}

TEST_CASE("a symmetric scale is the threshold over the divisor, zero stays zero")
{
    const Quantizer q = symmetric(restricted, 1.27);
    CHECK(q.scale == 1.27 / 127);
    CHECK(q.zeroPoint == 0.0);
    CHECK(q.fakeQuantize(0.0) == 0.0);
    CHECK(q.level(1.27) == 127);
    CHECK(q.level(-1.27) == -127);
    CHECK(q.level(-100.0) == -127);
    CHECK(q.level(0.0149) == 1);
    CHECK(q.value(-3) == -3 * (1.27 / 127));
}

TEST_CASE("the clip range is the stored ends: both are kept, only what lies beyond is clipped")
{
    const Quantizer q = symmetric(restricted, 0.7);
    CHECK(q.clip == Range{-0.7, 0.7});
    CHECK_FALSE(q.clips(0.7));
    CHECK_FALSE(q.clips(-0.7));
    CHECK(q.clips(std::nextafter(0.7, 1.0)));

    const Quantizer withExtraLevel = symmetric(full, 127.0);
    CHECK(withExtraLevel.clip == Range{-128.0, 127.0});
    CHECK(withExtraLevel.level(-128.0) == -128);
    CHECK(withExtraLevel.level(-200.0) == -128);
}

TEST_CASE("at a divisor of 127.5 the maximum rounds to 128 and is clamped to 127")
{
    const Quantizer q = symmetric({.divisor = Divisor::QmaxPlusHalf}, 2.0);
    CHECK(q.scale == 2.0 / 127.5);
    CHECK(q.level(2.0) == 127);
    CHECK_FALSE(q.clips(2.0));
}

TEST_CASE("unsigned data use the levels from 0 to 2^b - 1 and clip what is negative")
{
    const Quantizer q = symmetric({.divisor = Divisor::Levels}, 5.1);
    CHECK(q.scale == 5.1 / 255);
    CHECK(q.clip == Range{0.0, 5.1});
    CHECK(q.level(5.1) == 255);
    CHECK(q.level(-1.0) == 0);
    CHECK(q.clips(-1e-300));
}

TEST_CASE("an affine zero point is whole, and the range's ends reach the end levels")
{
    const Quantizer q = ranged(affine, -1.0, 1.55);
    CHECK(q.scale == Approx(0.01));
    CHECK(q.zeroPoint == -28.0);  // round(-128 + 100)
    CHECK(q.level(-1.0) == -128);
    CHECK(q.level(1.55) == 127);
    CHECK(q.level(0.0) == -28);
    CHECK(q.fakeQuantize(0.0) == 0.0);
    CHECK(q.clip == Range{-1.0, 1.55});
    CHECK(ranged(affine, 0.0, 3.0).zeroPoint == -128.0);
    CHECK(ranged(affine, -3.0, 0.0).zeroPoint == 127.0);
}

TEST_CASE("a zero point that rounds to 0 from below has no sign")
{
    const Quantizer q = ranged(affine, -127.9, 127.1);  // -128 + 127.9 / 1
    CHECK(q.zeroPoint == 0.0);
    CHECK_FALSE(std::signbit(q.zeroPoint));
}

TEST_CASE("a real zero point is not rounded, but enters the rounding")
{
    const Quantizer real = ranged(affineReal, -0.3, 254.7);  // scale 1 but for rounding
    CHECK(real.zeroPoint == Approx(-127.7).epsilon(1e-12));
    CHECK(real.level(0.4) == -127);    // round(0.4 - 127.7) = round(-127.3)
    CHECK(real.level(-0.29) == -128);  // round(-127.99)
    CHECK(real.fakeQuantize(0.0) == Approx(-0.3).epsilon(1e-12));  // 0 is not on the lattice
    const Quantizer whole = ranged(affine, -0.3, 254.7);
    CHECK(whole.zeroPoint == -128.0);
    CHECK(whole.level(0.4) == -128);  // round(0.4) - 128
}

TEST_CASE("the two affine schemes part at a tie when the zero point is odd")
{
    const Quantizer whole = ranged(affine, -1.0, 254.0);
    const Quantizer real = ranged(affineReal, -1.0, 254.0);
    CHECK(whole.scale == 1.0);
    CHECK(whole.zeroPoint == -127.0);
    CHECK(real.zeroPoint == -127.0);
    CHECK(whole.level(0.5) == -127);  // round(0.5) - 127
    CHECK(real.level(0.5) == -126);   // round(-126.5)
}

TEST_CASE("values in the middle between two levels follow the rounding")
{
    const auto levels = [](Rounding rounding) {
        const Quantizer q = symmetric({.rounding = rounding}, 127.0);
        return std::vector<int>{q.level(-2.5), q.level(-1.5), q.level(-0.5),
                                q.level(0.5),  q.level(1.5),  q.level(2.5)};
    };
    CHECK(levels(Rounding::HalfEven) == std::vector<int>{-2, -2, 0, 0, 2, 2});
    CHECK(levels(Rounding::HalfAway) == std::vector<int>{-3, -2, -1, 1, 2, 3});
    CHECK(levels(Rounding::FloorHalf) == std::vector<int>{-2, -1, 0, 1, 2, 3});
}

TEST_CASE("a level's rounding cell is half a step to each side, at the ends to the clip range")
{
    const Quantizer steps = makeQuantizer({}, {.threshold = 127.0}).quantizer;
    CHECK(steps.roundingCell(0) == Range{-0.5, 0.5});
    CHECK(steps.roundingCell(3) == Range{2.5, 3.5});
    CHECK(steps.roundingCell(127) == Range{126.5, 127.0});
    CHECK(steps.roundingCell(-127) == Range{-127.0, -126.5});
}

TEST_CASE("a power of two is the least that is not below the scale")
{
    CHECK(symmetric({.powerOfTwo = true}, 127.0 * 0.25).scale == 0.25);
    CHECK(symmetric({.powerOfTwo = true}, 127.0 * 0.2501).scale == 0.5);
    CHECK(symmetric({.powerOfTwo = true}, 127.0 * 3.0).scale == 4.0);
    CHECK(symmetric({.powerOfTwo = true}, 127.0 * 3.0).clip == Range{-381.0, 381.0});
}

TEST_CASE("a scale below the floor is raised, with a note")
{
    const QuantizerChoice raised = makeQuantizer({.scaleFloor = 1e-3}, {.threshold = 1e-6});
    CHECK(raised.quantizer.scale == 1e-3);
    CHECK(raised.quantizer.clip == Range{-1e-6, 1e-6});
    CHECK(raised.notes == std::vector<std::string>{"scale raised to its floor of 0.001"});
    CHECK(makeQuantizer({.scaleFloor = 1e-3}, {.threshold = 1.0}).notes.empty());
    const Scheme both{.scaleFloor = 0.3, .powerOfTwo = true};
    CHECK(symmetric(both, 1.0).scale == 0.5);
}

TEST_CASE("an affine range without 0 keeps its width for the scale, and the levels reach elsewhere")
{
    const QuantizerChoice above = makeQuantizer(affine, {.range = Range{100.0, 355.0}});
    CHECK(above.quantizer.scale == 1.0);
    CHECK(above.quantizer.zeroPoint == -128.0);  // -228 would be asked for
    CHECK(above.quantizer.clip == Range{0.0, 255.0});
    CHECK(above.quantizer.clips(300.0));
    CHECK_FALSE(above.quantizer.clips(99.0));
    CHECK(above.quantizer.fakeQuantize(300.0) == 255.0);
    CHECK(above.notes ==
          std::vector<std::string>{"0 lies outside the chosen range from 100 to 355: the zero "
                                   "point stops at -128, the levels reach from 0 to 255"});
    const QuantizerChoice below = makeQuantizer(affine, {.range = Range{-355.0, -100.0}});
    CHECK(below.quantizer.zeroPoint == 127.0);
    CHECK(below.quantizer.clip == Range{-255.0, 0.0});
    CHECK(makeQuantizer(affine, {.range = Range{0.0, 255.0}}).notes.empty());
}

TEST_CASE("a real zero point lies where a range without 0 asks for it")
{
    const QuantizerChoice away = makeQuantizer(affineReal, {.range = Range{100.0, 227.5}});
    CHECK(away.quantizer.scale == 0.5);
    CHECK(away.quantizer.zeroPoint == -328.0);
    CHECK(away.quantizer.clip == Range{100.0, 227.5});
    CHECK(away.quantizer.level(100.0) == -128);
    CHECK(away.quantizer.level(227.5) == 127);
    CHECK(away.quantizer.fakeQuantize(101.2) == 101.0);
    CHECK(away.quantizer.fakeQuantize(0.0) == 100.0);
    CHECK(away.notes.empty());
}

TEST_CASE("nothing chosen, a threshold of 0 and the range [0, 0] give scale 1, zero point 0")
{
    for (const Scheme& scheme : {restricted, full, affine, affineReal}) {
        const QuantizerChoice nothing = makeQuantizer(scheme, {});
        CHECK(nothing.quantizer.scale == 1.0);
        CHECK(nothing.quantizer.zeroPoint == 0.0);
        CHECK(nothing.notes.empty());
    }
    CHECK(symmetric(restricted, 0.0).scale == 1.0);
    CHECK(symmetric(restricted, 0.0).clip == Range{0.0, 0.0});
    CHECK_FALSE(std::signbit(symmetric(full, 0.0).clip.low));
    CHECK(ranged(affine, 0.0, 0.0).scale == 1.0);
    CHECK(ranged(affine, 0.0, 0.0).zeroPoint == 0.0);
}

TEST_CASE("a threshold of 0 takes the floor where there is one")
{
    CHECK(symmetric({.scaleFloor = 1e-8}, 0.0).scale == 1e-8);
    const Quantizer q = ranged({.kind = SchemeKind::Affine, .scaleFloor = 1e-8}, 0.0, 0.0);
    CHECK(q.scale == 1e-8);
    CHECK(q.zeroPoint == -128.0);
}

TEST_CASE("a scale whose inverse overflows float32 is kept and noted")
{
    const QuantizerChoice made = makeQuantizer(restricted, {.threshold = 3e-40});
    CHECK(made.quantizer.scale == 3e-40 / 127);
    CHECK(made.notes == std::vector<std::string>{"1/scale overflows float32"});
    CHECK(makeQuantizer(restricted, {.threshold = 1e-35}).notes.empty());
    CHECK(made.quantizer.level(1.0) == 127);
    CHECK(made.quantizer.level(-3e38) == -127);
}

TEST_CASE("a threshold too small for any scale gives scale 1 with a note")
{
    const double least = std::numeric_limits<double>::denorm_min();
    const QuantizerChoice made = makeQuantizer(restricted, {.threshold = least});
    CHECK(made.quantizer.scale == 1.0);
    CHECK(made.notes ==
          std::vector<std::string>{"the clip range is too narrow for a scale above 0, 1 is used"});
}

TEST_CASE("the greatest and least float32 thresholds give finite scales under every scheme")
{
    for (const double t : {1.401298464324817e-45, 1e-3, 3.4028234663852886e38})
        for (const Scheme& scheme : {restricted, full, affine, affineReal}) {
            const Quantizer q = scheme.isAffine() ? ranged(scheme, -t, t) : symmetric(scheme, t);
            CHECK(std::isfinite(q.scale));
            CHECK(q.scale > 0.0);
            CHECK(q.level(t) == q.highLevel);
            CHECK(q.level(-2 * t) == q.lowLevel);
            CHECK(std::isfinite(q.value(q.lowLevel)));
        }
}

TEST_CASE("scaling the data scales the quantizer")
{
    for (const Scheme& scheme : {restricted, full}) {
        const Quantizer q = symmetric(scheme, 0.3);
        const Quantizer scaled = symmetric(scheme, 0.3 * 1024);
        CHECK(scaled.scale == q.scale * 1024);
        for (const double x : {-0.31, -0.1, 0.0, 1e-4, 0.2, 0.3})
            CHECK(scaled.level(x * 1024) == q.level(x));
    }
}

TEST_CASE("choices of the wrong kind, negative, not finite, or without 0 are broken promises")
{
    const double inf = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(makeQuantizer(affine, {.threshold = 1.0}), std::invalid_argument);
    CHECK_THROWS_AS(makeQuantizer(restricted, {.range = Range{-1.0, 1.0}}), std::invalid_argument);
    CHECK_THROWS_AS(makeQuantizer(restricted, {.threshold = -1.0}), std::invalid_argument);
    CHECK_THROWS_AS(makeQuantizer(restricted, {.threshold = inf}), std::invalid_argument);
    CHECK_THROWS_AS(makeQuantizer(restricted, {.threshold = std::nan("")}), std::invalid_argument);
    CHECK_THROWS_AS(makeQuantizer(affine, {.range = Range{1.0, 0.5}}), std::invalid_argument);
    CHECK_THROWS_AS(makeQuantizer(affine, {.range = Range{-inf, 1.0}}), std::invalid_argument);
}

}  // namespace quantizer_test
