// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "core/kernels/half_floats.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <numeric>
#include <stop_token>
#include <string>
#include <vector>

namespace read_values_test {

using namespace calibscope;
using test::Storage;
using test::Stored;

std::vector<float> ramp(std::size_t count)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), -3.0F);
    return values;
}

const std::vector<double> exactInAll{0.0, -1.5, 0.25, 1024.0, -0.0009765625, 6.103515625e-05};
const std::vector<float> sameAsFloat{0.0F, -1.5F, 0.25F, 1024.0F, -0.0009765625F, 6.103515625e-05F};

TEST_CASE("every stored element type reads as the same values")
{
    for (const Stored stored : {Stored::Float16, Stored::Float16Big, Stored::Float32,
                                Stored::Float32Big, Stored::Float64, Stored::Float64Big}) {
        test::H5File file;
        file.write("/a", {2, 3}, exactInAll, stored);
        CHECK(test::valuesIn(file.path(), "/a") == sameAsFloat);
    }
}

TEST_CASE("element types are told apart in the list")
{
    test::H5File file;
    file.write("/half", {2}, {1.0, 2.0}, Stored::Float16);
    file.write("/single", {2}, {1.0, 2.0}, Stored::Float32Big);
    file.write("/double", {2}, {1.0, 2.0}, Stored::Float64);
    CHECK(test::listed(file.path(), "/half").elementType == ElementKind::Float16);
    CHECK(test::listed(file.path(), "/single").elementType == ElementKind::Float32);
    CHECK(test::listed(file.path(), "/double").elementType == ElementKind::Float64);
}

TEST_CASE("all patterns of binary16 survive the way through a file")
{
    std::vector<std::uint16_t> patterns(65536);
    std::iota(patterns.begin(), patterns.end(), std::uint16_t{0});
    test::H5File file;
    file.writePatterns("/a", {256, 256}, patterns, Stored::Float16,
                       {.chunk = {16, 256}, .hasShuffle = true, .gzip = 4});
    const std::vector<float> values = test::valuesIn(file.path(), "/a");
    REQUIRE(values.size() == patterns.size());
    std::size_t different = 0;
    for (std::size_t index = 0; index < values.size(); ++index) {
        const float expected = kernels::float16Value(patterns[index]);
        different +=
            values[index] == expected || (values[index] != values[index] && expected != expected)
                ? 0U
                : 1U;
    }
    CHECK(different == 0);
}

TEST_CASE("every storage reads as the same values, and says how it is stored")
{
    struct Case
    {
        Storage storage;
        std::string compression;
        std::string checksum;
    };
    const std::vector<Case> cases{
        {{}, "none", "none"},
        {{.isCompact = true}, "none", "none"},
        {{.chunk = {2, 3, 4}}, "none", "none"},
        {{.chunk = {1, 2, 3}}, "none", "none"},
        {{.chunk = {5, 3, 4}, .isResizable = true}, "none", "none"},
        {{.chunk = {2, 3, 4}, .gzip = 6}, "gzip 6", "adler32 (gzip)"},
        {{.chunk = {3, 3, 4}, .hasShuffle = true, .gzip = 1}, "shuffle+gzip 1", "adler32 (gzip)"},
        {{.chunk = {2, 3, 4}, .hasFletcher32 = true}, "none", "fletcher32"},
        {{.chunk = {2, 3, 4}, .hasShuffle = true, .gzip = 9, .hasFletcher32 = true},
         "shuffle+gzip 9",
         "fletcher32"}};
    for (const Case& stored : cases) {
        test::H5File file;
        file.write("/a", {5, 3, 4}, ramp(60), stored.storage);
        const TensorInfo info = test::listed(file.path(), "/a");
        CHECK(info.unreadable.empty());
        CHECK(info.compression == stored.compression);
        CHECK(info.checksum == stored.checksum);
        CHECK(test::valuesIn(file.path(), "/a") == ramp(60));
    }
}

