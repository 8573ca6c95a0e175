// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cache_files.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

namespace cache_files_test {

using namespace calibscope;
using namespace calibscope::engine;
using calibscope::test::TemporaryFolder;
namespace fs = std::filesystem;

constexpr std::uint64_t mostBytes = std::uint64_t{1} << 20;

CacheFiles cacheIn(const TemporaryFolder& folder, const std::string& version = "1")
{
    return CacheFiles({.folder = folder.path(), .mostBytes = mostBytes, .version = version});
}

/// The one file that there is.
fs::path onlyFile(const TemporaryFolder& folder)
{
    const std::vector<CacheFile> files = cacheFiles(folder.path());
    REQUIRE(files.size() == 1);
    return files[0].path;
}

std::string read(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST_CASE("what was kept is found by another process under its key alone")
{
    const TemporaryFolder folder;
    const std::string content("with \0 and \n", 12);
    cacheIn(folder).keep("a key", content);
    CHECK(cacheIn(folder).find("a key") == content);
    CHECK_FALSE(cacheIn(folder).find("another key"));
    CHECK_FALSE(cacheIn(folder).find("a ke"));
    cacheIn(folder).keep("a key", "");
    CHECK(cacheIn(folder).find("a key") == "");
}

TEST_CASE("a file with any one byte changed, cut off anywhere, or longer is not found and removed")
{
    const TemporaryFolder folder;
    CacheFiles cache = cacheIn(folder);
    cache.keep("key", "some content");
    const fs::path path = onlyFile(folder);
    const std::string whole = read(path);
    const auto isRefused = [&](const std::string& damaged) {
        write(path, damaged);
        return !cache.find("key") && !fs::exists(path);
    };
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const unsigned bit : {0U, 7U}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
            INFO("bit " << bit << " of byte " << at);
            CHECK(isRefused(damaged));
        }
        INFO("cut off after " << at << " bytes");
        CHECK(isRefused(whole.substr(0, at)));
    }
    CHECK(isRefused(whole + '\0'));
    CHECK(isRefused(std::string(200000, '\xff')));
    CHECK(isRefused("\x89HDF\r\n\x1a\n and more of another kind of file, longer than a head"));
    write(path, whole);
    CHECK(cache.find("key") == "some content");
}

TEST_CASE("what lies under the name of a file but is none is left aside")
{
    const TemporaryFolder folder;
    CacheFiles cache = cacheIn(folder);
    cache.keep("key", "content");
    const fs::path path = onlyFile(folder);
    const std::string whole = read(path);
    SECTION("a folder")
    {
        fs::remove(path);
        fs::create_directory(path);
        CHECK_FALSE(cache.find("key"));
        cache.keep("key", "content");
        CHECK_FALSE(cache.find("key"));
    }
    SECTION("a pipe that nobody writes")
    {
        fs::remove(path);
        REQUIRE(::mkfifo(path.c_str(), S_IRWXU) == 0);
        CHECK_FALSE(cache.find("key"));
    }
    SECTION("a link to a file")
    {
        write(folder.file("elsewhere"), whole);
        fs::remove(path);
        fs::create_symlink(folder.file("elsewhere"), path);
        CHECK_FALSE(cache.find("key"));
    }
    CHECK(cacheFiles(folder.path()).size() <= 1);
}

TEST_CASE("a file of one key under the name of another is not taken for it")
{
    const TemporaryFolder folder;
    CacheFiles cache = cacheIn(folder);
    cache.keep("one", "of one");
    const fs::path one = onlyFile(folder);
    const std::string bytes = read(one);
    clearCache(folder.path());
    cache.keep("two", "of two");
    write(onlyFile(folder), bytes);
    CHECK_FALSE(cache.find("two"));
}

TEST_CASE("what another version kept is not found, and removed at the start")
{
    const TemporaryFolder folder;
    cacheIn(folder, "1").keep("key", "old");
    CacheFiles newer = cacheIn(folder, "2");
    CHECK(cacheFiles(folder.path()).empty());
    newer.keep("key", "new");
    CHECK(newer.find("key") == "new");
    CHECK_FALSE(cacheIn(folder, "1").find("key"));
}

TEST_CASE("all files together stay below the bound, and those used last stay")
{
    const TemporaryFolder folder;
    CacheFiles cache = cacheIn(folder);
    const std::string content(30000, 'x');
    const auto hour = std::chrono::hours(1);
    for (int key = 0; key < 100; ++key) {
        cache.keep(std::to_string(key), content);
        CHECK(cachedBytes(folder.path()) <= mostBytes);
        if (key == 0)
            fs::last_write_time(onlyFile(folder), fs::file_time_type::clock::now() - hour);
        CHECK(cache.find("0") == content);  // is used, and so is young again
    }
    CHECK(cache.find("99") == content);
    CHECK_FALSE(cache.find("1"));
    CHECK(cachedBytes(folder.path()) > mostBytes / 2);
}

TEST_CASE("more than a sixteenth of the bound is not kept")
{
    const TemporaryFolder folder;
    CacheFiles cache = cacheIn(folder);
    cache.keep("fits", std::string(mostBytes / 16, 'x'));
    CHECK(cache.find("fits"));
    cache.keep("large", std::string(mostBytes / 16 + 1, 'x'));
    CHECK_FALSE(cache.find("large"));
}

TEST_CASE("a folder that can't be made or written keeps nothing")
{
    const TemporaryFolder folder;
    write(folder.file("file"), "no folder");
    CacheFiles cache(
        {.folder = folder.path() / "file" / "cache", .mostBytes = mostBytes, .version = "1"});
    cache.keep("key", "content");
    CHECK_FALSE(cache.find("key"));
}

TEST_CASE("a new folder can be read by nobody else")
{
    const TemporaryFolder folder;
    CacheFiles cache(
        {.folder = folder.path() / "user" / "cache", .mostBytes = mostBytes, .version = "1"});
    cache.keep("key", "content");
    CHECK(cache.find("key") == "content");
    const fs::perms others = fs::status(folder.path() / "user" / "cache").permissions() &
                             (fs::perms::group_all | fs::perms::others_all);
    CHECK(others == fs::perms::none);
}

TEST_CASE("processes that write and read the same keys at a time never see half a file")
{
    const TemporaryFolder folder;
    const auto contentOf = [](int writer) {
        return std::string(static_cast<std::size_t>(20000 + writer),
                           static_cast<char>('a' + writer));
    };
    std::vector<std::thread> writers;
    for (int writer = 0; writer < 3; ++writer)
        writers.emplace_back([&, writer] {
            CacheFiles cache = cacheIn(folder);
            for (int round = 0; round < 60; ++round)
                cache.keep(std::to_string(round % 3), contentOf(writer));
        });
    const CacheFiles cache = cacheIn(folder);
    int odd = 0;
    for (int round = 0; round < 600; ++round)
        if (const auto content = cache.find(std::to_string(round % 3)))
            odd += *content != contentOf(content->front() - 'a') ? 1 : 0;
    for (std::thread& writer : writers)
        writer.join();
    CHECK(odd == 0);
    for (const CacheFile& file : cacheFiles(folder.path()))
        CHECK(file.path.extension() == cacheFileEnding);
    CHECK(cache.find("0"));
}

}  // namespace cache_files_test
