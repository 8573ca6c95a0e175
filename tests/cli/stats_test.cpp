// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <limits>
#include <string>
#include <vector>

namespace stats_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

const std::string header =
    "tensor,role,values,nan,inf,first_nan,first_inf,zeros,overflowed,"
    "underflowed,rounded_integers,min,max,absmax,mean,std,kurtosis,p50,p99,p99_9,p99_99,p99_999\n";
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("statistics of a few values are those worked out by hand")
{
    test::H5File file;
    // Of |x|: 0 0.5 1 1 2; of x: mean 0.5, squares of the distances 0.25 + 2.25 + 0.25 + 2.25 + 0.
    file.write("/a", {7}, std::vector<float>{1.0F, -1.0F, 0.0F, 2.0F, 0.5F, notANumber, -inf});
    const ProgramRun run = runProgram("calib", {"stats", file.path(), "--columns",
                                                "tensor,role,values,nan,inf,zeros,min,max,absmax,"
                                                "mean,std,kurtosis,p50"});
    CHECK(run.exitCode == 0);
    // std = sqrt(5 / 5); kurtosis = (2 * 0.0625 + 2 * 5.0625) * 5 / 25 - 3
    CHECK(run.output == "tensor,role,values,nan,inf,zeros,min,max,absmax,mean,std,kurtosis,p50\n"
                        "a,unknown,7,1,1,1,-1,2,2,0.5,1,-0.9500000000000002,1\n");
}

TEST_CASE("tensors without finite values or without spread leave empty what they don't have")
{
    test::H5File file;
    file.write("/constant", {3}, std::vector<float>(3, 0.75F));
    file.write("/nothing", {2}, std::vector<float>{notANumber, inf});
    file.write("/zeros", {2}, std::vector<float>{0.0F, -0.0F});
    const ProgramRun run = runProgram("calib", {"stats", file.path()});
    CHECK(run.exitCode == 0);
    CHECK(run.output ==
          header +
              "constant,unknown,3,0,0,,,0,0,0,0,0.75,0.75,0.75,0.75,0,,0.75,0.75,0.75,0.75,0.75\n"
              "nothing,unknown,2,1,1,0,1,0,0,0,0,,,,,,,,,,,\n"
              "zeros,unknown,2,0,0,,,2,0,0,0,0,0,0,0,0,,0,0,0,0,0\n");
}

TEST_CASE("a tensor that can't be read costs exit code 3 and a sentence, the others are there")
{
    test::H5File file;
    file.write("/a", {1}, std::vector<float>{1.0F});
    file.write("/zstd", {2}, std::vector<float>{1.0F, 2.0F},
               {.chunk = {2}, .unknownFilter = 32015});
    file.write("/z", {1}, std::vector<float>{2.0F});
    const ProgramRun run = runProgram("calib", {"stats", file.path(), "--columns", "tensor,max"});
    CHECK(run.exitCode == 3);
    CHECK(run.output == "tensor,max\na,1\nz,2\n");
    CHECK(run.errors.starts_with("calib: " + file.path() +
                                 ":/zstd: it is compressed with zstd (HDF5 filter 32015)"));
}

TEST_CASE("statistics per channel follow those of the whole tensor")
{
    test::H5File file;
    file.write("/weights/w", {2, 2}, std::vector<float>{1.0F, -4.0F, 0.0F, 2.0F});
    file.attribute("/weights/w", "channel_axis", std::int64_t{0});
    file.write("/weights/x", {2}, std::vector<float>{1.0F, 2.0F});
    const std::string columns = "tensor,channel,values,min,max";
    CHECK(runProgram("calib", {"stats", file.path(), "--rows", "channel", "--columns", columns})
              .output == columns + "\n"
                                   "w,*,4,-4,2\n"
                                   "w,0,2,-4,1\n"
                                   "w,1,2,0,2\n"
                                   "x,*,2,1,2\n");
    CHECK(runProgram("calib", {"stats", file.path(), "--rows", "channel", "--columns", columns,
                               "--tensor", "w", "--channel-axis", "1"})
              .output == columns + "\n"
                                   "w,*,4,-4,2\n"
                                   "w,0,2,0,1\n"
                                   "w,1,2,-4,2\n");
}

TEST_CASE("statistics can be of the first batches alone")
{
    test::H5File file;
    file.write("/activations/a", {4, 1}, std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F});
    file.attribute("/activations/a", "batch_size", std::int64_t{1});
    const auto maximum = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"stats", file.path(), "--columns", "max"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments).output;
    };
    CHECK(maximum({}) == "max\n4\n");
    CHECK(maximum({"--batches", "1"}) == "max\n1\n");
    CHECK(maximum({"--batches", "1", "--batch-size", "3"}) == "max\n3\n");
}

