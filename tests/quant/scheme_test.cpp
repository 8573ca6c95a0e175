// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/scheme.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <string>

namespace scheme_test {

using namespace calibscope;

Scheme scheme(SchemeKind kind, const GivenSettings& given = {})
{
    return schemeFrom(kind, Settings(schemeParameters(), given, "scheme"));
}

TEST_CASE("integer ranges of the four schemes at 8 bits")
{
    const Scheme restricted = scheme(SchemeKind::SymmetricRestricted);
    CHECK(restricted.lowLevel() == -127);
    CHECK(restricted.highLevel() == 127);
    for (const SchemeKind kind :
         {SchemeKind::SymmetricFull, SchemeKind::Affine, SchemeKind::AffineReal}) {
        CHECK(scheme(kind).lowLevel() == -128);
        CHECK(scheme(kind).highLevel() == 127);
    }
}

TEST_CASE("divisors are qmax, qmax + 0.5, and 2^b - 1 with non-negative levels")
{
    CHECK(scheme(SchemeKind::SymmetricFull).divisorValue() == 127.0);
    CHECK(scheme(SchemeKind::SymmetricFull, {{"divisor", "qmax+0.5"}}).divisorValue() == 127.5);
    CHECK(scheme(SchemeKind::SymmetricFull, {{"divisor", "qmax+1"}}).divisorValue() == 128.0);

    const Scheme unsignedData = scheme(SchemeKind::SymmetricRestricted, {{"divisor", "2^b-1"}});
    CHECK(unsignedData.divisorValue() == 255.0);
    CHECK(unsignedData.isUnsigned());
    CHECK(unsignedData.lowLevel() == 0);
    CHECK(unsignedData.highLevel() == 255);
}

TEST_CASE("an affine scheme keeps its integer range whatever the divisor")
{
    const Scheme affine = scheme(SchemeKind::Affine, {{"divisor", "2^b-1"}});
    CHECK_FALSE(affine.isUnsigned());
    CHECK(affine.lowLevel() == -128);
    CHECK(affine.highLevel() == 127);
}

TEST_CASE("the widths at both ends of the permitted bits")
{
    const Scheme two = scheme(SchemeKind::SymmetricRestricted, {{"bits", "2"}});
    CHECK(two.lowLevel() == -1);
    CHECK(two.highLevel() == 1);
    const Scheme sixteen = scheme(SchemeKind::SymmetricFull, {{"bits", "16"}});
    CHECK(sixteen.lowLevel() == -32768);
    CHECK(sixteen.highLevel() == 32767);
    CHECK_THROWS_AS(scheme(SchemeKind::Affine, {{"bits", "17"}}), Error);
    CHECK_THROWS_AS(scheme(SchemeKind::Affine, {{"bits", "1"}}), Error);
}

TEST_CASE("shifted integers keep their number, and zero moves with them")
{
    for (const char* bits : {"2", "8", "16"}) {
        INFO(bits);
        const int half = 1 << (std::stoi(bits) - 1);
        const auto shifted = [&](SchemeKind kind, const char* divisor, const char* integers) {
            return scheme(kind, {{"bits", bits}, {"divisor", divisor}, {"integers", integers}});
        };
        const Scheme quint = shifted(SchemeKind::Affine, "qmax", "unsigned");
        CHECK(quint.lowLevel() == 0);
        CHECK(quint.highLevel() == 2 * half - 1);
        const Scheme centred = shifted(SchemeKind::SymmetricRestricted, "qmax", "unsigned");
        CHECK(centred.lowLevel() == 1);
        CHECK(centred.zeroLevel() == half);
        CHECK(centred.highLevel() == 2 * half - 1);
        const Scheme positive = shifted(SchemeKind::SymmetricFull, "2^b-1", "signed");
        CHECK(positive.lowLevel() == -half);
        CHECK(positive.zeroLevel() == -half);
        CHECK(positive.highLevel() == half - 1);
        for (const char* same : {"scheme", "signed"})
            CHECK(shifted(SchemeKind::SymmetricFull, "qmax", same).zeroLevel() == 0);
        for (const char* same : {"scheme", "unsigned"})
            CHECK(shifted(SchemeKind::SymmetricFull, "2^b-1", same).zeroLevel() == 0);
    }
}

TEST_CASE("only symmetric data without negative values become unsigned, and not zeros alone")
{
    const Scheme asked = scheme(SchemeKind::SymmetricFull, {{"unsigned", "when-positive"}});
    CHECK(schemeFor(asked, {0.0, 3.0}).isUnsigned());
    CHECK(schemeFor(asked, {0.5, 3.0}).isUnsigned());
    CHECK_FALSE(schemeFor(asked, {-0.1, 3.0}).isUnsigned());
    CHECK_FALSE(schemeFor(asked, {0.0, 0.0}).isUnsigned());
    CHECK_FALSE(schemeFor({.kind = SchemeKind::SymmetricFull}, {0.0, 3.0}).isUnsigned());
    const Scheme affine = scheme(SchemeKind::Affine, {{"unsigned", "when-positive"}});
    CHECK(schemeFor(affine, {0.0, 3.0}).lowLevel() == -128);
}

TEST_CASE("under the divisor ratio a lower end may use the one level more that it has")
{
    const Scheme full = scheme(SchemeKind::SymmetricFull, {{"divisor", "ratio"}});
    CHECK(thresholdOver(full, {-1.28, 1.0}) == 1.28 * 127 / 128);
    CHECK(thresholdOver(full, {-1.28, 1.275}) == 1.275);
    CHECK(thresholdOver(full, {-3.0, -1.0}) == 3.0 * 127 / 128);
    CHECK(thresholdOver(scheme(SchemeKind::SymmetricFull), {-1.28, 1.275}) == 1.28);
    CHECK(thresholdOver(scheme(SchemeKind::SymmetricRestricted, {{"divisor", "ratio"}}),
                        {-1.28, 1.275}) == 1.28);
    const Scheme two = scheme(SchemeKind::SymmetricFull, {{"divisor", "ratio"}, {"bits", "2"}});
    CHECK(thresholdOver(two, {-1.0, 0.25}) == 0.5);  // levels -2 to 1
}

TEST_CASE("the nearest float32 of what lies beyond its range is its end")
{
    CHECK(nearestFloat32(0.1) == static_cast<double>(0.1F));
    CHECK(nearestFloat32(1e300) == 3.4028234663852886e38);
    CHECK(nearestFloat32(-1e300) == -3.4028234663852886e38);
    CHECK(nearestFloat32(1e-50) == 0.0);
}

TEST_CASE("settings reach every field of the scheme")
{
    const Scheme given = scheme(SchemeKind::AffineReal, {{"divisor", "qmax+0.5"},
                                                         {"rounding", "floor-half"},
                                                         {"scale-floor", "1e-8"},
                                                         {"power-of-two", "up"},
                                                         {"zero-scale", "0.1"},
                                                         {"unsigned", "when-positive"},
                                                         {"integers", "unsigned"},
                                                         {"zero-point", "from-nearer-end"},
                                                         {"arithmetic", "float32-ends"},
                                                         {"bits", "4"}});
    CHECK(given == Scheme{.kind = SchemeKind::AffineReal,
                          .bits = 4,
                          .divisor = Divisor::QmaxPlusHalf,
                          .rounding = Rounding::FloorHalf,
                          .scaleFloor = 1e-8,
                          .zeroScale = 0.1,
                          .powerOfTwo = true,
                          .unsignedWhenPositive = true,
                          .arithmetic = Arithmetic::Float32Ends,
                          .integers = Integers::Unsigned,
                          .zeroPointRule = ZeroPointRule::FromNearerEnd});
    CHECK(scheme(SchemeKind::Affine, {{"rounding", "half-away"}}).rounding == Rounding::HalfAway);
    CHECK(scheme(SchemeKind::SymmetricRestricted) == Scheme{});
}

TEST_CASE("scheme ids read back, others are refused with the list of those that exist")
{
    for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::SymmetricFull,
                                  SchemeKind::Affine, SchemeKind::AffineReal})
        CHECK(parseSchemeKind(schemeText(kind)) == kind);
    CHECK_THROWS_WITH(parseSchemeKind("asymmetric"),
                      "there is no scheme asymmetric; available: symmetric-restricted, "
                      "symmetric-full, affine, affine-real");
}

}  // namespace scheme_test
