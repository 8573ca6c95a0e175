// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5_growing.h"
#include "tests/support/run_program.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace info_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

const std::string header =
    "tensor,role,op,type,other_types,lossy,shape,batch_axis,channel_axis,batches,layout_rule,"
    "compression,checksum,readable,parts,guess,evidence\n";

test::H5File smallDump()
{
    test::H5File file;
    file.attribute("/", "format", "calibration-dump");
    file.write("/activations/relu", {6, 2}, std::vector<float>(12, 1.0F),
               {.chunk = {2, 2}, .hasShuffle = true, .gzip = 4});
    file.attribute("/activations/relu", "batch_size", std::int64_t{4});
    file.attribute("/activations/relu", "layout", "NC");
    file.attribute("/activations/relu", "op_type", "Relu");
    file.writeTexts("/weights/names", {"a", "b", "c"});
    return file;
}

TEST_CASE("info lists every tensor, also those that can't be read, with the reason")
{
    const test::H5File file = smallDump();
    const ProgramRun run = runProgram("calib", {"info", file.path()});
    CHECK(run.exitCode == 0);
    CHECK(run.errors.empty());
    CHECK(
        run.output ==
        header +
            "relu,activation,Relu,float32,,,6 x 2,0,1,2,calibration-dump,shuffle+gzip 4,adler32 "
            "(gzip),yes,1,no,an activation: it lies in /activations (calibration-dump); axis 1 is "
            "the "
            "channel: attribute layout = NC (calibration-dump)\n"
            "names,weight,,string,,,3,,,,calibration-dump,none,none,it holds texts; only numbers "
            "are "
            "read,1,no,a weight: it lies in /weights (calibration-dump)\n");
}

TEST_CASE("info in JSON leaves out what is absent")
{
    const test::H5File file = smallDump();
    const auto rows = nlohmann::json::parse(
        runProgram("calib", {"info", file.path(), "--format", "json"}).output);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["batches"] == 2);
    CHECK(rows[0]["channel_axis"] == 1);
    CHECK_FALSE(rows[1].contains("batches"));
    CHECK_FALSE(rows[1].contains("op"));
}

TEST_CASE("info can list some tensors and some columns")
{
    const test::H5File file = smallDump();
    CHECK(runProgram("calib", {"info", file.path(), "--tensor", "re*", "--columns", "shape,tensor"})
              .output == "shape,tensor\n6 x 2,relu\n");
    const ProgramRun none = runProgram("calib", {"info", file.path(), "--tensor", "rel"});
    CHECK(none.exitCode == 3);
    CHECK(none.errors ==
          "calib: " + file.path() + ": there is no tensor rel; similar names: relu\n");
}

TEST_CASE("info marks a guess, and tells warnings apart from the list")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>(4, 1.0F));
    file.attribute("/activations/a", "layout", "NCHW");
    const ProgramRun run =
        runProgram("calib", {"info", file.path(), "--columns", "tensor,layout_rule"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "tensor,layout_rule\na,calibration-dump (guess)\n");
    CHECK(run.errors == "calib: warning: " + file.path() +
                            ":/activations/a: attribute layout is ignored: NCHW names 4 axes of a "
                            "tensor of rank 2\n");
}

TEST_CASE("info of a file without datasets is a header and a warning")
{
    const test::H5File file;
    const ProgramRun run = runProgram("calib", {"info", file.path()});
    CHECK(run.exitCode == 0);
    CHECK(run.output == header);
    CHECK(run.errors == "calib: warning: " + file.path() + ":/: the file holds no datasets\n");
}

TEST_CASE("info tells how elements are stored, read and could be read, and what is lost")
{
    test::H5File file;
    file.write("/double", {2}, {1.0, 2.0}, test::Stored::Float64);
    const test::RawType words{.kind = test::RawType::Kind::Unsigned, .bytes = 2};
    file.writeBytes("/stated", {1}, "\x80\x3f", words);
    file.attribute("/stated", "dtype", std::string("bfloat16"));
    file.writeBytes("/words", {1}, "\x80\x3f", words);
    const ProgramRun run =
        runProgram("calib", {"info", file.path(), "--columns", "tensor,type,other_types,lossy"});
    CHECK(run.output ==
          "tensor,type,other_types,lossy\n"
          "double,float64,,float64 is rounded to the nearest float32; magnitudes beyond 3.4e38 "
          "become infinite\n"
          "stated,uint16 as bfloat16,uint16 float16,\n"
          "words,uint16,bfloat16 float16,\n");
}

