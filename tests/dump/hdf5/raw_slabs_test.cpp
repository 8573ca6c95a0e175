// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tensor/layout_override.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5_other_files.h"
#include "tests/support/h5py.h"

#include <libdeflate.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace raw_slabs_test {

using namespace calibscope;
using test::Storage;

constexpr std::uint64_t rows = 4;
constexpr std::uint64_t width = 1024;  // a chunk for each row: 4096 bytes

std::vector<float> ramp(std::size_t count)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0F);
    return values;
}

/// Whoever finds it first: the walk of the structure, or the reader.
void checkRefused(const std::string& failure)
{
    CHECK_THAT(failure, test::containsText(":/a: "));
    CHECK_THAT(failure, test::containsText("damaged"));
}

template <typename Number>
std::string littleEndian(Number number)
{
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

/// What a chunk's entry in a B-tree of version 1 says (HDF5 File Format Specification, III.A.1).
struct ChunkEntry
{
    std::uint32_t bytes = 0;
    std::uint32_t mask = 0;
    std::uint64_t row = 0;
    std::uint64_t address = 0;
};

/// Edits the entry of the chunk that begins at a row of a dataset of two axes.
template <typename Edit>
void editEntry(const std::string& path, std::uint64_t row, const Edit& edit)
{
    std::string bytes = test::readBytes(path);
    const std::string key =
        littleEndian(row) + littleEndian<std::uint64_t>(0) + littleEndian<std::uint64_t>(0);
    std::size_t edits = 0;
    for (std::size_t node = bytes.find("TREE\x01"); node != std::string::npos;
         node = bytes.find("TREE\x01", node + 1)) {
        const std::size_t at = bytes.find(key, node + 24 + 8);
        if (at == std::string::npos)
            continue;
        ChunkEntry entry{.bytes = 0, .mask = 0, .row = row, .address = 0};
        std::memcpy(&entry.bytes, &bytes[at - 8], 4);
        std::memcpy(&entry.mask, &bytes[at - 4], 4);
        std::memcpy(&entry.address, &bytes[at + key.size()], 8);
        edit(entry);
        bytes.replace(at - 8, 4, littleEndian(entry.bytes));
        bytes.replace(at - 4, 4, littleEndian(entry.mask));
        bytes.replace(at + key.size(), 8, littleEndian(entry.address));
        ++edits;
    }
    REQUIRE(edits == 1);
    test::writeBytes(path, bytes);
}

std::string failureOf(const std::string& path, const std::string& dataset = "/a")
{
    try {
        static_cast<void>(test::valuesIn(path, dataset));
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        return error.what();
    }
    return "no failure";
}

/// Why a dataset of four chunks can't be read when the entry of row 2 is edited.
template <typename Edit>
std::string failureWith(const Storage& storage, const Edit& edit)
{
    test::H5File file;
    file.write("/a", {rows, width}, ramp(rows * width), storage);
    CHECK(test::valuesIn(file.path(), "/a") == ramp(rows * width));
    editEntry(file.path(), 2, edit);
    return failureOf(file.path());
}

std::string zlibOf(const std::string& bytes)
{
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
    std::string room(bytes.size() + 100, '\0');
    room.resize(
        libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), room.data(), room.size()));
    libdeflate_free_compressor(compressor);
    return room;
}

const Storage plain{.chunk = {1, width}};
const Storage packed{.chunk = {1, width}, .hasShuffle = true, .gzip = 4};

TEST_CASE("a chunk that is longer than its shape is refused, wherever its bytes lie")
{
    // The library would write them all into room for 4096.
    checkRefused(failureWith(plain, [](ChunkEntry& entry) { entry.bytes = 4 << 20; }));
    checkRefused(failureWith(plain, [](ChunkEntry& entry) { entry.bytes = 4100; }));
}

TEST_CASE("a chunk that is shorter than its shape is refused, not filled with what lay in memory")
{
    checkRefused(failureWith(plain, [](ChunkEntry& entry) { entry.bytes = 16; }));
    checkRefused(failureWith(plain, [](ChunkEntry& entry) { entry.bytes = 0; }));
}

TEST_CASE("gzip that unpacks to another length than a chunk's is refused")
{
    test::H5File file;
    file.writeNothing("/a", {rows, width}, {.chunk = {1, width}, .gzip = 4});
    const std::string half(width * 2, '\x11');
    for (std::uint64_t row = 0; row < rows; ++row)
        file.writeChunk("/a", {row, 0}, zlibOf(row == 1 ? half : half + half));
    CHECK_THAT(
        failureOf(file.path()),
        test::containsText("chunk [1, 0]: its gzip bytes decode to 2048 bytes, a chunk has 4096"));
    file.writeChunk("/a", {1, 0}, zlibOf(half + half + "x"));
    CHECK_THAT(failureOf(file.path()),
               test::containsText("chunk [1, 0]: its gzip bytes decode to more than 4096 bytes"));
}

TEST_CASE("a chunk beyond the end of the file is refused")
{
    checkRefused(failureWith(plain, [](ChunkEntry& entry) { entry.address = 1 << 20; }));
    checkRefused(failureWith(plain, [](ChunkEntry& entry) { entry.address = ~0ULL - 1; }));
}

TEST_CASE("a filter mask that no writer makes is refused")
{
    checkRefused(failureWith(packed, [](ChunkEntry& entry) { entry.mask = 1; }));
    checkRefused(failureWith(packed, [](ChunkEntry& entry) { entry.mask = 0x80; }));
    checkRefused(failureWith(packed, [](ChunkEntry& entry) { entry.mask = 3; }));
    checkRefused(failureWith(plain, [](ChunkEntry& entry) { entry.mask = 1; }));
}

