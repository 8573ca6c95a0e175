// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/ppq/level_loss.h"

#include "tests/support/catch.h"

#include <array>
#include <vector>

namespace level_loss_test {

using namespace calibscope;

TEST_CASE("a bin's distance is that of its centre from the nearer level or end")
{
    // One count in each of ten bins; levels at the edges 2, 5 and 8: 1.5 and 0.5 below, in each
    // step 0.5, 1.25 (the middle one) and 0.5, then bin 8 as in a step, and 1.5 beyond the end.
    const std::vector<std::uint64_t> counts(10, 1);
    const double inside = 0.25 + 1.5625 + 0.25;
    const double expected = 2.25 + 0.25 + 2 * inside + 0.25 + 2.25;
    CHECK(levelLoss(counts, 1.0, {.start = 2, .step = 3, .end = 8}) == expected);
    CHECK(levelLoss(counts, 10.0, {.start = 2, .step = 3, .end = 8}) ==
          test::Approx(expected / 10.0).epsilon(1e-15));
    CHECK(levelLoss(std::vector<std::uint64_t>{0, 4}, 4.0, {.start = 0, .step = 1, .end = 2}) ==
          0.0625);
}

TEST_CASE("all steps up to the one that covers the bins are tried, from every start")
{
    // Twelve bins, four levels: steps 1 to 3, and 4 from bin 0. The counts lie in the bins 4 to 7:
    // a step of one bin from bin 4 on is the closest.
    const std::vector<std::uint64_t> counts{0, 0, 0, 0, 9, 9, 9, 9, 0, 0, 0, 0};
    const std::array<std::size_t, 3> starts{0, 4, 8};
    const LevelGrid best = bestLevelGrid(counts, 4, starts);
    CHECK(best.start == 4);
    CHECK(best.step == 1);
    CHECK(best.end == 8);
    CHECK(best.loss == 0.0625);
    const LevelGrid widest = bestLevelGrid(counts, 4, {});
    CHECK(widest.start == 0);
    CHECK(widest.end == 16);
}

}  // namespace level_loss_test
