// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5py.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace filters_test {

using namespace calibscope;
using test::FilterStep;
using test::Storage;

constexpr int gzip = 1;
constexpr int shuffle = 2;
constexpr int fletcher32 = 3;
constexpr int szip = 4;
constexpr int nbit = 5;
constexpr int scaleOffset = 6;
constexpr int lzf = 32000;

/// 60 values that repeat, so that packers find something.
std::vector<float> values()
{
    std::vector<float> result(60);
    for (std::size_t index = 0; index < result.size(); ++index)
        result[index] = 0.25F * static_cast<float>(index % 7) - 0.5F;
    return result;
}

FilterStep lzfStep(unsigned chunkBytes)
{
    return {.id = lzf, .parameters = {4, 0x0105, chunkBytes}};
}

std::string bytesOf(const std::vector<float>& floats)
{
    std::string bytes(floats.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), floats.data(), bytes.size());
    return bytes;
}

/// LZF that packs nothing: literals, 32 at a time.
std::string lzfLiterals(const std::string& bytes)
{
    std::string packed;
    for (std::size_t at = 0; at < bytes.size(); at += 32) {
        const std::string run = bytes.substr(at, 32);
        packed += static_cast<char>(run.size() - 1) + run;
    }
    return packed;
}

/// Why values cannot be read.
std::string failureOf(const std::string& path, const std::string& dataset)
{
    try {
        static_cast<void>(test::valuesIn(path, dataset));
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        return error.what();
    }
    return "no failure";
}

/// Why a dataset of four values in a chunk with these LZF bytes cannot be read.
std::string failureOfLzf(const std::string& packed)
{
    test::H5File file;
    file.writeNothing("/a", {4}, {.chunk = {4}, .filters = {lzfStep(16)}});
    file.writeChunk("/a", {0}, packed);
    return failureOf(file.path(), "/a");
}

TEST_CASE("built-in filters read the same in any order")
{
    std::vector<FilterStep> steps{
        {.id = gzip, .parameters = {5}}, {.id = shuffle}, {.id = fletcher32}};
    std::ranges::sort(steps, {}, &FilterStep::id);
    do {
        std::vector<FilterStep> behindNbit{{.id = nbit}};  // nbit takes whole elements only
        std::ranges::copy(steps, std::back_inserter(behindNbit));
        test::H5File file;
        file.write("/a", {5, 3, 4}, values(), {.chunk = {2, 3, 3}, .filters = steps});
        file.write("/nbit", {5, 3, 4}, values(), {.chunk = {2, 3, 3}, .filters = behindNbit});
        for (const std::string path : {"/a", "/nbit"}) {
            CHECK(test::valuesIn(file.path(), path) == values());
            CHECK(test::listed(file.path(), path).checksum == "fletcher32");
        }
    } while (std::ranges::next_permutation(steps, {}, &FilterStep::id).found);
}

TEST_CASE("scale-offset keeps as many decimals as it was told")
{
    constexpr unsigned decimals = 3;
    test::H5File file;
    file.write("/a", {5, 12}, values(),
               {.chunk = {2, 12}, .filters = {{.id = scaleOffset, .parameters = {0, decimals}}}});
    file.write("/constant", {512}, std::vector<float>(512, 7.5F),
               {.chunk = {512},
                .filters = {{.id = scaleOffset, .parameters = {0, decimals}},
                            {.id = gzip, .parameters = {9}}}});
    CHECK(test::listed(file.path(), "/a").compression == "scaleoffset");
    const std::vector<float> read = test::valuesIn(file.path(), "/a");
    REQUIRE(read.size() == 60);
    for (std::size_t index = 0; index < read.size(); ++index)
        CHECK(std::abs(read[index] - values()[index]) <= 0.5e-3F + 1e-6F);  // and float's own
    CHECK(test::valuesIn(file.path(), "/constant") == std::vector<float>(512, 7.5F));
}

TEST_CASE("szip is read where the library has it")
{
    constexpr unsigned nearestNeighbour = 32;
    test::H5File file;
    try {
        file.write(
            "/a", {8, 16}, std::vector<float>(128, 0.75F),
            {.chunk = {4, 16}, .filters = {{.id = szip, .parameters = {nearestNeighbour, 16}}}});
    } catch (const std::exception&) {
        WARN("not run: this HDF5 library writes no szip");
        return;
    }
    CHECK(test::valuesIn(file.path(), "/a") == std::vector<float>(128, 0.75F));
    CHECK(test::listed(file.path(), "/a").compression == "szip");
}

