// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/output_folder.h"

#include "core/base/error.h"

#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include <unistd.h>

namespace html_output_folder_test {

using namespace calibscope;
using namespace calibscope::test;
using Existing = OutputFolder::Existing;
namespace fs = std::filesystem;

constexpr std::string_view mark = "summary.json";

/// Writes a folder that holds the mark with that text.
void writeReport(const std::string& target, Existing existing, const std::string& text)
{
    OutputFolder folder(target, existing, mark);
    writeBytes((folder.path() / mark).string(), text);
    folder.finish();
}

std::size_t entries(const fs::path& folder)
{
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST_CASE("a folder appears when it is finished, with what is in it")
{
    const TemporaryFolder place;
    const std::string target = place.file("report");
    {
        OutputFolder folder(target, Existing::Refuse, mark);
        folder.makeFolder("png");
        writeBytes((folder.path() / mark).string(), "{}");
        CHECK_FALSE(fs::exists(target));
        folder.finish();
    }
    CHECK(readBytes(target + "/summary.json") == "{}");
    CHECK(fs::is_directory(target + "/png"));
    CHECK(entries(place.path()) == 1);
}

TEST_CASE("a folder that is not finished leaves nothing")
{
    const TemporaryFolder place;
    {
        const OutputFolder folder(place.file("report"), Existing::Refuse, mark);
        writeBytes((folder.path() / mark).string(), "{}");
    }
    CHECK(entries(place.path()) == 0);
}

TEST_CASE("a report that is there is replaced only where that is said")
{
    const TemporaryFolder place;
    const std::string target = place.file("report");
    writeReport(target, Existing::Refuse, "first");
    CHECK_THROWS_WITH(writeReport(target, Existing::Refuse, "second"), containsText("--overwrite"));
    CHECK(readBytes(target + "/summary.json") == "first");
    writeReport(target + "/", Existing::Replace, "third");
    CHECK(readBytes(target + "/summary.json") == "third");
    CHECK(entries(place.path()) == 1);
}

TEST_CASE("while a report is replaced, there always is one")
{
    const TemporaryFolder place;
    const std::string target = place.file("report");
    writeReport(target, Existing::Refuse, "first");
    std::atomic<bool> isDone = false;
    std::atomic<std::uint64_t> looks = 0;
    std::uint64_t missed = 0;
    std::thread watcher([&] {
        for (; !isDone; ++looks)
            if (::access((target + "/summary.json").c_str(), F_OK) != 0)
                ++missed;
    });
    while (looks == 0)
        std::this_thread::yield();
    for (int round = 0; round < 60; ++round)
        writeReport(target, Existing::Replace, std::to_string(round));
    isDone = true;
    watcher.join();
    CHECK(missed == 0);
    CHECK(readBytes(target + "/summary.json") == "59");
    CHECK(entries(place.path()) == 1);
}

TEST_CASE("what is not a report is never replaced, an empty folder is")
{
    const TemporaryFolder place;
    const std::string home = place.file("home");
    fs::create_directory(home);
    CHECK_NOTHROW(writeReport(home, Existing::Replace, "x"));
    fs::remove(home + "/summary.json");
    writeBytes(home + "/thesis.tex", "years of work");
    CHECK_THROWS_WITH(writeReport(home, Existing::Replace, "y"),
                      containsText("contains no report"));
    CHECK(readBytes(home + "/thesis.tex") == "years of work");
    CHECK_THROWS_WITH(writeReport(home + "/thesis.tex", Existing::Replace, "y"),
                      containsText("is a file"));
    CHECK(entries(place.path()) == 1);
}

TEST_CASE("a link to a folder stays a link")
{
    const TemporaryFolder place;
    writeReport(place.file("real"), Existing::Refuse, "first");
    fs::create_symlink(place.file("real"), place.file("link"));
    writeReport(place.file("link"), Existing::Replace, "second");
    CHECK(fs::is_symlink(place.file("link")));
    CHECK(readBytes(place.file("real") + "/summary.json") == "second");
}

TEST_CASE("a place where nothing can be made is told with the reason")
{
    const TemporaryFolder place;
    CHECK_THROWS_AS(writeReport(place.file("no/such/place"), Existing::Refuse, "x"), Error);
    CHECK_THROWS_AS(writeReport("", Existing::Refuse, "x"), Error);
    CHECK_THROWS_WITH(writeReport("/proc/report", Existing::Refuse, "x"),
                      containsText("/proc/report: no folder can be created here"));
}

TEST_CASE("names of tensors become names that every file system takes")
{
    FileNames names;
    CHECK(names.next("layer1.0.conv2") == "layer1.0.conv2");
    CHECK(names.next("conv1/kernel:0") == "conv1_kernel_0");
    CHECK(names.next("a b[2]\"<>|*?") == "a_b_2_______");
    CHECK(names.next("../../etc/passwd") == "_.._.._etc_passwd");
    CHECK(names.next("") == "_");
    CHECK(names.next("-o") == "_-o");
    CHECK(names.next("caf\xc3\xa9\n") == "caf___");
}

TEST_CASE("every name is given once, also where case alone differs")
{
    FileNames names;
    CHECK(names.next("conv") == "conv");
    CHECK(names.next("conv") == "conv-2");
    CHECK(names.next("Conv") == "Conv-3");
    CHECK(names.next("conv-2") == "conv-2-2");
}

TEST_CASE("long names are cut and still differ")
{
    FileNames names;
    const std::string first = names.next(std::string(300, 'a') + "1");
    const std::string second = names.next(std::string(300, 'a') + "2");
    CHECK(first.size() == 100);
    CHECK(second == first + "-2");
}

}  // namespace html_output_folder_test
