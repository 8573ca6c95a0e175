// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5_other_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

namespace storage_test {

using namespace calibscope;
using test::Storage;

namespace {

std::string littleEndian(std::uint64_t number)
{
    std::string bytes(8, '\0');
    for (std::size_t byte = 0; byte < 8; ++byte)
        bytes[byte] = static_cast<char>(number >> (8 * byte) & 0xffU);
    return bytes;
}

/// Replaces a dimension wherever the file tells it, as a flipped bit would.
void editDimension(const std::string& path, std::uint64_t from, std::uint64_t to)
{
    std::string bytes = test::readBytes(path);
    std::size_t edits = 0;
    for (std::size_t at = bytes.find(littleEndian(from)); at != std::string::npos;
         at = bytes.find(littleEndian(from), at + 8), ++edits)
        bytes.replace(at, 8, littleEndian(to));
    REQUIRE(edits >= 1);
    test::writeBytes(path, bytes);
}

std::string reasonWithEditedDimension(const Storage& storage, std::uint64_t to)
{
    constexpr std::uint64_t unusual = 4099;  // a prime that no other field of the file holds
    test::H5File file;
    file.write("/a", {unusual, 2}, std::vector<float>(2 * unusual, 0.5F), storage);
    file.write("/ok", {2}, std::vector<float>{1.0F, 2.0F});
    editDimension(file.path(), unusual, to);
    CHECK(test::valuesIn(file.path(), "/ok") == std::vector<float>{1.0F, 2.0F});
    const auto dump = DumpFile::open(file.path());
    const TensorInfo info = dump->tensors().at(dump->indexOf("/a"));
    if (!info.isReadable())
        CHECK_THROWS_AS(dump->source(info).visit([](const Block&) {}, {}), Error);
    return info.unreadable.sentence;
}

/// In our words or, where HDF5 looks at the size itself and opens no such dataset, as 1.14 does, in
/// the library's.
bool isRefused(const std::string& reason, const std::string& ours)
{
    return reason.find(ours) != std::string::npos || (reason.starts_with("it cannot be opened (") &&
                                                      reason.ends_with("); the file is damaged"));
}

}  // namespace

TEST_CASE("a shape that does not fit the stored values is refused before anything is allocated")
{
    CHECK(
        reasonWithEditedDimension({}, 4100) ==
        "its shape needs 32800 bytes, but 32792 are stored; the file is damaged, copy or record it "
        "again");
    const std::string tooLong = reasonWithEditedDimension({}, std::uint64_t{1} << 40);
    INFO(tooLong);
    CHECK(isRefused(tooLong, "but 32792 are stored"));
    const std::string endless = reasonWithEditedDimension({}, std::uint64_t{1} << 62);
    INFO(endless);
    CHECK(isRefused(endless, "needs more than a file of"));
}

TEST_CASE("a shape without values over stored ones is told")
{
    for (const Storage& storage : {Storage{}, Storage{.chunk = {64, 2}}}) {
        test::H5File file;
        file.write("/a", {4099, 2}, std::vector<float>(8198, 0.5F), storage);
        editDimension(file.path(), 4099, 0);
        const TensorInfo info = test::listed(file.path(), "/a");
        const std::string told =
            info.doubts.empty() ? info.unreadable.sentence : info.doubts.front();
        CHECK_THAT(told, test::containsText("damaged"));
    }
}

TEST_CASE("chunks that no file of that size can hold are refused")
{
    for (const Storage& storage :
         {Storage{.chunk = {64, 2}}, Storage{.chunk = {64, 2}, .gzip = 4}}) {
        CHECK_THAT(reasonWithEditedDimension(storage, std::uint64_t{1} << 40),
                   test::containsText("needs more than a file of"));
        CHECK_FALSE(reasonWithEditedDimension(storage, std::uint64_t{1} << 63).empty());
    }
}

TEST_CASE("datasets that were never written are refused")
{
    test::H5File file;
    file.writeNothing("/contiguous", {4, 2});
    file.writeNothing("/chunked", {4, 2}, {.chunk = {1, 2}});
    for (const std::string path : {"/contiguous", "/chunked"})
        CHECK(test::listed(file.path(), path).unreadable ==
              "it was created, but no values were ever written; record it again");
}

TEST_CASE("a row of chunks beyond the memory budget is refused with the remedy")
{
    test::H5File file;
    file.write("/a", {8, 1000}, std::vector<float>(8000, 1.0F), {.chunk = {4, 500}, .gzip = 1});
    CHECK(test::listed(file.path(), "/a", {.memoryBytes = 16000}).isReadable());
    CHECK(test::listed(file.path(), "/a", {.memoryBytes = 15999}).unreadable ==
          "a row of its chunks (4 x 500) takes 16000 bytes, more than the memory budget of 15999 "
          "bytes; write it with smaller chunks, with h5repack -l CHUNK=...");
}

TEST_CASE("what was never written but has a fill value reads as that, with a warning")
{
    test::H5File file;
    file.writeNothing("/contiguous", {4, 2}, {.fillValue = 1.5F});
    file.writeNothing("/chunked", {4, 2}, {.chunk = {1, 2}, .fillValue = 1.5F});
    file.writeNothing("/early", {4, 2}, {.fillValue = 1.5F, .allocatesEarly = true});
    file.writeNothing("/early_chunks", {4, 2},
                      {.chunk = {1, 2}, .fillValue = 1.5F, .allocatesEarly = true});
    for (const std::string path : {"/contiguous", "/chunked", "/early", "/early_chunks"})
        CHECK(test::valuesIn(file.path(), path) == std::vector<float>(8, 1.5F));
    CHECK(DumpFile::open(file.path())->warnings() ==
          std::vector<std::string>{
              "/chunked: no values were ever written, they are all read as its fill value",
              "/contiguous: no values were ever written, they are all read as its fill value"});
}

TEST_CASE("a file with few of its chunks is read, however much they would take")
{
    constexpr unsigned long long rows = 3000;
    constexpr unsigned long long width = 32768;  // 393 MB in a file of some kB
    test::H5File file;
    file.writeNothing("/a", {rows, width}, {.chunk = {1, width}, .gzip = 1, .fillValue = -2.0F});
    file.writeChunk("/a", {7, 0}, std::string(4 * width, '\0'), 1);
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->warnings() ==
          std::vector<std::string>{
              "/a: 2999 of its 3000 chunks were never written and are read as its fill value"});
    std::uint64_t filled = 0;
    std::uint64_t others = 0;
    dump->source(0).visit(
        [&](const Block& block) {
            for (const float value : block.values)
                ++(value == -2.0F ? filled : others);
        },
        {});
    CHECK(filled == (rows - 1) * width);
    CHECK(others == width);
}

