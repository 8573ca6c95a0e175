// SPDX-License-Identifier: GPL-3.0-or-later
// The programs of a report's pages, run with h5py. tests/extra/run.sh does it for the whole sample.
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5py.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace report_snippets_test {

using namespace calibscope::test;

TEST_CASE("programs on a report's pages give the numbers on the pages")
{
    if (const std::string reason = withoutH5py(); !reason.empty()) {
        WARN(reason);
        return;
    }
    const TemporaryFolder place;
    const std::string root = CALIBSCOPE_SOURCE_DIR;
    REQUIRE(runProgram("calibscope",
                       {"report", root + "/resources/sample/sample.h5", "-o", place.file("report"),
                        "--format", "html", "--tensor", "relu_0*", "--tensor", "conv2d_10.w_0",
                        "--recipe", "moffett-cnn", "--recipe", "rebellions-vision"})
                .exitCode == 0);
    const std::string command =
        pythonWithH5py() + " " + quoted(root + "/tests/extra/report_snippets.py") + " " +
        quoted(place.file("report")) + " >" + quoted(place.file("log")) + " 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    INFO(readBytes(place.file("log")));
    CHECK(status == 0);
    CHECK_THAT(readBytes(place.file("log")), containsText("programs ran"));
}

}  // namespace report_snippets_test
