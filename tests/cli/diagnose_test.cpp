// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <string>
#include <vector>

namespace diagnose_test {

using namespace calibscope;
using test::runProgram;

TEST_CASE("calib diagnose tells of each tensor and of those that can't be read")
{
    test::H5File file;
    std::vector<float> values(2000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) / 2000.0F;
    file.write("/activations/ramp", {2000}, values);
    values.back() = 100.0F;
    file.write("/activations/spike", {2000}, values);
    const test::ProgramRun run =
        runProgram("calib", {"diagnose", file.path(), "--columns", "tensor,findings"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "tensor,findings\n"
                        "ramp,one-sided\n"
                        "spike,heavy-tail one-sided\n");
    CHECK(runProgram("calib", {"diagnose", file.path(), "--recipe", "none"}).exitCode == 2);
    CHECK(runProgram("calib", {"diagnose", file.path(), "--tensor", "none"}).exitCode != 0);
}

}  // namespace diagnose_test
