// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include "tests/support/catch.h"

#include <stdexcept>

namespace error_test {

using namespace calibscope;

TEST_CASE("of work on a part the input's fault is a sentence, and all else is thrown")
{
    int done = 0;
    CHECK_FALSE(inputProblem([&done] { ++done; }));
    CHECK(done == 1);
    CHECK(inputProblem([] { throw Error(Fault::Input, "a.h5: truncated"); }) == "a.h5: truncated");
    CHECK_THROWS_AS(inputProblem([] { throw Error(Fault::Output, "full"); }), Error);
    CHECK_THROWS_AS(inputProblem([] { throw Error(Fault::Usage, "no such"); }), Error);
    CHECK_THROWS_AS(inputProblem([] { throw std::logic_error("odd"); }), std::logic_error);
}

TEST_CASE("a fault has an exit code, which has that fault")
{
    for (const Fault fault : {Fault::Usage, Fault::Input, Fault::Output, Fault::Runner})
        CHECK(faultFromExitCode(exitCode(fault)) == fault);
    CHECK_FALSE(faultFromExitCode(0));
    CHECK_FALSE(faultFromExitCode(1));  // a gate's
}

}  // namespace error_test