TEST_CASE("elements are read as the type that is given, also where the file names none")
{
    test::H5File file;
    const std::string words("\x80\x3f\x20\xc0", 4);  // 1 and -2.5
    file.write("/float", {2}, std::vector<float>{5.0F, 6.0F});
    file.writeBytes("/opaque", {2}, words, {.kind = test::RawType::Kind::Opaque, .bytes = 2});
    file.writeBytes("/words", {2}, words, {.kind = test::RawType::Kind::Unsigned, .bytes = 2});
    const ProgramRun plain =
        runProgram("calib", {"stats", file.path(), "--columns", "tensor,min,max"});
    CHECK(plain.exitCode == 3);
    CHECK(plain.output == "tensor,min,max\nfloat,5,6\nwords,16256,49184\n");
    CHECK_THAT(plain.errors, test::containsText("/opaque: its elements are 2 opaque bytes"));
    const ProgramRun read = runProgram(
        "calib", {"stats", file.path(), "--type", "bfloat16", "--columns", "tensor,min,max"});
    CHECK(read.exitCode == 0);
    CHECK(read.errors.empty());
    CHECK(read.output == "tensor,min,max\nfloat,5,6\nopaque,-2.5,1\nwords,-2.5,1\n");
    const ProgramRun wrong = runProgram("calib", {"stats", file.path(), "--type", "bfloat"});
    CHECK(wrong.exitCode == 2);
    CHECK_THAT(wrong.errors, test::containsText("bfloat16"));
}

TEST_CASE("words that look like bfloat16 are counted as they are, with a warning")
{
    test::H5File file;
    std::string words;
    for (int place = 0; place < 256; ++place)
        words += place % 2 == 0 ? std::string("\x80\x3f", 2) : std::string("\x20\xc0", 2);
    file.writeBytes("/words", {256}, words, {.kind = test::RawType::Kind::Unsigned, .bytes = 2});
    const ProgramRun run = runProgram("calib", {"stats", file.path(), "--columns", "tensor,max"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "tensor,max\nwords,49184\n");
    CHECK(run.errors == "calib: warning: " + file.path() +
                            ":/words: read as bfloat16, 100.0 % of the first 256 values are 0 or "
                            "of a magnitude from 1e-08 to 1000; if that is how it was recorded, "
                            "give --type bfloat16 instead of uint16\n");
}

TEST_CASE("samples along another axis are batches along that axis")
{
    test::H5File file;
    file.write("/activations/a", {2, 3}, std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F});
    const auto output = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"stats", file.path(), "--batch-size",  "1", "--batches",
                                           "1",     "--columns", "values,min,max"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments).output;
    };
    CHECK(output({}) == "values,min,max\n3,1,3\n");
    CHECK(output({"--batch-axis", "1"}) == "values,min,max\n2,1,4\n");
}

TEST_CASE("the first NaN and infinity are told by their index in the tensor, for channels too")
{
    test::H5File file;
    file.write("/activations/a", {2, 2, 2},
               std::vector<float>{0.0F, 1.0F, 2.0F, -inf, notANumber, 5.0F, 6.0F, notANumber});
    file.attribute("/activations/a", "channel_axis", std::int64_t{1});
    file.attribute("/activations/a", "batch_size", std::int64_t{1});
    const auto rows = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"stats",     file.path(),
                                           "--columns", "channel,nan,inf,first_nan,first_inf",
                                           "--rows",    "channel"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments).output;
    };
    CHECK(rows({}) == "channel,nan,inf,first_nan,first_inf\n*,2,1,4,3\n0,1,0,4,\n1,1,1,7,3\n");
    CHECK(rows({"--batches", "1"}) ==
          "channel,nan,inf,first_nan,first_inf\n*,0,1,,3\n0,0,0,,\n1,0,1,,3\n");
}

TEST_CASE("an index is in the file's order also where samples are not along axis 0")
{
    test::H5File file;  // time x sample x channel
    file.write("/activations/a", {3, 2, 2},
               std::vector<float>{0.0F, 0.0F, 1.0F, 1.0F, 0.0F, notANumber, 1.0F, 1.0F, 0.0F, 0.0F,
                                  inf, 1.0F});
    file.attribute("/activations/a", "channel_axis", std::int64_t{2});
    CHECK(runProgram("calib", {"stats", file.path(), "--batch-axis", "1", "--rows", "channel",
                               "--columns", "channel,first_nan,first_inf"})
              .output == "channel,first_nan,first_inf\n*,5,10\n0,,10\n1,5,\n");
}

TEST_CASE("a tensor of zero size has counts of 0 and nothing else, a text still has a reason")
{
    test::H5File file;
    file.writeNothing("/activations/a", {0, 3});
    file.attribute("/activations/a", "channel_axis", std::int64_t{1});
    file.attribute("/activations/a", "batch_size", std::int64_t{2});
    file.writeNothing("/b", {2, 0, 4});
    file.writeNull("/null");
    const ProgramRun all = runProgram("calib", {"stats", file.path()});
    CHECK(all.exitCode == 0);
    CHECK(all.output == header + "a,activation,0,0,0,,,0,0,0,0,,,,,,,,,,,\n"
                                 "b,activation,0,0,0,,,0,0,0,0,,,,,,,,,,,\n");
    const ProgramRun null = runProgram("calib", {"stats", file.path(), "--tensor", "null"});
    CHECK(null.exitCode == 3);
    CHECK(null.errors ==
          "calib: " + file.path() + ":/null: it has no values at all (a null dataspace)\n");
    CHECK(runProgram("calib", {"stats", file.path(), "--tensor", "b"}).exitCode == 0);
    CHECK(runProgram("calib", {"stats", file.path(), "--tensor", "a", "--rows", "channel",
                               "--columns", "channel,values"})
              .output == "channel,values\n*,0\n0,0\n1,0\n2,0\n");
}

