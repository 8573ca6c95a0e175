// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <string>
#include <vector>

namespace import_test {

using namespace calibscope;
using test::containsText;
using test::H5File;
using test::ProgramRun;
using test::runProgram;

/// A dump and a file of scales beside it, which go away with the test.
struct Files
{
    test::TemporaryFolder folder;
    H5File file;
    std::string dump = file.path();
    std::string scales = (folder.path() / "scales.txt").string();

    explicit Files(const std::string& text)
    {
        std::vector<double> values;  // -4 to 4 in 801 steps
        for (int place = -400; place <= 400; ++place)
            values.push_back(place / 100.0);
        values.resize(800);
        file.write("activations/block.conv", {8, 100}, values);
        file.write("activations/relu", {8, 100}, values);
        writeWholeFile(scales, text);
    }

    [[nodiscard]] ProgramRun import(std::vector<std::string> more = {}) const
    {
        std::vector<std::string> arguments{"import", scales, dump};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments);
    }
};

TEST_CASE("import puts a cache's scales beside the data, with deviation and findings")
{
    // 3d010204 = 0x1.020408p-5: 127 times it is 4.0000000...; 3c810204 is half of it.
    const Files files("TRT-8205-EntropyCalibration2\n"
                      "/block/conv: 3d010204\n"
                      "net::relu: 3c810204\n"
                      "other: 3f800000\n");
    const ProgramRun run = files.import(
        {"--columns", "entry,line,tensor,found_by,deviation,clipped_share,level,lints"});
    CHECK(run.exitCode == 0);
    CHECK(run.errors.empty());
    const std::string rest = "other,4,,,,,note,note: no tensor of the dump has this name\n";
    CHECK_THAT(run.output, containsText(rest));
    CHECK_THAT(run.output, containsText("/block/conv,2,block.conv,separator,"));
    CHECK_THAT(run.output, containsText("net::relu,3,relu,end,-0.5"));
    // Beyond 2 lie 399 of 800 values: -4 to -2.01 and 2.01 to 3.99.
    CHECK_THAT(run.output, containsText("error: the range clips"));
    CHECK(files.import({"--strict"}).exitCode == 1);
}

TEST_CASE("import compares with a choice, and notes a head that was not asked for")
{
    const Files files("TRT-8205-EntropyCalibration2\nrelu: 3d010204\n");
    const ProgramRun run =
        files.import({"--from", "tensorrt-cache:version=8501", "--calibrator", "fixed:threshold=8",
                      "--columns", "tensor,calibrator,recipe_threshold,recipe_deviation,lints"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("its version is \"8205\", not \"8501\""));
    CHECK_THAT(run.output, containsText("relu,fixed,8,-0.5"));
    CHECK_THAT(run.output, containsText("block.conv,,,,note: the file does not have this tensor"));
}

TEST_CASE("what can't be imported has its exit code and sentence")
{
    const Files files("hello\n");
    CHECK_THAT(files.import().errors, containsText("is not a known file of scales"));
    CHECK(files.import().exitCode == 3);
    CHECK(files.import({"--from", "nothing"}).exitCode == 2);
    CHECK_THAT(files.import({"--from", "tensorrt-cache:version=1"}).errors,
               containsText("version=1 is not accepted"));
    CHECK(files.import({"-o", files.scales}).exitCode == 2);
    CHECK(files.import({"-o", files.dump}).exitCode == 2);
    const ProgramRun missing = runProgram("calib", {"import", files.scales + "x", files.dump});
    CHECK(missing.exitCode == 3);
}

}  // namespace import_test
