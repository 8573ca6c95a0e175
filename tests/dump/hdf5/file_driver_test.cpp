// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/h5_file.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace file_driver_test {

using namespace calibscope;

constexpr const char* changed =
    ":/a: cannot be read: the file was changed since it was opened; open it again";

/// Writes over the last bytes of a file, and gives it back its size and time, as rsync -t would.
void changeInPlace(const std::string& path)
{
    const auto time = std::filesystem::last_write_time(path);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-4, std::ios::end);
    file.write("\0\0\x10\x41", 4);
    file.close();
    std::filesystem::last_write_time(path, time);
}

TEST_CASE("a file that is changed in place while it is open is an error")
{
    test::H5File file;
    file.write("/a", {2, 3}, std::vector<float>(6, 1.0F));
    const auto dump = DumpFile::open(file.path());
    CHECK(test::valuesOf(dump->source(0)) == std::vector<float>(6, 1.0F));
    changeInPlace(file.path());
    CHECK_THROWS_WITH(test::valuesOf(dump->source(0)), file.path() + changed);
    CHECK(test::valuesIn(file.path(), "/a").back() == 9.0F);
}

TEST_CASE("a file that is replaced by another while it is open is an error")
{
    test::H5File file;
    file.write("/a", {2, 3}, std::vector<float>(6, 1.0F));
    const auto dump = DumpFile::open(file.path());
    test::H5File other;
    other.write("/a", {2, 3}, std::vector<float>(6, 2.0F));
    std::filesystem::rename(other.path(), file.path());
    CHECK_THROWS_WITH(test::valuesOf(dump->source(0)), file.path() + changed);
}

TEST_CASE("a file that is changed between two blocks is an error of that visit")
{
    test::H5File file;
    const std::size_t count = std::size_t{1} << 20;
    file.write("/a", {count}, std::vector<float>(count, 1.0F));
    const auto dump = DumpFile::open(file.path());
    std::size_t blocks = 0;
    const auto visit = [&] {
        dump->source(0).visit(
            [&](const Block&) {
                if (blocks++ == 0)
                    changeInPlace(file.path());
            },
            {});
    };
    CHECK_THROWS_WITH(visit(), file.path() + changed);
}

}  // namespace file_driver_test