TEST_CASE("percentiles of any order, of magnitudes or of values")
{
    test::H5File file;
    file.write("/a", {5}, std::vector<float>{-4.0F, 1.0F, 0.0F, 2.0F, 3.0F});
    const auto percentiles = [&](const std::vector<std::string>& options,
                                 const std::string& columns) {
        std::vector<std::string> arguments{"stats", file.path(), "--columns", columns};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return runProgram("calib", arguments).output;
    };
    CHECK(percentiles({"--percentile", "0,12.5", "--percentile", "100,0"}, "p0,p12_5,p100") ==
          "p0,p12_5,p100\n0,0.5,4\n");
    CHECK(percentiles({"--percentile", "0,12.5,50", "--domain", "signed"},
                      "signed_p0,signed_p12_5,signed_p50") ==
          "signed_p0,signed_p12_5,signed_p50\n-4,-2,1\n");
    CHECK(percentiles({"--domain", "signed"}, "signed_p50") == "signed_p50\n1\n");
    for (const std::string wrong : {"-1", "100.5", "nan", "half", ""}) {
        const ProgramRun run = runProgram("calib", {"stats", file.path(), "--percentile=" + wrong});
        CHECK(run.exitCode == 2);
        CHECK(run.output.empty());
    }
}

TEST_CASE("what float32 cannot hold is counted apart, of the tensor and of each channel")
{
    test::H5File file;
    const std::vector<double> values{1e300, -1.0, 1e-50, 0.0, 0.1, 16777217.0, -4e38, 2.0};
    file.write("/activations/a", {2, 4}, values, test::Stored::Float64);
    file.attribute("/activations/a", "channel_axis", std::int64_t{1});
    file.write("/i", {2, 2}, {16777217.0, -33554436.0, 33554433.0, 5.0}, test::Stored::Int32);
    const std::string columns = "values,inf,zeros,overflowed,underflowed,rounded_integers";
    const auto statsOf = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"stats", file.path(), "--columns", columns};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments).output;
    };
    CHECK(statsOf({"--tensor", "a", "--rows", "channel"}) ==
          columns + "\n8,2,2,2,1,1\n2,1,0,1,0,0\n2,0,0,0,0,1\n2,1,1,1,1,0\n2,0,1,0,0,0\n");
    CHECK(statsOf({"--tensor", "a", "--channel", "2"}) == columns + "\n2,1,1,1,1,0\n");
    CHECK(statsOf({"--tensor", "a", "--batch-axis", "1"}) == columns + "\n8,2,2,2,1,1\n");
    CHECK(statsOf({"--tensor", "i"}) == columns + "\n4,0,0,0,0,2\n");
}

TEST_CASE("a tensor is named by its path as h5py writes it, wherever a tensor is named")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1.0F, -2.0F, 3.0F, 0.5F});
    const std::string path = "activations/a";
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"info", file.path(), "--tensor", path},
          {"stats", file.path(), "--tensor", path, "--layout", path + ":role=weight"},
          {"histogram", file.path(), "--tensor", path},
          {"scales", file.path(), "--tensor", path, "--calibrator", "min-max"},
          {"explain", file.path(), "--tensor", path, "--from", "min-max", "--to", "fixed"},
          {"python", file.path(), "--tensor", path, "--calibrator", "min-max"},
          {"compare", file.path(), file.path(), "--match", path + "=" + path}}) {
        INFO(arguments.front());
        const ProgramRun run = runProgram("calib", arguments);
        CHECK(run.exitCode == 0);
        CHECK(run.errors.empty());
    }
    CHECK(runProgram("calib",
                     {"stats", file.path(), "--layout", path + ":role=weight", "--columns", "role"})
              .output == "role\nweight\n");
}

TEST_CASE("what float32 cannot hold is counted over datasets that are batches of one tensor")
{
    test::H5File file;
    for (const char* part : {"/acts/b/0", "/acts/b/1", "/acts/b/2"})
        file.write(part, {2, 3}, {1.0, 1e300, 1e-50, 1e-50, 16777217.0, 0.0},
                   test::Stored::Float64);
    CHECK(runProgram("calib", {"stats", file.path(), "--columns",
                               "values,inf,zeros,overflowed,underflowed,rounded_integers"})
              .output ==
          "values,inf,zeros,overflowed,underflowed,rounded_integers\n18,3,9,3,6,3\n");
}

}  // namespace stats_test
