#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <string>
#include <vector>

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
    return info.unreadable;
}

}  // namespace

TEST_CASE("a shape that does not fit the stored values is refused before anything is allocated")
{
    CHECK(
        reasonWithEditedDimension({}, 4100) ==
        "its shape needs 32800 bytes, but 32792 are stored; the file is damaged, copy or record it "
        "again");
    CHECK_THAT(reasonWithEditedDimension({}, std::uint64_t{1} << 40),
               test::containsText("needs more than a file of"));
    CHECK_THAT(reasonWithEditedDimension({}, std::uint64_t{1} << 62),
               test::containsText("needs more than a file of"));
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
        CHECK(info.elementType == type);
        CHECK_THAT(info.unreadable, test::containsText(reason));
    };
    says("/texts", "string", "it holds texts");
    says("/compound", "compound", "it holds records");
    says("/bools", "bool", "it holds booleans; only numbers are read");
    says("/scalar", "float32", "it is a single value, not a tensor");
    says("/null", "float32", "it has no values at all");
    says("/empty", "float32", "it has no values: one of its axes has length 0");
}
