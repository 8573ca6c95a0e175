#include "core/quant/scheme.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

using namespace calibscope;

namespace {

Scheme scheme(SchemeKind kind, const GivenSettings& given = {})
{
    return schemeFrom(kind, Settings(schemeParameters(), given, "scheme"));
}

}  // namespace

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

TEST_CASE("settings reach every field of the scheme")
{
    const Scheme given = scheme(SchemeKind::AffineReal, {{"divisor", "qmax+0.5"},
                                                         {"rounding", "floor-half"},
                                                         {"scale-floor", "1e-8"},
                                                         {"power-of-two", "up"},
                                                         {"bits", "4"}});
    CHECK(given == Scheme{.kind = SchemeKind::AffineReal,
                          .bits = 4,
                          .divisor = Divisor::QmaxPlusHalf,
                          .rounding = Rounding::FloorHalf,
                          .scaleFloor = 1e-8,
                          .powerOfTwo = true});
    CHECK(scheme(SchemeKind::Affine, {{"rounding", "half-away"}}).rounding == Rounding::HalfAway);
    CHECK(scheme(SchemeKind::SymmetricRestricted) == Scheme{});
}

TEST_CASE("scheme ids read back, others are refused with the list of those that exist")
{
    for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::SymmetricFull,
                                  SchemeKind::Affine, SchemeKind::AffineReal})
        CHECK(parseSchemeKind(schemeText(kind)) == kind);
    CHECK_THROWS_WITH(parseSchemeKind("asymmetric"),
                      "there is no scheme asymmetric; there are symmetric-restricted, "
                      "symmetric-full, affine, affine-real");
}
