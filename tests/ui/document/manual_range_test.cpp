// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/manual_range.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <limits>

namespace manual_range_test {

using namespace calibscope;

Choice under(SchemeKind scheme, const GivenSettings& given = {})
{
    return makeChoice("min-max", given, scheme, Granularity::Channel);
}

TEST_CASE("a threshold by hand is the choice that the command line makes of it")
{
    const double threshold = 2.6041666666666665;
    const Choice choice =
        manualChoice({-threshold, threshold}, under(SchemeKind::SymmetricRestricted));
    const Choice typed = makeChoice("fixed", {{"threshold", "2.6041666666666665"}},
                                    SchemeKind::SymmetricRestricted, Granularity::Tensor);
    CHECK(choice.isSameComputation(typed));
    CHECK(choice.settings.number("threshold") == threshold);
}

TEST_CASE("under a symmetric scheme the farther end counts")
{
    const Choice choice = manualChoice({-3.0, 2.0}, under(SchemeKind::SymmetricFull));
    CHECK(choice.settings.number("threshold") == 3.0);
    CHECK(choice.scheme.kind == SchemeKind::SymmetricFull);
}

TEST_CASE("under an affine scheme both ends are as they were set")
{
    const Choice choice = manualChoice({-0.25, 6.0}, under(SchemeKind::Affine));
    CHECK(choice.settings.number("low") == -0.25);
    CHECK(choice.settings.number("high") == 6.0);
    CHECK(choice.scheme.isAffine());
}

TEST_CASE("the scheme comes with its parameters, not the granularity")
{
    const Choice choice =
        manualChoice({-1.0, 1.0}, under(SchemeKind::SymmetricFull, {{"bits", "4"}}));
    CHECK(choice.scheme.bits == 4);
    CHECK(choice.granularity == Granularity::Tensor);
}

TEST_CASE("a hand can't set what is not a range")
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double largest = static_cast<double>(std::numeric_limits<float>::max());
    CHECK(manualClip({0.5, -0.5}) == Range{0.0, 0.0});
    CHECK(manualClip({-infinity, infinity}) == Range{-largest, largest});
    CHECK(manualClip({std::numeric_limits<double>::quiet_NaN(), 1.0}) == Range{0.0, 1.0});
    const Choice choice = manualChoice({0.5, -0.5}, under(SchemeKind::Affine));
    CHECK(choice.settings.number("high") == 0.0);
}

}  // namespace manual_range_test
