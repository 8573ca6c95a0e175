// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"
#include "core/base/hex.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <string>
#include <vector>

namespace check_dump_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

TEST_CASE("check-dump tells which values are verified, which can't be, and which are damaged")
{
    test::H5File file;
    const std::vector<float> values(8, 1.5F);
    file.write("/activations/digest", {2, 4}, values);
    std::string bytes;
    for (int value = 0; value < 8; ++value)
        bytes += std::string("\0\0\xc0\x3f", 4);
    file.attribute("/activations/digest", "values_sha256", hexText(sha256(bytes)));
    file.write("/activations/plain", {2, 4}, values);
    file.write("/activations/summed", {2, 4}, std::vector<float>(8, 2.5F),
               {.chunk = {2, 4}, .hasFletcher32 = true});
    file.writeTexts("/notes", {"a", "b"});
    const ProgramRun whole = runProgram("calib", {"check-dump", file.path()});
    CHECK(whole.exitCode == 0);
    CHECK(whole.output == "tensor,checksum,state,problem,doubts\n"
                          "digest,sha256,verified,,\n"
                          "plain,none,no checksum,,\n"
                          "summed,fletcher32,verified,,\n");
    CHECK(whole.errors == "calib: warning: " + file.path() +
                              ": 1 tensor has no checksum to verify the values with; record "
                              "with fletcher32 or values_sha256\n");

    std::string damaged = test::readBytes(file.path());
    const std::size_t at = damaged.find(std::string("\0\0\x20\x40\0\0\x20\x40", 8));
    REQUIRE(at != std::string::npos);
    damaged[at + 2] = '\x21';
    test::writeBytes(file.path(), damaged);
    const ProgramRun run =
        runProgram("calib", {"check-dump", file.path(), "--columns", "tensor,state"});
    CHECK(run.exitCode == 3);
    CHECK(run.output == "tensor,state\ndigest,verified\nplain,no checksum\nsummed,damaged\n");
    CHECK_THAT(run.errors, test::containsText("1 of 3 tensors are damaged or cannot be read"));
}

TEST_CASE("chunks that were never written are told by every command, and in the notes")
{
    test::H5File file;
    file.write("/activations/a", {4, 64}, std::vector<float>(256, 1.0F),
               {.chunk = {1, 64}, .isResizable = true});
    file.extend("/activations/a", {16, 64});
    const std::string doubt =
        "12 of its 16 chunks were never written and are read as its fill value";
    const std::vector<std::vector<std::string>> commands{
        {"info", file.path()},
        {"stats", file.path()},
        {"check-dump", file.path()},
        {"scales", file.path(), "--calibrator", "min-max"},
        {"histogram", file.path(), "--tensor", "a"},
        {"explain", file.path(), "--tensor", "a", "--from", "min-max", "--to", "percentile"},
        {"compare", file.path(), file.path()},
        {"python", file.path(), "--tensor", "a", "--what", "statistics"}};
    for (const std::vector<std::string>& command : commands) {
        INFO(command.front());
        const ProgramRun run = runProgram("calib", command);
        INFO(run.errors);
        CHECK(run.exitCode == 0);
        if (command.front() == "check-dump")
            CHECK_THAT(run.output, test::containsText(doubt));
        else
            CHECK_THAT(run.errors, test::containsText("calib: warning: " + file.path() +
                                                      ":/activations/a: " + doubt));
    }
    CHECK_THAT(runProgram("calib", {"scales", file.path(), "--calibrator", "min-max"}).output,
               test::containsText(doubt));
}

TEST_CASE("batch sizes that are none or beyond all samples end with a sentence, or one batch")
{
    test::H5File file;
    file.write("/activations/a", {4, 4}, std::vector<float>(16, 1.0F));
    const ProgramRun none = runProgram("calib", {"stats", file.path(), "--batch-size", "0"});
    CHECK(none.exitCode == 2);
    CHECK_THAT(none.errors, test::containsText("0 is not a whole number from 1 on"));
    const ProgramRun all = runProgram("calib", {"scales", file.path(), "--calibrator", "min-max",
                                                "--batch-size", "18446744073709551615"});
    CHECK(all.errors == "");
    CHECK(all.exitCode == 0);
}

TEST_CASE("more batches than fit the memory budget are refused, not tried")
{
    test::H5File file;
    file.writeNothing("/activations/a", {50000000, 1},
                      {.chunk = {1 << 20, 1}, .gzip = 1, .fillValue = 1.0F});
    const ProgramRun run = runProgram("calib", {"stats", file.path(), "--batch-size", "1"});
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors,
               test::containsText("it has 50000000 batches and 1 channels, more than "));
}

}  // namespace check_dump_test