TEST_CASE("a flipped byte under fletcher32 is an error that says checksum")
{
    test::H5File file;
    file.write("/a", {2, 4000}, std::vector<float>(8000, 0.3F),
               {.chunk = {1, 4000}, .hasFletcher32 = true});
    std::string bytes = test::readBytes(file.path());
    bytes[bytes.size() - 2000] = static_cast<char>(bytes[bytes.size() - 2000] ^ 0x10);
    test::writeBytes(file.path(), bytes);
    CHECK_THAT(failureOf(file.path(), "/a"), test::containsText("checksum"));
}

TEST_CASE("LZF is read without a plugin, alone and among other filters")
{
    test::H5File file;
    const std::string packed = lzfLiterals(bytesOf(values()));
    file.writeNothing("/a", {60}, {.chunk = {60}, .filters = {lzfStep(240)}});
    file.writeChunk("/a", {0}, packed);
    CHECK(test::valuesIn(file.path(), "/a") == values());
    CHECK(test::listed(file.path(), "/a").compression == "lzf");
    // Whatever else in this process took the number before.
    file.write("/other", {2}, std::vector<float>{1.0F, 2.0F}, {.chunk = {2}, .unknownFilter = lzf});
    CHECK(test::valuesIn(file.path(), "/a") == values());
}

TEST_CASE("a chunk that a filter left out is read as it is, the others as they are packed")
{
    test::H5File file;
    const std::string bytes = bytesOf(values());
    file.writeNothing("/a", {3, 60}, {.chunk = {1, 60}, .filters = {lzfStep(240)}});
    file.writeChunk("/a", {0, 0}, bytes, 1);
    file.writeChunk("/a", {1, 0}, lzfLiterals(bytes));
    file.writeChunk("/a", {2, 0}, bytes, 1);
    std::vector<float> expected;
    for (int chunk = 0; chunk < 3; ++chunk)
        std::ranges::copy(values(), std::back_inserter(expected));
    CHECK(test::valuesIn(file.path(), "/a") == expected);
    file.write("/gzip", {2, 60}, std::vector<float>(120, 1.0F),
               {.chunk = {1, 60}, .hasShuffle = true, .gzip = 4});
    file.writeChunk("/gzip", {1, 0}, bytes, 3);  // neither shuffled nor packed
    std::vector<float> mixed(60, 1.0F);
    std::ranges::copy(values(), std::back_inserter(mixed));
    CHECK(test::valuesIn(file.path(), "/gzip") == mixed);
}

TEST_CASE("damaged LZF is an error that says so, and never a crash")
{
    const std::string whole = lzfLiterals(std::string(16, 'a'));
    using namespace std::string_literals;
    CHECK(failureOfLzf(whole) == "no failure");
    CHECK_THAT(
        failureOfLzf(whole.substr(0, 9)),
        test::containsText(":/a: its values cannot be read (chunk [0]: its LZF bytes end within a "
                           "step)"));
    CHECK_THAT(failureOfLzf("\x20\x00"s), test::containsText("copy from before their start"));
    CHECK_THAT(failureOfLzf(whole + whole), test::containsText("decode to more than a chunk"));
    CHECK_THAT(failureOfLzf("\x00z\xff\xff\x00"s),
               test::containsText("copy from before their start"));
    CHECK_THAT(failureOfLzf("\x03zzzz"s),
               test::containsText("its LZF bytes decode to 4 bytes, a chunk has 16"));
}

TEST_CASE("LZF whose parameters do not tell the chunk's size is refused")
{
    test::H5File file;
    file.writeNothing("/small", {4}, {.chunk = {4}, .filters = {lzfStep(8)}});
    file.writeNothing("/bomb", {4}, {.chunk = {4}, .filters = {lzfStep(0xffffffff)}});
    file.writeNothing("/none", {4}, {.chunk = {4}, .filters = {{.id = lzf}}});
    for (const std::string path : {"/small", "/bomb", "/none"})
        file.writeChunk(path, {0}, lzfLiterals(std::string(16, 'a')));
    CHECK(test::listed(file.path(), "/small").unreadable ==
          "its chunks take 16 bytes, but its LZF parameters say 8; the file is damaged, copy or "
          "record it again");
    CHECK_THAT(test::listed(file.path(), "/bomb").unreadable.sentence,
               test::containsText("say 4294967295"));
    CHECK_THAT(test::listed(file.path(), "/none").unreadable.sentence, test::containsText("say 0"));
}

