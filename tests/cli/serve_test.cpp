// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/frame_reader.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

#include <cstdlib>
#include <filesystem>

namespace serve_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("serve: it greets and ends with its input")
{
    const ProgramRun run = runProgram("calib", {"serve"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == protocol::preamble);
    CHECK(run.errors.empty());
}

TEST_CASE("serve: limits that are none are refused")
{
    CHECK(runProgram("calib", {"serve", "--memory", "1"}).exitCode == 2);
    CHECK(runProgram("calib", {"serve", "--address-space", "many"}).exitCode == 2);
}

TEST_CASE("serve: it works within a limited address space")
{
    const ProgramRun run = runProgram("calib", {"serve", "--address-space", "512"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == protocol::preamble);
}

TEST_CASE("serve: its guards are told, and its cache is the only place where it writes")
{
    const TemporaryFolder folder;
    const ProgramRun plain = runProgram("calib", {"serve", "--status"});
    CHECK(plain.exitCode == 0);
    CHECK(plain.errors.empty());
    for (const std::string name :
         {"memory", "address space", "files", "system calls", "privileges"})
        CHECK_THAT(plain.output, containsText("\n" + name));
    const ProgramRun cached =
        runProgram("calib", {"serve", "--status", "--cache", folder.path().string()});
    if (plain.output.find("files          on") != std::string::npos) {
        CHECK_THAT(plain.output, containsText("written nowhere"));
        CHECK_THAT(cached.output, containsText("written in " + folder.path().string() + " only"));
    }
}

TEST_CASE("serve: a message for which there is no memory is answered, not the engine's end")
{
    if (!test::canLimitMemory())
        return;
    const TemporaryFolder folder;
    constexpr std::size_t bytes = std::size_t{63} << 20;
    // {"id": 1, "method": a text of nearly all of the frame}
    std::string frame = "\xa2"
                        "bid\x01"
                        "fmethod\x7a";
    const std::size_t text = bytes - frame.size() - 4;
    for (const unsigned shift : {24U, 16U, 8U, 0U})
        frame += static_cast<char>(text >> shift & 0xffU);
    frame += std::string(text, 'a');
    std::string length;
    for (const unsigned shift : {0U, 8U, 16U, 24U})
        length += static_cast<char>(frame.size() >> shift & 0xffU);
    writeBytes(folder.file("frame"), length + frame);
    const std::string command = quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib") +
                                " serve --address-space 160 <" + quoted(folder.file("frame")) +
                                " >" + quoted(folder.file("output"));
    CHECK(std::system(command.c_str()) == 0);
    CHECK_THAT(readBytes(folder.file("output")), containsText("not enough memory"));
}

TEST_CASE("serve: who writes to its output after it can rely on that pipe as before")
{
    const TemporaryFolder folder;
    const std::string command = "( " + quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib") +
                                " serve </dev/null; head -c 300000 /dev/zero ) | ( sleep 0.3; wc "
                                "-c ) >" +
                                quoted(folder.file("count"));
    CHECK(std::system(command.c_str()) == 0);
    CHECK(std::stoul(readBytes(folder.file("count"))) == 300000 + protocol::preamble.size());
}

TEST_CASE("serve: a cache folder is made only where one is named")
{
    const TemporaryFolder folder;
    const std::string cache = folder.file("cache");
    CHECK(runProgram("calib", {"serve"}).exitCode == 0);
    CHECK_FALSE(std::filesystem::exists(cache));
    const ProgramRun run = runProgram("calib", {"serve", "--cache", cache, "--cache-size", "8"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == protocol::preamble);
    CHECK(std::filesystem::is_directory(cache));
    CHECK(runProgram("calib", {"serve", "--cache", cache, "--cache-size", "0"}).exitCode == 2);
}

TEST_CASE("serve: the cache of the user's own folder, where that is asked for")
{
    const TemporaryFolder folder;
    const std::string command = "XDG_CACHE_HOME=" + quoted(folder.file("own")) + " " +
                                quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib") +
                                " serve --cache auto </dev/null >/dev/null";
    CHECK(std::system(command.c_str()) == 0);
    CHECK(std::filesystem::is_directory(folder.file("own") + "/calibscope"));
}

TEST_CASE("serve: it ends when it hears nothing for so long, while its input is open")
{
    const TemporaryFolder folder;
    const std::string pipe = quoted(folder.file("pipe"));
    // 0 only where who holds the input is still there when the engine has ended.
    const std::string command = "mkfifo " + pipe + "; sleep 60 >" + pipe + " & " +
                                quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib") +
                                " serve --idle 1 <" + pipe + " >/dev/null && kill $!";
    CHECK(std::system(command.c_str()) == 0);
    CHECK(runProgram("calib", {"serve", "--idle", "0"}).exitCode == 2);
}

TEST_CASE("tables are computed from the values: no cache is read or written for them")
{
    const TemporaryFolder home;
    ::setenv("XDG_CACHE_HOME", home.path().c_str(), 1);
    const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";
    CHECK(runProgram("calib", {"scales", sample, "--tensor", "conv2d_0*"}).exitCode != 2);
    CHECK(runProgram("calib", {"stats", sample}).exitCode == 0);
    ::unsetenv("XDG_CACHE_HOME");
    CHECK(std::filesystem::is_empty(home.path()));
}

}  // namespace serve_test
