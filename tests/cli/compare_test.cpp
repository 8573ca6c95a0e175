// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <algorithm>
#include <string>
#include <vector>

namespace cli_compare_test {

using namespace calibscope;
using test::containsText;
using test::H5File;
using test::ProgramRun;
using test::runProgram;
using test::textLines;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

/// The rows of a comparison by min-max, without the line of names.
std::vector<std::string> compared(const std::string& a, const std::string& b,
                                  const std::string& columns, std::vector<std::string> more = {})
{
    std::vector<std::string> arguments = {"compare", a,           b,      "--calibrator",
                                          "min-max", "--columns", columns};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = runProgram("calib", arguments);
    CHECK(run.errors.empty());
    REQUIRE(run.exitCode == 0);
    std::vector<std::string> lines = textLines(run.output);
    REQUIRE(lines.front() == columns);
    lines.erase(lines.begin());
    return lines;
}

std::vector<double> ramp(double from, double step)
{
    std::vector<double> values;
    for (int place = 0; place < 64; ++place)
        values.push_back(from + step * place);
    return values;
}

/// Three activations of 8 x 8.
void writeThree(H5File& file, double factorOfRelu)
{
    file.write("activations/conv", {8, 8}, ramp(-2.0, 0.0625));
    file.write("activations/relu", {8, 8}, ramp(0.0, 0.125 * factorOfRelu));
    file.write("activations/add", {8, 8}, ramp(-1.0, 0.03125));
}

TEST_CASE("compare: a dump has not drifted from itself, and its scales lose nothing")
{
    const auto rows = compared(
        sample, sample,
        "match,max_ratio,earth_mover,earth_mover_share,kl_drift,scale_ratio,sqnr_loss_db,transfer");
    CHECK(rows.size() == 30);
    CHECK(std::ranges::count(rows, "name,1,0,0,0,1,0,exact") == 30);
}

TEST_CASE("compare: what is missing, then what was scaled, come first")
{
    H5File a;
    writeThree(a, 1.0);
    H5File b;
    b.write("activations/conv", {8, 8}, ramp(-2.0, 0.0625));
    b.write("activations/relu", {8, 8}, ramp(0.0, 0.25));
    const auto rows =
        compared(a.path(), b.path(), "tensor,other_tensor,match,max_ratio,scale_ratio");
    REQUIRE(rows.size() == 3);
    CHECK(rows[0] == "add,,only in the first,,");
    CHECK(rows[1] == "relu,relu,name,2,2");
    CHECK(rows[2] == "conv,conv,name,1,1");

    const auto other = compared(b.path(), a.path(), "tensor,other_tensor,match,max_ratio");
    CHECK(other[0] == ",add,only in the second,");
    CHECK(other[1] == "relu,relu,name,0.5");
}

TEST_CASE("compare: the order of the first dump, and pairs by hand")
{
    H5File a;
    writeThree(a, 1.0);
    H5File b;
    writeThree(b, 2.0);
    const auto rows = compared(a.path(), b.path(), "tensor,other_tensor,match",
                               {"--in-order", "--match", "conv=add"});
    // Names are told by name; what the manual pair left is one of a kind on each side.
    CHECK(rows == std::vector<std::string>{"add,conv,order and shape", "conv,add,manual",
                                           "relu,relu,name"});
    const ProgramRun wrong =
        runProgram("calib", {"compare", a.path(), b.path(), "--match", "conv"});
    CHECK(wrong.exitCode == 2);
    CHECK_THAT(wrong.errors, containsText("--match conv: is not of the form A=B"));
    const ProgramRun unknown =
        runProgram("calib", {"compare", a.path(), b.path(), "--match", "conv=nothing"});
    CHECK(unknown.exitCode == 3);
}

TEST_CASE("compare: A's scale on B's values is what fixed with A's threshold gives on B")
{
    H5File a;
    writeThree(a, 1.0);
    H5File b;
    writeThree(b, 2.0);
    const auto row = compared(a.path(), b.path(), "transferred_sqnr_db", {"--tensor", "relu"});
    REQUIRE(row.size() == 1);
    const ProgramRun fixed =
        runProgram("calib", {"scales", b.path(), "--tensor", "relu", "--calibrator",
                             "fixed:threshold=7.875", "--columns", "sqnr_db"});
    CHECK(row[0] == textLines(fixed.output).at(1));
}

TEST_CASE("compare: a file that can't be read is told with exit code 3")
{
    const ProgramRun run = runProgram("calib", {"compare", sample, "/no/such.h5"});
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, containsText("/no/such.h5"));
    CHECK(run.output.empty());
}

TEST_CASE("compare: from the sketches alone where that is asked for, with bounds")
{
    const std::string columns = "tensor,kl_drift,kl_drift_bound,sqnr_loss_bound_db,transfer";
    const auto cellsOf = [&](const std::vector<std::string>& further) {
        return compared(sample, sample, columns, further);
    };
    for (const std::string& row : cellsOf({"--exact"}))
        CHECK_THAT(row, containsText(",0,0,,exact"));
    const std::vector<std::string> estimated = cellsOf({"--estimate"});
    CHECK(std::ranges::count_if(estimated, [](const std::string& row) {
              return row.ends_with(",estimated") && row.find(",0,0,") == std::string::npos;
          }) >= 15);
    CHECK(runProgram("calib", {"compare", sample, sample, "--exact", "--estimate"}).exitCode == 2);
}

}  // namespace cli_compare_test