TEST_CASE("info shows tensors as they would be understood with the options given")
{
    test::H5File file;
    file.write("/acts/conv/kernel:0", {6, 2}, std::vector<float>(12, 1.0F));
    file.write("/acts/fc", {6, 2}, std::vector<float>(12, 1.0F));
    const auto info = [&](const std::vector<std::string>& options) {
        std::vector<std::string> arguments{
            "info", file.path(), "--columns",
            "tensor,role,batch_axis,channel_axis,batches,layout_rule,guess"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return runProgram("calib", arguments);
    };
    const std::string head = "tensor,role,batch_axis,channel_axis,batches,layout_rule,guess\n";
    const std::string asFound = "conv/kernel:0,activation,0,1,1,path-words (guess),yes\n"
                                "fc,activation,0,1,1,path-words (guess),yes\n";
    CHECK(info({}).output == head + asFound);
    CHECK(info({"--batch-size", "2"}).output ==
          head +
              "conv/kernel:0,activation,0,1,3,path-words,no\nfc,activation,0,1,3,path-words,no\n");
    CHECK(info({"--layout", "conv/kernel:0:role=weight,channel-axis=0", "--layout",
                "f*:batch-size=4,channel-axis=none"})
              .output == head + "conv/kernel:0,weight,,0,1,path-words,no\n"
                                "fc,activation,0,,2,path-words,no\n");
}

TEST_CASE("what --layout can't mean is told in a sentence")
{
    test::H5File file;
    file.write("/acts/fc", {6, 2}, std::vector<float>(12, 1.0F));
    const auto says = [&](const std::string& text, int exitCode, const std::string& sentence) {
        const ProgramRun run = runProgram("calib", {"info", file.path(), "--layout", text});
        CHECK(run.exitCode == exitCode);
        CHECK_THAT(run.errors, test::containsText(sentence));
    };
    says("fc", 2, "--layout fc: write it as NAME-OR-GLOB:KEY=VALUE,..., such as");
    says(":role=weight", 2, "write it as NAME-OR-GLOB:KEY=VALUE");
    says("fc:role", 2, "write it as NAME-OR-GLOB:KEY=VALUE");
    says("fc:role=king", 2, "there is no role king; available: activation, weight, bias, unknown");
    says("fc:axis=1", 2, "there is no key axis; available: role, batch-axis");
    says("fc:channel-axis=x", 2, "channel-axis=x is not a whole number from 0 on, or none");
    says("fc:batch-size=-4", 2, "batch-size=-4 is not a whole number from 0 on\n");
    says("fc:channel-axis=2", 2, "fc: there is no axis 2; its shape is 6 x 2");
    says("conv:role=weight", 3,
         file.path() + ": --layout conv:role=weight: there is no tensor conv");
}

TEST_CASE("numbered batches are one row, found by the path of any of them")
{
    test::H5File file;
    file.write("/acts/fc/0", {6, 2}, std::vector<float>(12, 1.0F));
    file.write("/acts/fc/1", {6, 2}, std::vector<float>(12, 1.0F));
    const ProgramRun run = runProgram("calib", {"info", file.path(), "--tensor", "/acts/fc/1",
                                                "--columns", "tensor,shape,batches,parts"});
    CHECK(run.output == "tensor,shape,batches,parts\nfc,12 x 2,2,2\n");
    CHECK(runProgram("calib", {"info", file.path(), "--no-merge", "--columns", "tensor,parts"})
              .output == "tensor,parts\nfc/0,1\nfc/1,1\n");
}

TEST_CASE("info looks at a file that is still being written, other commands refuse it")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("growing.h5");
    test::GrowingFile writer(path);
    writer.append(3);
    const ProgramRun look = runProgram("calib", {"info", path, "--columns", "tensor,shape"});
    CHECK(look.exitCode == 0);
    CHECK(look.output == "tensor,shape\na,12 x 8\n");
    CHECK_THAT(look.errors, test::containsText("calib: warning: " + path +
                                               ":/: the file is still being written, or its "
                                               "writer did not close it: "));
    const std::string profile = folder.file("P.h5");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"stats", path}, {"profile", path, "-o", profile}}) {
        const ProgramRun run = runProgram("calib", words);
        CHECK(run.exitCode == 3);
        CHECK_THAT(run.errors,
                   test::containsText(path + ": it is still being written, or its writer did not "
                                             "close it: calib info and the window show what is "
                                             "there so far; "));
    }
}

}  // namespace info_test
