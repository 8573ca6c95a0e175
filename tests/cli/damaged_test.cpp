// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <string>
#include <vector>

namespace damaged_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

/// Lets every text in the file's global heap have an impossible place in it. Older HDF5 libraries
/// look there without a check.
void damageTexts(const std::string& path)
{
    std::string bytes = test::readBytes(path);
    const std::size_t heap = bytes.find("GCOL");
    REQUIRE(heap != std::string::npos);
    std::string address(8, '\0');
    for (std::size_t byte = 0; byte < 4; ++byte)
        address[byte] = static_cast<char>(heap >> (8 * byte) & 0xffU);
    std::size_t damaged = 0;
    for (std::size_t at = bytes.find(address); at != std::string::npos;
         at = bytes.find(address, at + 8), ++damaged)
        bytes.replace(at + 8, 4, "\xff\xff\xff\x7f");
    REQUIRE(damaged > 0);
    test::writeBytes(path, bytes);
}

TEST_CASE("a text that older HDF5 libraries would crash on is left out, and told")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>(4, 1.0F));
    file.attribute("/activations/a", "op_type", "Conv");
    damageTexts(file.path());
    for (const std::string command : {"info", "stats", "scales"}) {
        const ProgramRun run = runProgram("calib", {command, file.path()});
        CHECK(run.exitCode == 0);
        CHECK_FALSE(run.output.empty());
    }
    CHECK_THAT(
        runProgram("calib", {"info", file.path()}).errors,
        test::containsText(file.path() +
                           ":/activations/a: its attribute op_type is left out: damaged at byte"));
}

TEST_CASE("tensors that may be lost from a group that is empty now are told by every command")
{
    test::H5File file;
    for (const char* name : {"/g/convolution_1", "/g/convolution_2", "/g/convolution_3", "/e"})
        file.write(name, {4}, std::vector<float>{1, 2, 3, 4});
    std::string bytes = test::readBytes(file.path());
    std::size_t node = bytes.find("SNOD");
    while (node != std::string::npos && bytes[node + 6] != 3)
        node = bytes.find("SNOD", node + 1);
    REQUIRE(node != std::string::npos);
    bytes[node + 6] = 0;  // it counts no members now
    test::writeBytes(file.path(), bytes);
    for (const std::string command : {"info", "stats", "scales"}) {
        const ProgramRun run = runProgram("calib", {command, file.path()});
        const std::string told = "/g: behind the last of its members there is more";
        CHECK(run.exitCode == 0);
        CHECK_THAT(run.errors, test::containsText(told));
        CHECK(run.errors.find(told) == run.errors.rfind(told));
    }
}

TEST_CASE("statistics of a file that was cut anywhere end with 3 and a sentence")
{
    test::H5File file;
    file.write("/a", {100}, std::vector<float>(100, 1.0F), {.chunk = {10}, .gzip = 4});
    const std::string whole = test::readBytes(file.path());
    for (std::size_t cut = 0; cut < 10; ++cut) {
        test::writeBytes(file.path(), whole.substr(0, cut * whole.size() / 10));
        const ProgramRun run = runProgram("calib", {"stats", file.path()});
        CHECK(run.exitCode == 3);
        CHECK(run.output.empty());
        CHECK(run.errors.starts_with("calib: " + file.path() + ": "));
    }
}

}  // namespace damaged_test