TEST_CASE("chunks that nobody fills read as zero, not as what was read before")
{
    test::H5File file;
    constexpr unsigned long long width = 1 << 18;  // a slab for each row
    test::writeSparse(file, "/a", {4, width}, {1, width}, true);
    const float one = 1.0F;
    std::string row;
    for (unsigned long long column = 0; column < width; ++column)
        row.append(reinterpret_cast<const char*>(&one), sizeof one);
    file.writeChunk("/a", {0, 0}, row);
    file.writeChunk("/a", {2, 0}, row);
    const std::vector<float> values = test::valuesIn(file.path(), "/a");
    REQUIRE(values.size() == 4 * width);
    CHECK(std::ranges::count(values, 1.0F) == 2 * static_cast<std::ptrdiff_t>(width));
    CHECK(std::ranges::count(values, 0.0F) == 2 * static_cast<std::ptrdiff_t>(width));
}

TEST_CASE("two compressions pack beyond zlib's bound, and are read all the same")
{
    test::H5File file;
    constexpr unsigned long long count = 1 << 22;
    file.write("/a", {count}, std::vector<float>(count, 3.5F),
               {.chunk = {count},
                .filters = {{.id = 6, .parameters = {0, 2}}, {.id = 1, .parameters = {9}}}});
    CHECK(std::filesystem::file_size(file.path()) < 4 * count / 1032);
    const std::vector<float> values = test::valuesIn(file.path(), "/a");
    CHECK(std::ranges::count(values, 3.5F) == static_cast<std::ptrdiff_t>(count));
}

TEST_CASE("one chunk larger than the memory budget is refused with a sentence")
{
    test::H5File file;
    constexpr unsigned long long count = 1 << 20;
    file.write("/a", {1, count}, std::vector<float>(count, 3.5F), {.chunk = {1, count}, .gzip = 1});
    CHECK_THAT(test::listed(file.path(), "/a", {.memoryBytes = 1 << 20}).unreadable.sentence,
               test::containsText("takes 4194304 bytes, more than the memory budget of 1048576"));
}

TEST_CASE("datasets without numbers are listed with the reason")
{
    test::H5File file;
    file.writeTexts("/texts", {"a", "b"});
    file.writeCompound("/compound");
    file.writeEnum("/bools");
    file.writeScalar("/scalar", 1.0);
    file.writeNull("/null");
    file.write("/empty", {0, 3}, std::vector<float>{}, {.chunk = {1, 3}, .isResizable = true});
    const auto says = [&](const std::string& path, const std::string& type,
                          const std::string& reason) {
        const TensorInfo info = test::listed(file.path(), path);
        CHECK(elementText(info) == type);
        CHECK_THAT(info.unreadable.sentence, test::containsText(reason));
    };
    says("/texts", "string", "it holds texts");
    says("/compound", "compound", "it holds records");
    says("/bools", "bool", "it holds booleans; only numbers are read");
    says("/scalar", "float32", "it is a single value, not a tensor");
    says("/null", "float32", "it has no values at all");
    says("/empty", "float32", "it has no values: one of its axes has length 0");
}

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

}  // namespace storage_test
