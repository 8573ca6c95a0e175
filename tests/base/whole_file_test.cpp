#include "core/base/whole_file.h"

#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/small_files.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <string>
#include <system_error>

#include <sys/stat.h>

using namespace calibscope;
using namespace calibscope::test;
namespace fs = std::filesystem;

namespace {

std::ptrdiff_t entries(const TemporaryFolder& folder)
{
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{});
}

}  // namespace

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
