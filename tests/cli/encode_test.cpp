// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <vector>

namespace encode_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

/// Two rows of four values; under mxfp4 their scales are 1/4 and 1.
const std::vector<float> values{1.9F, 0.0625F, -1.0F, 0.0F, 4.0F, notANumber, -6.0F, 0.5F};

TEST_CASE("errors under a format are those worked out by hand")
{
    test::H5File file;
    file.write("/a", {2, 4}, values);
    const ProgramRun run =
        runProgram("calib", {"encode", file.path(), "--number-format", "mxfp4", "--columns",
                             "tensor,format,granularity,row_length,effective_bits,saturated_share,"
                             "blocks,poisoned_blocks,notes"});
    CHECK(run.exitCode == 0);
    // (8 values x 4 bits + 2 scales x 8) / 8; one of seven saturates
    CHECK(run.output ==
          "tensor,format,granularity,row_length,effective_bits,saturated_share,blocks,"
          "poisoned_blocks,notes\n"
          "a,mxfp4,g32,4,6,0.14285714285714285,2,1,"
          "\"1 block with NaN or infinities, which are left out\"\n");
}

TEST_CASE("a block is shown with its scale, and every value with its pattern")
{
    test::H5File file;
    file.write("/a", {2, 4}, values);
    const ProgramRun run = runProgram("calib", {"encode", file.path(), "--tensor", "a",
                                                "--number-format", "mxfp4", "--block", "1"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "block,scale,scale_pattern,zero_point,index,value,pattern,decoded,error\n"
                        "1,1,0x7f,,4,4,0x6,4,0\n"
                        "1,1,0x7f,,5,,0x0,0,\n"
                        "1,1,0x7f,,6,-6,0xf,-6,0\n"
                        "1,1,0x7f,,7,0.5,0x1,0.5,0\n");
    const ProgramRun columns =
        runProgram("calib", {"encode", file.path(), "--number-format", "uint4-g2", "--axis", "0",
                             "--block", "0", "--columns", "zero_point,index"});
    CHECK(columns.output == "zero_point,index\n0,0\n0,4\n");
}

TEST_CASE("formats that there are not, and blocks that there are not, are refused")
{
    test::H5File file;
    file.write("/a", {2, 4}, values);
    const auto refusal = [&](const std::vector<std::string>& options) {
        std::vector<std::string> words{"encode", file.path()};
        words.insert(words.end(), options.begin(), options.end());
        const ProgramRun run = runProgram("calib", words);
        CHECK(run.exitCode == 2);
        return run.errors;
    };
    CHECK_THAT(refusal({"--number-format", "fp5"}),
               test::containsText("there is no number format fp5; available: int8"));
    CHECK_THAT(refusal({"--number-format", "mxfp4", "--block", "2"}),
               test::containsText("there is no block 2 under mxfp4, which has 2"));
    CHECK_THAT(refusal({"--number-format", "mxfp4", "--axis", "2"}),
               test::containsText("there is no axis 2"));
    CHECK_THAT(refusal({"--number-format", "q4_k"}),
               test::containsText("q4_k needs rows of whole super-blocks of 256 values, not of 4"));
    CHECK_THAT(refusal({"--number-format", "mxfp4", "--number-format", "int4", "--block", "0"}),
               test::containsText("one tensor under one number format"));
}

TEST_CASE("axes and indices are those of the file, wherever its batch axis is")
{
    test::H5File file;
    file.write("/a", {2, 3, 2}, std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const auto indices = [&](const char* axis) {
        return runProgram("calib", {"encode", file.path(), "--batch-axis", "1", "--batch-size", "1",
                                    "--number-format", "int4-row", "--axis", axis, "--block", "1",
                                    "--columns", "index"})
            .output;
    };
    // Rows in the order of the visit: batch, then the axes before and behind it.
    CHECK(indices("0") == "index\n1\n7\n");
    CHECK(indices("2") == "index\n6\n7\n");
    CHECK(indices("1") == "index\n1\n3\n5\n");
}

TEST_CASE("importance is that of the input of a weight's layer, or is not known")
{
    const std::string operands = CALIBSCOPE_SOURCE_DIR "/tests/golden/format_operands.h5";
    const auto encoded = [&](const std::string& tensor, const std::string& format) {
        return runProgram("calib", {"encode", operands, "--tensor", tensor, "--number-format",
                                    format, "--columns", "sqnr_db"});
    };
    // ggml's own results on that weight: tests/golden/formats.json
    CHECK_THAT(encoded("layer.weight", "ggml-q4_0-imatrix").output, test::containsText("17.48347"));
    CHECK(encoded("layer.weight", "nvfp4:search=sweep").output !=
          encoded("layer.weight", "nvfp4:search=sweep,importance=hessian").output);
    const ProgramRun ofInput = encoded("layer.input", "iq4_nl:importance=input");
    CHECK(ofInput.exitCode != 0);
    CHECK_THAT(ofInput.errors, test::containsText("no layer with a recorded input multiplies it"));
    const ProgramRun along = runProgram(
        "calib", {"encode", operands, "--axis", "0", "--number-format", "iq4_nl:importance=input"});
    CHECK_THAT(along.errors, test::containsText("--axis"));
}

TEST_CASE("presets of other tools are listed, and are formats")
{
    const ProgramRun run = runProgram("calib", {"formats", "--presets", "--columns", "preset"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.output, test::containsText("preset\ntorchao-mx-floor\n"));
    CHECK(runProgram("calib", {"formats", "ct-w4a16", "--columns", "format"}).output ==
          "format\nint4-g128:divisor=qmax+0.5\n");
}

TEST_CASE("a shootout ranks formats by SQNR, the best first")
{
    test::H5File file;
    file.write("/a", {1, 4}, std::vector<float>{1.0F, 0.3F, -0.7F, 0.2F});
    const ProgramRun run =
        runProgram("calib", {"shootout", file.path(), "--number-format", "int2", "--number-format",
                             "int8", "--number-format", "int4", "--columns", "rank,format"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "rank,format\n1,int8\n2,int4\n3,int2\n");
}

TEST_CASE("a rate curve has the errors of its formats, and marks those that none exceeds")
{
    test::H5File file;
    std::vector<float> uneven;
    for (int i = 0; i < 96; ++i)
        uneven.push_back(static_cast<float>((i * 37) % 19 - 9) * (i % 16 == 3 ? 4.0F : 0.3F));
    file.write("/a", {3, 32}, uneven);
    const auto rowsOf = [&](std::vector<std::string> arguments, const std::string& columns) {
        arguments.insert(arguments.end(), {"--format", "json", "--columns", columns});
        const ProgramRun run = runProgram("calib", arguments);
        REQUIRE(run.exitCode == 0);
        return nlohmann::json::parse(run.output);
    };
    const std::string numbers = "format,effective_bits,sqnr_db,blocks,mse";
    const nlohmann::json rate = rowsOf({"rate", file.path(), "--family", "int4", "--family",
                                        "fp4-e2m1:scales=float16", "--family", "mxfp4"},
                                       "family,best," + numbers);
    // Groups as long as a row are rows; those of MX are always 32.
    std::vector<std::string> formats;
    std::vector<std::string> asked = {"encode", file.path()};
    for (const nlohmann::json& row : rate) {
        formats.push_back(row["format"]);
        asked.insert(asked.end(), {"--number-format", row["format"]});
    }
    CHECK(formats == std::vector<std::string>{
                         "int4-tensor", "int4-row", "int4-g16", "int4-g8",
                         "fp4-e2m1-tensor:scales=float16", "fp4-e2m1-row:scales=float16",
                         "fp4-e2m1-g16:scales=float16", "fp4-e2m1-g8:scales=float16", "mxfp4"});
    CHECK(rate[0]["family"] == "int4");
    CHECK(rate[4]["family"] == "fp4-e2m1:scales=float16");
    const nlohmann::json encoded = rowsOf(asked, numbers);
    REQUIRE(encoded.size() == rate.size());
    std::size_t best = 0;
    for (std::size_t i = 0; i < rate.size(); ++i) {
        CAPTURE(formats[i]);
        for (const auto& [column, value] : encoded[i].items())
            CHECK(rate[i][column] == value);
        bool isExceeded = false;
        for (std::size_t other = 0; other < rate.size(); ++other)
            isExceeded = isExceeded || (other != i &&
                                        encoded[other]["effective_bits"].get<double>() <=
                                            encoded[i]["effective_bits"].get<double>() &&
                                        encoded[other]["sqnr_db"].get<double>() >=
                                            encoded[i]["sqnr_db"].get<double>());
        CHECK(rate[i]["best"] == (isExceeded ? "no" : "yes"));
        best += isExceeded ? 0U : 1U;
    }
    CHECK(best > 1);
    CHECK(best < rate.size());
}

TEST_CASE("of formats that are equal the first is the best, and none of a tensor without values")
{
    test::H5File file;
    file.write("/nothing", {1, 2}, std::vector<float>{notANumber, notANumber});
    file.write("/zeros", {1, 2}, std::vector<float>{0.0F, 0.0F});
    const ProgramRun run = runProgram("calib", {"rate", file.path(), "--family", "int4", "--family",
                                                "nf4", "--columns", "tensor,best,format"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "tensor,best,format\nnothing,no,int4-tensor\nnothing,no,nf4-tensor\n"
                        "zeros,yes,int4-tensor\nzeros,no,nf4-tensor\n");
    CHECK(runProgram("calib", {"rate", file.path(), "--family", "int99"}).exitCode == 2);
}

TEST_CASE("the values of a format's patterns")
{
    const ProgramRun run =
        runProgram("calib", {"formats", "fp4-e2m1", "--values", "--columns", "pattern,value"});
    CHECK(run.exitCode == 0);
    CHECK(run.output ==
          "pattern,value\n0x0,0\n0x1,0.5\n0x2,1\n0x3,1.5\n0x4,2\n0x5,3\n0x6,4\n0x7,6\n"
          "0x8,0\n0x9,-0.5\n0xa,-1\n0xb,-1.5\n0xc,-2\n0xd,-3\n0xe,-4\n0xf,-6\n");
}

}  // namespace encode_test
