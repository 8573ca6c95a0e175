// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <string>
#include <vector>

namespace extremes_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

TEST_CASE("extremes names the sample that sets each range, and what would be without it")
{
    test::H5File file;
    file.write("/activations/a", {3, 1, 2},
               std::vector<float>{1.0F, -2.0F, 0.5F, 8.0F, 3.0F, 4.0F});
    file.write("/activations/b", {3, 2}, std::vector<float>{6.0F, 6.0F, -6.0F, 0.0F, 1.0F, 2.0F});
    file.write("/activations/c", {3, 2}, std::vector<float>{1.0F, 1.0F, 3.0F, 0.0F, 1.0F, -2.0F});
    file.write("/weights/w", {2, 2}, std::vector<float>{1.0F, -9.0F, 3.0F, 4.0F});
    const ProgramRun run = runProgram("calib", {"extremes", file.path()});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "tensor,role,op,samples,sample,recorded,index,value,others,ratio\n"
                        "a,activation,,3,1,1,\"[1, 0, 1]\",8,4,2\n"
                        "b,activation,,3,0,0,\"[0, 0]\",6,6,1\n"
                        "c,activation,,3,1,1,\"[1, 0]\",3,2,1.5\n"
                        "w,weight,,1,,,\"[0, 1]\",-9,,\n");
    // b's range is set by two samples alike: by none alone.
    CHECK(runProgram("calib", {"extremes", "--by-sample", file.path()}).output ==
          "sample,tensors,of,median_ratio,largest_ratio,tensor\n"
          "1,2,3,1.75,2,a\n");
    // The batch axis elsewhere, and which samples these are.
    const ProgramRun moved =
        runProgram("calib", {"extremes", "--batch-axis", "1", "--tensor", "c", "--columns",
                             "sample,index,value,others", file.path()});
    CHECK(moved.output == "sample,index,value,others\n0,\"[1, 0]\",3,2\n");
    file.attribute("/", "format", "calibration-dump");
    file.attribute("/activations/c", "samples", std::vector<std::int64_t>{40, 50, 60});
    CHECK(runProgram("calib",
                     {"extremes", "--tensor", "c", "--columns", "sample,recorded", file.path()})
              .output == "sample,recorded\n1,50\n");
}

}  // namespace extremes_test
