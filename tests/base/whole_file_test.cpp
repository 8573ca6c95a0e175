// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"

#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/small_files.h"
#include "tests/support/temporary_folder.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace whole_file_test {

using namespace calibscope;
using namespace calibscope::test;
namespace fs = std::filesystem;

std::ptrdiff_t entries(const TemporaryFolder& folder)
{
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{});
}

TEST_CASE("a whole file appears when it is finished, in place of the former one")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("a");
    writeWholeFile(path, "former");
    WholeFile file(path);
    file.write("new");
    CHECK(readBytes(path) == "former");
    file.finish();
    CHECK(readBytes(path) == "new");
    CHECK(entries(folder) == 1);
}

TEST_CASE("a whole file that is not finished leaves nothing")
{
    const TemporaryFolder folder;
    {
        WholeFile file(folder.file("a"));
        file.write("x");
        CHECK(entries(folder) == 1);
    }
    CHECK(entries(folder) == 0);
}

TEST_CASE("two writers of one file do not meet: the last one to finish wins")
{
    const TemporaryFolder folder;
    WholeFile first(folder.file("a"));
    WholeFile second(folder.file("a"), {.isSynced = false});
    first.write("first");
    second.write("second");
    second.finish();
    first.finish();
    CHECK(readBytes(folder.file("a")) == "first");
    CHECK(entries(folder) == 1);
}

TEST_CASE("a replaced file keeps its permissions, a new one has those that were asked for")
{
    const TemporaryFolder folder;
    const auto permissionsOf = [&](const char* name) {
        return fs::status(folder.file(name)).permissions();
    };
    writeWholeFile(folder.file("own"), "1", {.permissions = S_IRUSR | S_IWUSR});
    CHECK(permissionsOf("own") == (fs::perms::owner_read | fs::perms::owner_write));
    writeWholeFile(folder.file("own"), "2");
    CHECK(permissionsOf("own") == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a link is followed, or replaced where that is asked for")
{
    const TemporaryFolder folder;
    writeWholeFile(folder.file("real"), "old");
    fs::create_symlink("real", folder.file("link"));
    writeWholeFile(folder.file("link"), "through");
    CHECK(fs::is_symlink(folder.file("link")));
    CHECK(readBytes(folder.file("real")) == "through");
    writeWholeFile(folder.file("link"), "instead", {.followsLinks = false});
    CHECK_FALSE(fs::is_symlink(folder.file("link")));
    CHECK(readBytes(folder.file("real")) == "through");
}

TEST_CASE("what does not fit throws the system's reason and leaves the former file")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("a");
    writeWholeFile(path, "former");
    const auto writeMuch = [&path] {
        const SmallFiles full(1000);
        writeWholeFile(path, std::string(100'000, 'x'));
    };
    try {
        writeMuch();
        FAIL("a full disk took the file");
    } catch (const std::system_error& error) {
        CHECK(error.code().message() == "File too large");
    }
    CHECK(readBytes(path) == "former");
    CHECK(entries(folder) == 1);
    CHECK_THROWS_AS(WholeFile(folder.file("none/a")), std::system_error);
}

TEST_CASE("a signal that ends the process removes what is not whole, and still ends it")
{
    const TemporaryFolder folder;
    writeWholeFile(folder.file("a"), "former");
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM}) {
        const ::pid_t child = ::fork();
        if (child == 0) {
            static_cast<void>(std::signal(signal, SIG_DFL));  // Catch2 has handlers of its own
            removePartsOnStop();
            WholeFile file(folder.file("a"));
            file.write("new");
            WholeFile other(folder.file("b"));
            static_cast<void>(::raise(signal));
            ::_exit(0);
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK((WIFSIGNALED(status) && WTERMSIG(status) == signal));
        CHECK(entries(folder) == 1);
        CHECK(readBytes(folder.file("a")) == "former");
    }
}

TEST_CASE("no part is left by a signal, whenever it comes")
{
    const TemporaryFolder folder;
    for (const char* name : {"a", "b"})
        writeWholeFile(folder.file(name), "former");
    constexpr int times = 60;
    // Before the child begins: on a busy machine the signal may come first, and Catch2's own handler
    // allocates.
    const auto former = std::signal(SIGTERM, SIG_DFL);
    for (int time = 0; time < times; ++time) {
        const ::pid_t child = ::fork();
        if (child == 0) {
            removePartsOnStop();
            const auto write = [&](const char* name) {
                for (;;)
                    writeWholeFile(folder.file(name), "new", {.isSynced = false});
            };
            // The signal may come to either thread.
            const std::thread other(write, "b");
            write("a");
        }
        std::this_thread::sleep_for(std::chrono::microseconds(3000 + 37 * time));
        ::kill(child, SIGTERM);
        REQUIRE(::waitpid(child, nullptr, 0) == child);
        REQUIRE(entries(folder) == 2);
    }
    static_cast<void>(std::signal(SIGTERM, former));
}

TEST_CASE("a signal that is ignored stays so, and a file that may not grow is a failure")
{
    const TemporaryFolder folder;
    const ::pid_t child = ::fork();
    if (child == 0) {
        static_cast<void>(std::signal(SIGHUP, SIG_IGN));  // nohup
        removePartsOnStop();
        static_cast<void>(::raise(SIGHUP));
        const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        try {
            writeWholeFile(folder.file("a"), std::string(100'000, 'x'));
        } catch (const std::system_error& error) {
            ::_exit(error.code().value() == EFBIG ? 7 : 8);
        }
        ::_exit(9);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 7));
    CHECK(entries(folder) == 0);
}

TEST_CASE("parts are removed until they are whole, and a child leaves its parent's alone")
{
    const TemporaryFolder folder;
    WholeFile file(folder.file("a"));
    const ::pid_t child = ::fork();
    if (child == 0) {
        removeParts();
        ::_exit(0);
    }
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    CHECK(entries(folder) == 1);
    {
        WholeFile whole(folder.file("b"));
        whole.finish();
    }
    removeParts();
    CHECK(entries(folder) == 1);
    CHECK(fs::exists(folder.file("b")));
    // More than are known at a time: all are written, whatever a signal could remove of them.
    std::vector<std::unique_ptr<WholeFile>> many;
    for (int number = 0; number < 40; ++number)
        many.push_back(std::make_unique<WholeFile>(folder.file(std::to_string(number))));
    for (const auto& one : many)
        one->finish();
    CHECK(entries(folder) == 41);
}

TEST_CASE("a whole file is read, what is none or too long is refused with its name")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("a");
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{65536}, std::size_t{200'001}}) {
        const std::string content(bytes, 'x');
        writeWholeFile(path, content);
        CHECK(readWholeFile(path, 200'001) == content);
    }
    CHECK_THROWS_WITH((void)readWholeFile(path, 200'000),
                      path + " could not be read: it has more than 200000 bytes");
    const auto refuses = [](const std::string& odd, const std::string& why) {
        CHECK_THROWS_WITH((void)readWholeFile(odd), odd + " could not be read: " + why);
    };
    refuses("/dev/zero", "it is not a regular file");
    refuses("/dev/null", "it is not a regular file");
    refuses(folder.path().string(), "it is not a regular file");
    refuses(folder.file("none"), "No such file or directory");
    // Nobody writes into it: to open it would wait for ever.
    REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    refuses(folder.file("pipe"), "it is not a regular file");
}

}  // namespace whole_file_test
