// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/output.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/small_files.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace output_test {

using namespace calibscope;
namespace fs = std::filesystem;

/// A new empty folder that goes away with the test.
class Folder
{
public:
    Folder()
        : m_path(fs::temp_directory_path() / ("calibscope-output-" + std::to_string(::getpid())))
    {
        fs::remove_all(m_path);
        fs::create_directory(m_path);
    }
    ~Folder() { fs::remove_all(m_path); }
    [[nodiscard]] std::string file(const std::string& name) const
    {
        return (m_path / name).string();
    }
    [[nodiscard]] std::ptrdiff_t entries() const
    {
        return std::distance(fs::directory_iterator(m_path), fs::directory_iterator{});
    }

private:
    fs::path m_path;
};

std::string contents(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

TEST_CASE("a file appears when it is whole, and not before")
{
    const Folder folder;
    const std::string path = folder.file("a.csv");
    Output output(path);
    output.write("one\n");
    CHECK_FALSE(fs::exists(path));
    output.sink()("two\n");
    output.finish();
    CHECK(contents(path) == "one\ntwo\n");
    CHECK(folder.entries() == 1);
}

TEST_CASE("an output that is not finished leaves the old file and nothing else")
{
    const Folder folder;
    const std::string path = folder.file("a.csv");
    std::ofstream(path) << "old";
    {
        Output output(path);
        output.write("new");
    }
    CHECK(contents(path) == "old");
    CHECK(folder.entries() == 1);
    {
        Output output(path);
        output.write("new");
        output.finish();
    }
    CHECK(contents(path) == "new");
    CHECK(folder.entries() == 1);
}

TEST_CASE("an output through a symbolic link replaces the file, not the link")
{
    const Folder folder;
    std::ofstream(folder.file("real")) << "old";
    fs::create_symlink("real", folder.file("link"));
    Output output(folder.file("link"));
    output.write("new");
    output.finish();
    CHECK(fs::is_symlink(folder.file("link")));
    CHECK(contents(folder.file("real")) == "new");
}

TEST_CASE("a device is written to and stays a device")
{
    Output output("/dev/null");
    output.write("gone");
    output.finish();
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a failed output says where and why")
{
    const Folder folder;
    CHECK_THROWS_WITH(Output(folder.file("none/a.csv")),
                      folder.file("none/a.csv") +
                          ": No such file or directory; choose another location");
    CHECK_THROWS_WITH(Output(folder.file("")), test::containsText("Is a directory"));
    if (fs::exists("/dev/full")) {
        Output full("/dev/full");
        full.write("x");
        try {
            full.finish();
            FAIL("a full device took the text");
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Output);
            CHECK_THAT(std::string(error.what()), test::containsText("No space left on device"));
        }
    }
}

TEST_CASE("a file that does not fit leaves the old one, and says the free space")
{
    const Folder folder;
    const std::string path = folder.file("a.csv");
    std::ofstream(path) << "old";
    const auto writeMuch = [&path] {
        const test::SmallFiles full(1000);
        Output output(path);
        output.write(std::string(100'000, 'x'));
        output.finish();
    };
    CHECK_THROWS_WITH(writeMuch(),
                      test::containsText(path + ": File too large; ") &&
                          test::containsText(" are free there; choose another location"));
    CHECK(contents(path) == "old");
    CHECK(folder.entries() == 1);
}

TEST_CASE("a place below a file is no place")
{
    const Folder folder;
    std::ofstream(folder.file("file")) << "old";
    CHECK_THROWS_WITH(Output(folder.file("file/a.csv")), test::containsText("Not a directory"));
    CHECK(folder.entries() == 1);
}

}  // namespace output_test
