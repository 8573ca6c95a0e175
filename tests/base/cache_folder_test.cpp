// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cache_folder.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>

#include <sys/stat.h>

namespace cache_folder_test {

using namespace calibscope;
using calibscope::test::TemporaryFolder;
namespace fs = std::filesystem;

void writeFile(const TemporaryFolder& folder, const std::string& name, std::size_t bytes,
               int minutesAgo)
{
    std::ofstream(folder.file(name)) << std::string(bytes, 'x');
    fs::last_write_time(folder.file(name),
                        fs::file_time_type::clock::now() - std::chrono::minutes(minutesAgo));
}

std::set<std::string> namesIn(const TemporaryFolder& folder)
{
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path()))
        names.insert(entry.path().filename().string());
    return names;
}

/// A variable of the environment for as long as this lives.
class Variable
{
public:
    Variable(const char* name, const char* value) : m_name(name)
    {
        if (const char* before = std::getenv(name))
            m_before = before;
        ::setenv(name, value, 1);
    }
    ~Variable()
    {
        if (m_before)
            ::setenv(m_name, m_before->c_str(), 1);
        else
            ::unsetenv(m_name);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

TEST_CASE("the user's cache folder is where the desktop's rules say")
{
    const Variable home("HOME", "/home/ann");
    {
        const Variable cache("XDG_CACHE_HOME", "/scratch/ann");
        CHECK(userCacheFolder() == "/scratch/ann/calibscope");
    }
    for (const char* noPath : {"", "relative/folder"}) {
        const Variable cache("XDG_CACHE_HOME", noPath);
        CHECK(userCacheFolder() == "/home/ann/.cache/calibscope");
    }
    const Variable noHome("HOME", "");
    const Variable noCache("XDG_CACHE_HOME", "");
    CHECK(userCacheFolder().empty());
}

TEST_CASE("trimming removes what was not used for longest, and other files never")
{
    const TemporaryFolder folder;
    writeFile(folder, "a.kept", 100, 30);
    writeFile(folder, "b.kept", 100, 10);
    writeFile(folder, "c.kept", 100, 20);
    writeFile(folder, "photo.jpg", 1000, 90);
    CHECK(cachedBytes(folder.path()) == 300);
    trimCache(folder.path(), 300);
    CHECK(cachedBytes(folder.path()) == 300);
    trimCache(folder.path(), 299);
    CHECK(namesIn(folder) == std::set<std::string>{"b.kept", "c.kept", "photo.jpg"});
    trimCache(folder.path(), 0);
    CHECK(namesIn(folder) == std::set<std::string>{"photo.jpg"});
}

TEST_CASE("clearing removes the cache's own files, also empty ones")
{
    const TemporaryFolder folder;
    writeFile(folder, "a.kept", 100, 0);
    writeFile(folder, "empty.kept", 0, 0);
    writeFile(folder, "v1-b.kept.part-1", 5, 0);
    writeFile(folder, "notes.txt", 5, 0);
    fs::create_directory(folder.file("folder.kept"));
    clearCache(folder.path());
    CHECK(namesIn(folder) == std::set<std::string>{"folder.kept", "notes.txt"});
}

TEST_CASE("other versions' files go, and what was being written an hour ago")
{
    const TemporaryFolder folder;
    writeFile(folder, "v1-a.kept", 1, 0);
    writeFile(folder, "v2-a.kept", 1, 0);
    writeFile(folder, "v1-b.kept.part-1", 1, 1);
    writeFile(folder, "v2-b.kept.part-2-1", 1, 61);
    writeFile(folder, "v1-a.txt", 1, 0);
    keepOnly(folder.path(), "v2-");
    CHECK(namesIn(folder) == std::set<std::string>{"v1-b.kept.part-1", "v1-a.txt", "v2-a.kept"});
}

TEST_CASE("a folder that does not exist holds nothing and is not made")
{
    const TemporaryFolder folder;
    const fs::path none = folder.path() / "none";
    CHECK(cacheFiles(none).empty());
    CHECK(cachedBytes(none) == 0);
    trimCache(none, 0);
    clearCache(none);
    CHECK_FALSE(fs::exists(none));
}

TEST_CASE("a cache folder that others may choose or fill is not used")
{
    const TemporaryFolder folder;
    const std::string cache = folder.file("cache");
    CHECK(cacheFolderProblem(cache).empty());  // it will be made
    fs::create_directory(cache);
    const auto withMode = [&](mode_t mode) {
        REQUIRE(::chmod(cache.c_str(), mode) == 0);
        return cacheFolderProblem(cache);
    };
    CHECK(withMode(0700).empty());
    CHECK(withMode(0755).empty());
    CHECK(withMode(0775) == "the cache folder " + cache +
                                " is not used: others may write to it; chmod 700 makes it yours "
                                "alone");
    CHECK_FALSE(withMode(0777).empty());
    CHECK_FALSE(withMode(01777).empty());
    REQUIRE(withMode(0700).empty());
    fs::create_directory_symlink(cache, folder.file("link"));
    CHECK(cacheFolderProblem(folder.file("link")) ==
          "the cache folder " + folder.file("link") + " is not used: it is a link");
    CHECK(cacheFolderProblem(folder.file("link") + "/") == cacheFolderProblem(folder.file("link")));
    std::ofstream(folder.file("file")) << "x";
    CHECK_FALSE(cacheFolderProblem(folder.file("file")).empty());
}

}  // namespace cache_folder_test