TEST_CASE("blocks end where a batch does, whatever the chunks are")
{
    for (const Storage& storage :
         {Storage{}, Storage{.chunk = {2, 3}}, Storage{.chunk = {4, 1}},
          Storage{.chunk = {10, 3}, .isResizable = true}, Storage{.chunk = {1, 2}}}) {
        test::H5File file;
        file.write("/activations/a", {7, 3}, ramp(21), storage);
        file.attribute("/activations/a", "batch_size", std::int64_t{3});
        const auto dump = DumpFile::open(file.path());
        const auto blocks = test::blocksOf(dump->source(0));
        std::vector<float> values;
        for (const test::SeenBlock& block : blocks) {
            CHECK(block.firstIndex == values.size());
            CHECK(block.batch == block.firstIndex / 9);
            CHECK((block.firstIndex + block.values.size() - 1) / 9 == block.batch);
            values.insert(values.end(), block.values.begin(), block.values.end());
        }
        CHECK(values == ramp(21));
        CHECK(blocks.back().batch == 2);  // 3 + 3 + 1 samples
    }
}

TEST_CASE("a large tensor comes in blocks of bounded size, the same in every pass")
{
    constexpr std::size_t count = 3 * (std::size_t{1} << 18) + 1000;
    test::H5File file;
    file.write("/long", {count}, ramp(count));
    file.write("/wide", {1, 4, count / 4}, ramp(count), {.chunk = {1, 1, count / 4}, .gzip = 1});
    const auto dump = DumpFile::open(file.path());
    for (const TensorInfo& info : dump->tensors()) {
        const ValueSource source = dump->source(info);
        const auto blocks = test::blocksOf(source);
        CHECK(blocks.size() >= 4);
        for (const test::SeenBlock& block : blocks)
            CHECK(block.values.size() <= std::size_t{1} << 18);
        CHECK(test::valuesOf(source) == ramp(count));
        const auto again = test::blocksOf(source);
        REQUIRE(again.size() == blocks.size());
        for (std::size_t block = 0; block < blocks.size(); ++block)
            CHECK(again[block].firstIndex == blocks[block].firstIndex);
    }
}

TEST_CASE("chunks that were never written read as the fill value, with a warning")
{
    test::H5File file;
    file.write("/a", {2, 4}, ramp(8), {.chunk = {1, 4}, .isResizable = true});
    file.extend("/a", {5, 4});
    const auto dump = DumpFile::open(file.path());
    std::vector<float> expected = ramp(8);
    expected.resize(20, 0.0F);
    CHECK(test::valuesOf(dump->source(0)) == expected);
    REQUIRE(dump->warnings().size() == 1);
    CHECK(dump->warnings().front() ==
          "/a: 3 of its 5 chunks were never written and are read as its fill value");
}

TEST_CASE("a checksum that does not fit is an error that names file, tensor and place")
{
    for (const Storage& storage : {Storage{.chunk = {1, 4000}, .hasFletcher32 = true},
                                   Storage{.chunk = {1, 4000}, .gzip = 0}}) {
        test::H5File file;
        file.write("/a", {2, 4000}, std::vector<float>(8000, 0.3F), storage);
        std::string bytes = test::readBytes(file.path());
        bytes[bytes.size() - 2000] = static_cast<char>(bytes[bytes.size() - 2000] ^ 0x10);
        test::writeBytes(file.path(), bytes);
        try {
            static_cast<void>(test::valuesIn(file.path(), "/a"));
            FAIL("damaged values were read");
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            CHECK_THAT(std::string(error.what()),
                       test::containsText(file.path() + ":/a: its values cannot be read"));
        }
    }
}

TEST_CASE("a file that was cut after it was opened is an error, not a crash")
{
    test::H5File file;
    file.write("/a", {1000, 100}, ramp(100000));
    const auto dump = DumpFile::open(file.path());
    std::filesystem::resize_file(file.path(), 10000);
    CHECK_THROWS_WITH(
        test::valuesOf(dump->source(0)),
        file.path() +
            ":/a: cannot be read: the file was changed since it was opened; open it again");
}

TEST_CASE("reading stops within a block where it is told to")
{
    test::H5File file;
    constexpr std::size_t count = std::size_t{1} << 20;
    file.write("/a", {count}, ramp(count));
    const auto dump = DumpFile::open(file.path());
    std::stop_source stop;
    std::size_t blocks = 0;
    const Progress progress(stop.get_token(), [&](std::uint64_t, std::uint64_t total,
                                                  std::string_view) { CHECK(total == count); });
    CHECK_THROWS_AS(dump->source(0).visit(
                        [&](const Block&) {
                            ++blocks;
                            stop.request_stop();
                        },
                        progress),
                    Cancelled);
    CHECK(blocks == 1);
}

}  // namespace read_values_test
