// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/manual_threshold.h"

#include "tests/support/catch.h"

namespace manual_threshold_test {

using namespace calibscope;

TEST_CASE("under a symmetric scheme both ends move")
{
    CHECK(withMovedEnd({-2.0, 2.0}, {.domain = Domain::Magnitude}, 1.5) == Range{-1.5, 1.5});
    CHECK(withMovedEnd({-2.0, 2.0}, {.domain = Domain::Signed, .isLow = true}, -1.5) ==
          Range{-1.5, 1.5});
}

TEST_CASE("a low end one level beyond the threshold keeps its distance to it")
{
    const Range full{-1.0, 127.0 / 128.0};
    CHECK(withMovedEnd(full, {.domain = Domain::Signed, .isLow = true}, -0.5) ==
          Range{-0.5 * 127.0 / 128.0, 0.5 * 127.0 / 128.0});
    CHECK(withMovedEnd(full, {.domain = Domain::Signed}, 0.5) == Range{-0.5, 0.5});
    CHECK(withMovedEnd(full, {.domain = Domain::Magnitude}, 0.5) == Range{-0.5, 0.5});
    const Range fourBits{-8.0, 7.0};  // in |x| the low end is seen
    CHECK(withMovedEnd(fourBits, {.domain = Domain::Magnitude}, 4.0) == Range{-3.5, 3.5});
}

TEST_CASE("under an affine scheme one end moves, and not across 0")
{
    const PlacedEnd low{.domain = Domain::Signed, .isAffine = true, .isLow = true};
    const PlacedEnd high{.domain = Domain::Signed, .isAffine = true};
    CHECK(withMovedEnd({-0.5, 3.0}, low, -0.25) == Range{-0.25, 3.0});
    CHECK(withMovedEnd({-0.5, 3.0}, high, 2.5) == Range{-0.5, 2.5});
    CHECK(withMovedEnd({-0.5, 3.0}, low, 0.1) == Range{0.0, 3.0});
    CHECK(withMovedEnd({-0.5, 3.0}, high, -0.1) == Range{-0.5, 0.0});
}

TEST_CASE("in |x| the farther end of an affine range is the one that is seen and moves")
{
    const PlacedEnd end{.domain = Domain::Magnitude, .isAffine = true};
    CHECK(withMovedEnd({-0.5, 3.0}, end, 2.0) == Range{-0.5, 2.0});
    CHECK(withMovedEnd({-3.0, 0.5}, end, 2.0) == Range{-2.0, 0.5});
    CHECK(withMovedEnd({-3.01, 3.0}, end, 2.5) == Range{-3.01, 2.5});  // as good as symmetric
}

}  // namespace manual_threshold_test