TEST_CASE("a shuffle filter for elements of another size is refused")
{
    test::H5File file;
    file.write("/a", {rows, width}, ramp(rows * width),
               {.chunk = {1, width}, .filters = {{.id = 2, .parameters = {4}}}});
    std::string bytes = test::readBytes(file.path());
    // The filter's message: id 2, no name, optional, one parameter; a name's length is 8 bytes.
    const std::size_t name = bytes.find("shuffle");
    REQUIRE(name != std::string::npos);
    const std::size_t parameter = bytes.find(littleEndian<std::uint32_t>(4), name);
    REQUIRE(parameter == name + 8);
    bytes[parameter] = 2;
    test::writeBytes(file.path(), bytes);
    checkRefused(failureOf(file.path()));
}

TEST_CASE("scale-offset and n-bit that say more bytes than they have are refused")
{
    constexpr int nbit = 5;
    constexpr int scaleOffset = 6;
    for (const test::FilterStep& step :
         {test::FilterStep{.id = nbit},
          test::FilterStep{.id = scaleOffset, .parameters = {0, 3}}}) {
        test::H5File file;
        file.write("/a", {rows, width}, ramp(rows * width),
                   {.chunk = {1, width}, .filters = {step}});
        CHECK(test::valuesIn(file.path(), "/a") == ramp(rows * width));
        // The library's decoders read on behind the bytes that there are.
        file.writeChunk("/a", {2, 0}, std::string("\x1f\0\0\0\x08", 5) + std::string(60, '\x55'));
        const std::string failure = failureOf(file.path());
        if (step.id == scaleOffset)
            CHECK_THAT(failure, test::containsText("chunk [2, 0]: its 65 packed bytes are fewer"));
        else
            CHECK_THAT(failure, test::containsText("chunk [2, 0]: "));
    }
}

TEST_CASE("chunks that were never written stand beside others as the fill value")
{
    test::H5File file;
    file.writeNothing("/a", {5, 6}, {.chunk = {2, 4}, .fillValue = -2.5F});
    const std::vector<float> chunk = ramp(8);
    file.writeChunk("/a", {2, 4},
                    {reinterpret_cast<const char*>(chunk.data()), chunk.size() * sizeof(float)});
    std::vector<float> expected(30, -2.5F);
    expected[16] = 1.0F;  // the chunk's right half lies beyond the shape
    expected[17] = 2.0F;
    expected[22] = 5.0F;
    expected[23] = 6.0F;
    CHECK(test::valuesIn(file.path(), "/a") == expected);
    const auto dump = DumpFile::open(file.path());
    const ValueSource columns = dump->source(understoodAs(dump->tensors()[0], {.batchAxis = 1}));
    std::vector<float> moved;
    for (std::size_t column = 0; column < 6; ++column)
        for (std::size_t row = 0; row < 5; ++row)
            moved.push_back(expected[row * 6 + column]);
    CHECK(test::valuesOf(columns) == moved);
}

TEST_CASE("chunks are found in every kind of index")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, R"(
values = np.arange(1, 12 * 60 + 1, dtype="f4").reshape(12, 60)
for version in ("earliest", "latest"):
    with h5py.File(version + ".h5", "w", libver=version) as file:
        def put(name, **storage):
            file.create_dataset(name, data=values, **storage)
        put("fixed", chunks=(1, 20))
        put("growing", chunks=(1, 20), maxshape=(None, 60))
        put("growing_packed", chunks=(1, 20), maxshape=(None, 60), compression="gzip")
        put("two_axes", chunks=(1, 20), maxshape=(None, None), compression="gzip", shuffle=True)
        put("single", chunks=(12, 60), compression="gzip", fletcher32=True)
        put("checked", chunks=(5, 7), fletcher32=True)
        early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        early.set_chunk((1, 20))
        early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        space = h5py.h5s.create_simple((12, 60))
        h5py.h5d.create(file.id, b"implicit", h5py.h5t.IEEE_F32LE, space, early)
        file["implicit"][...] = values
)");
    for (const std::string version : {"earliest", "latest"})
        for (const std::string name : {"/fixed", "/growing", "/growing_packed", "/two_axes",
                                       "/single", "/checked", "/implicit"}) {
            INFO(version << name);
            CHECK(test::valuesIn(folder.file(version + ".h5"), name) == ramp(12 * 60));
        }
}

TEST_CASE("a virtual dataset with a source whose chunks are damaged is refused")
{
    test::H5File file;
    file.write("/part", {rows, width}, ramp(rows * width), plain);
    test::writeVirtual(file, "/whole", {rows, width},
                       {{.firstRow = 0, .rows = rows, .dataset = "/part"}});
    test::writeVirtual(file, "/around", {rows, width},
                       {{.firstRow = 0, .rows = rows, .dataset = "/whole"}});
    CHECK(test::valuesIn(file.path(), "/around") == ramp(rows * width));
    CHECK(test::valuesIn(file.path(), "/whole") == ramp(rows * width));
    editEntry(file.path(), 2, [](ChunkEntry& entry) { entry.bytes = 16; });
    CHECK_THAT(failureOf(file.path(), "/whole"), test::containsText("damaged"));
    CHECK_THAT(failureOf(file.path(), "/around"), test::containsText("damaged"));
}

}  // namespace raw_slabs_test
