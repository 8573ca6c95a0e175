// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/curves_view.h"

#include "tests/support/catch.h"

#include <limits>

namespace curves_view_test {

using namespace calibscope;

EntropyTrial someTrial()
{
    return {.threshold = 2.5,
            .edges = {0.0, 1.0, 2.0, 3.0},
            .truncated = {90.0, 0.0, 10.0},
            .coarse = {95.0, 0.0, 5.0},
            .ofLastBin = 0.0693,
            .divergence = 0.25,
            .levels = 2,
            .beyond = 5.0};
}

TEST_CASE("the line tells the cut, what lies beyond, the divergence and what the last bin adds")
{
    EntropyTrial trial = someTrial();
    CHECK(ghostText(trial) ==
          "Cut at 2.5: 3 bins in 2 levels, 5 values (5 %) beyond: in the last bin of P and of Q. "
          "KL(P‖Q) = 0.25 nats, 0.0693 of them from the last bin.");
    trial.hasOutliersInQ = false;
    CHECK(ghostText(trial).contains("in the last bin of P, not in Q."));
}

TEST_CASE("a window is told by its two ends")
{
    EntropyTrial trial = someTrial();
    trial.isSigned = true;
    trial.edges = {-1.0, 0.0, 1.0, 2.0};
    CHECK(ghostText(trial).startsWith("Cut at −1 to 2: 3 bins in 2 levels, 5 values (5 %) outside: "
                                      "in the end bins of P, not in Q."));
}

TEST_CASE("nothing beyond, and nothing from the last bin, is not dwelt upon")
{
    EntropyTrial trial = someTrial();
    trial.beyond = 0.0;
    trial.ofLastBin = 0.0;
    CHECK(ghostText(trial) ==
          "Cut at 2.5: 3 bins in 2 levels, no values lie beyond. KL(P‖Q) = 0.25 nats.");
}

TEST_CASE("an infinite divergence says why, and its direction is named")
{
    EntropyTrial trial = someTrial();
    trial.isCoarseFirst = true;
    trial.divergence = std::numeric_limits<double>::infinity();
    CHECK(ghostText(trial).endsWith("KL(Q‖P) is infinite: one is empty where the other is not."));
}

}  // namespace curves_view_test
