// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/check_results.h"

#include "tests/support/catch.h"

#include <limits>

namespace check_results_test {

using namespace calibscope;

TEST_CASE("the cost of fusing is the difference of both SQNRs, where there are both")
{
    OutputCheck output{.asWritten = {.sqnrDb = 30.0}, .asFused = {.sqnrDb = 28.5}};
    CHECK(output.fusedDifferenceDb() == -1.5);
    output.asFused.sqnrDb = std::nullopt;
    CHECK_FALSE(output.fusedDifferenceDb());
    const double infinite = std::numeric_limits<double>::infinity();
    const OutputCheck exact{.asWritten = {.sqnrDb = infinite}, .asFused = {.sqnrDb = infinite}};
    CHECK(exact.fusedDifferenceDb() == 0.0);
}

}  // namespace check_results_test