TEST_CASE("what h5py packs with LZF, scale-offset, gzip and checksums reads as it was written")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, R"(
ramp = (np.arange(6000) % 37).astype("f4").reshape(60, 100) / 4
noise = np.random.default_rng(1).normal(size=(60, 100)).astype("f4")
half = ramp.astype("f2")
with h5py.File("packed.h5", "w") as file:
    def put(name, values, **storage):
        file.create_dataset(name, data=values, chunks=(16, 33), **storage)
    put("lzf", ramp, compression="lzf")
    put("lzf_shuffle", ramp, compression="lzf", shuffle=True)
    put("lzf_all", ramp, compression="lzf", shuffle=True, fletcher32=True)
    put("lzf_half", half, compression="lzf")
    put("lzf_scaled", ramp, compression="lzf", scaleoffset=2)
    put("gzip_all", ramp, compression="gzip", shuffle=True, fletcher32=True)
    put("gzip_scaled", ramp, compression="gzip", scaleoffset=2, shuffle=True)
    put("lzf_noise", noise, compression="lzf")
noise.tofile("noise.f4")
)");
    const std::string path = folder.file("packed.h5");
    std::vector<float> ramp(6000);
    for (std::size_t index = 0; index < ramp.size(); ++index)
        ramp[index] = static_cast<float>(index % 37) / 4;
    for (const std::string name : {"/lzf", "/lzf_shuffle", "/lzf_all", "/lzf_half", "/lzf_scaled",
                                   "/gzip_all", "/gzip_scaled"}) {
        INFO(name);
        CHECK(test::valuesIn(path, name) == ramp);
    }
    CHECK(test::listed(path, "/lzf_scaled").compression == "scaleoffset+lzf");
    CHECK(bytesOf(test::valuesIn(path, "/lzf_noise")) == test::readBytes(folder.file("noise.f4")));
}

TEST_CASE("a filter that is not installed is named with its id and the package, the rest is usable")
{
    struct Case
    {
        int id;
        std::string name;
        std::string remedy;
    };
    const std::vector<Case> cases{
        {307, "bzip2",
         "install Debian's package hdf5-filter-plugin, or copy it from the folder that "
         "hdf5plugin.PLUGIN_PATH names after \"pip install hdf5plugin\" into "},
        {32001, "blosc", "install Debian's package hdf5-filter-plugin-blosc-serial, or"},
        {32004, "lz4", "install Debian's package hdf5-filter-plugin, or"},
        {32008, "bitshuffle", "copy it from the folder that hdf5plugin.PLUGIN_PATH names"},
        {32013, "zfp", "install Debian's package hdf5-filter-plugin-zfp-serial, or"},
        {32015, "zstd", "copy it from the folder that hdf5plugin.PLUGIN_PATH names"},
        {32024, "sz3", "copy it from the folder that hdf5plugin.PLUGIN_PATH names"},
        {32026, "blosc2", "copy it from the folder that hdf5plugin.PLUGIN_PATH names"},
        {511, "only the writer's", "write the file with gzip"}};
    test::H5File file;
    file.write("/ok", {2}, std::vector<float>{1.0F, 2.0F}, {.chunk = {2}, .gzip = 4});
    for (const Case& missing : cases) {
        const std::string path = "/filter" + std::to_string(missing.id);
        file.write(path, {2}, std::vector<float>{1.0F, 2.0F},
                   {.chunk = {2}, .hasShuffle = true, .unknownFilter = missing.id});
        const TensorInfo info = test::listed(file.path(), path);
        CHECK(info.compression == "shuffle+" + missing.name);
        CHECK_THAT(info.unreadable.sentence,
                   test::containsText("it is compressed with " + missing.name + " (HDF5 filter " +
                                      std::to_string(missing.id) + "), which is not installed; " +
                                      missing.remedy));
    }
    CHECK(test::valuesIn(file.path(), "/ok") == std::vector<float>{1.0F, 2.0F});
}

}  // namespace filters_test
