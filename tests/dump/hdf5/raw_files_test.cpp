#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5_other_files.h"

#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

using namespace calibscope;

namespace {

constexpr DumpOptions allowed{.allowExternal = true};

std::string bytesOf(const std::vector<float>& floats)
{
    std::string bytes(floats.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), floats.data(), bytes.size());
    return bytes;
}

std::string reasonOf(const test::H5File& file, const std::string& dataset)
{
    return test::listed(file.path(), dataset, allowed).unreadable.sentence;
}

}  // namespace

TEST_CASE("values in raw files beside the dump are read only where that is allowed")
{
    std::vector<float> values(12);
    std::iota(values.begin(), values.end(), 0.5F);
    test::H5File file;
    test::writeBytes(file.folder().file("a.raw"),
                     "head" + bytesOf({values.begin(), values.begin() + 5}));
    test::writeBytes(file.folder().file("b.raw"), bytesOf({values.begin() + 5, values.end()}));
    test::writeRaw(file, "/a", {3, 4},
                   {{.file = "a.raw", .offset = 4, .bytes = 20}, {.file = "b.raw", .bytes = 28}});
    file.write("/ok", {1}, std::vector<float>{1.0F});
    const TensorInfo refused = test::listed(file.path(), "/a");
    CHECK(refused.shape == std::vector<std::uint64_t>{3, 4});
    CHECK(refused.unreadable == "its values lie in the file a.raw; other files are read only with "
                                "--allow-external");
    CHECK(test::valuesIn(file.path(), "/ok") == std::vector<float>{1.0F});
    const auto dump = DumpFile::open(file.path(), allowed);
    CHECK(test::valuesOf(dump->source(dump->indexOf("/a"))) == values);
}

TEST_CASE("raw files that are missing or too short make no zeros but a sentence")
{
    test::H5File file;
    test::writeBytes(file.folder().file("short.raw"), std::string(15, 'x'));
    std::filesystem::create_directory(file.folder().file("folder.raw"));
    test::writeRaw(file, "/missing", {4}, {{.file = "none.raw", .bytes = 16}});
    test::writeRaw(file, "/short", {4}, {{.file = "short.raw", .bytes = 16}});
    test::writeRaw(file, "/behind", {1}, {{.file = "short.raw", .offset = 100, .bytes = 4}});
    test::writeRaw(file, "/folder", {4}, {{.file = "folder.raw", .bytes = 16}});
    CHECK(reasonOf(file, "/missing") ==
          "its values lie in the file none.raw, which is not there; put it beside this one");
    CHECK(reasonOf(file, "/short") ==
          "its values lie in the file short.raw, which is too short: 16 bytes are needed from byte "
          "0 on; copy or record it again");
    CHECK_THAT(reasonOf(file, "/behind"), test::containsText("4 bytes are needed from byte 100"));
    CHECK_THAT(reasonOf(file, "/folder"), test::containsText("which is not there"));
}
