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

TEST_CASE("extremes with a choice names the largest error and the scale without the sample")
{
    test::H5File file;
    // Sample 1 sets the range; under 8 / 127 the 4 of sample 2 is halfway between levels.
    file.write("/activations/a", {3, 1, 2},
               std::vector<float>{1.0F, -2.0F, 0.0F, 8.0F, 0.03125F, 4.0F});
    file.write("/activations/b", {2, 2}, std::vector<float>{1.0F, 2.0F, 0.0F, 4.0F});
    const std::vector<std::string> options{"--calibrator", "min-max", "--columns",
                                           "tensor,scale,scale_without,error_sample,error_index,"
                                           "error_value,problem"};
    const auto printed = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"extremes", file.path()});
        const ProgramRun run = runProgram("calib", arguments);
        INFO(run.errors);
        CHECK(run.exitCode == 0);
        return run.output;
    };
    CHECK(printed(options) ==
          "tensor,scale,scale_without,error_sample,error_index,error_value,problem\n"
          "a,0.06299212598425197,0.031496062992125984,2,\"[2, 0, 1]\",4,\n"
          "b,0.031496062992125984,0.015748031496062992,0,\"[0, 1]\",2,\n");
    CHECK(printed({"--calibrator", "min-max", "--by-sample", "--columns",
                   "sample,tensors,errors,tensor"}) == "sample,tensors,errors,tensor\n"
                                                       "1,2,0,a\n0,0,1,b\n2,0,1,a\n");
    CHECK(printed({"--calibrator", "min-max", "--granularity", "channel", "--tensor", "a",
                   "--columns", "scale,problem"})
              .find("scales per channel or row are not studied") != std::string::npos);
    CHECK(runProgram("calib",
                     {"extremes", file.path(), "--calibrator", "mse", "--calibrator", "min-max"})
              .exitCode == 2);
}

}  // namespace extremes_test
