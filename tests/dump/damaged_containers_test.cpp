// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/gguf_files.h"
#include "tests/support/imatrix_files.h"
#include "tests/support/npy_files.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace damaged_containers_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr int damages = 300;  // of each container

/// Cut, bits flipped, a length that lies, or a name that leaves the folder.
std::string damaged(std::string bytes, std::mt19937& random)
{
    const auto below = [&](std::size_t end) {
        return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
    };
    const auto overwrite = [&](std::size_t at, const std::string& with) {
        for (std::size_t byte = 0; byte < with.size() && at + byte < bytes.size(); ++byte)
            bytes[at + byte] = with[byte];
    };
    const std::size_t head =
        below(2) == 0 ? std::min<std::size_t>(bytes.size(), 200) : bytes.size();
    switch (below(4)) {
    case 0: bytes.resize(below(bytes.size())); break;
    case 1:
        for (std::size_t flips = below(4) + 1; flips-- > 0;) {
            char& byte = bytes[below(head)];
            byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << below(8)));
        }
        break;
    case 2: {
        const std::uint64_t lie = below(2) == 0 ? ~std::uint64_t{0} >> below(64) : below(100'000);
        overwrite(below(head), littleEndian(lie, std::size_t{1} << below(4)));
        break;
    }
    default: overwrite(below(head), below(2) == 0 ? "../../" : "9999999999"); break;
    }
    return bytes;
}

struct Outcome
{
    int refused = 0;
    int read = 0;
    int listed = 0;  ///< as unreadable, or refused when read
};

/// Opens the path and reads all of it; what was read must have the values of the sound tensor where
/// a checksum tells that.
void tryOne(const std::string& path, const std::map<std::string, std::vector<float>>& sound,
            bool hasChecksum, Outcome& outcome)
{
    try {
        const auto dump = DumpFile::open(path, {.memoryBytes = std::uint64_t{16} << 20U});
        for (const TensorInfo& info : dump->tensors())
            try {
                const std::vector<float> values = readAll(dump->source(info));
                CHECK(values.size() == info.valueCount());
                if (const auto known = sound.find(info.path); hasChecksum && known != sound.end())
                    CHECK(values == known->second);
                ++outcome.read;
            } catch (const Error&) {
                ++outcome.listed;
            }
    } catch (const Error&) {
        ++outcome.refused;
    }
}

std::vector<float> ramp(float first)
{
    std::vector<float> values(120);
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] = first + static_cast<float>(index);
    return values;
}

TEST_CASE("a damaged .npy is refused or read, none crashes")
{
    std::mt19937 random(1);
    const TemporaryFolder folder;
    Outcome outcome;
    for (int count = 0; count < damages; ++count) {
        const std::string sound =
            npyOf(count % 2 == 0 ? "<f4" : ">i2", count % 2 == 0 ? "(4, 5, 6)" : "(240,)",
                  bytesOfElements(ramp(0.0F)), count % 3 == 0, 1 + count % 3);
        writeBytes(folder.file("a.npy"), damaged(sound, random));
        tryOne(folder.file("a.npy"), {}, false, outcome);
    }
    CHECK(outcome.refused + outcome.listed > 100);
    CHECK(outcome.read > 50);
}

TEST_CASE("a damaged archive is refused or read right, none crashes")
{
    const std::string one = npyOf("<f4", "(4, 5, 6)", bytesOfElements(ramp(0.0F)));
    const std::string other = npyOf("<f4", "(120,)", bytesOfElements(ramp(7.0F)));
    const std::map<std::string, std::vector<float>> sound{{"/a", ramp(0.0F)}, {"/b/c", ramp(7.0F)}};
    for (const bool isDeflated : {false, true})
        for (const bool isZip64 : {false, true}) {
            std::mt19937 random(2);
            const TemporaryFolder folder;
            Outcome outcome;
            const std::string archive = zipOf(
                {{.name = "a.npy", .bytes = one, .isDeflated = isDeflated, .isZip64 = isZip64},
                 {.name = "b/c.npy",
                  .bytes = other,
                  .isDeflated = isDeflated,
                  .isZip64 = isZip64}});
            for (int count = 0; count < damages; ++count) {
                writeBytes(folder.file("a.npz"), damaged(archive, random));
                tryOne(folder.file("a.npz"), sound, true, outcome);
            }
            CHECK(outcome.refused > 50);
            CHECK(outcome.listed > 50);
            CHECK(outcome.read > 50);
        }
}

TEST_CASE("a damaged file of a folder leaves the others")
{
    std::mt19937 random(3);
    const TemporaryFolder folder;
    const std::string sound = npyOf("<f4", "(4, 5, 6)", bytesOfElements(ramp(0.0F)));
    writeBytes(folder.file("whole.npy"), sound);
    for (int count = 0; count < damages; ++count) {
        writeBytes(folder.file("a.npy"), damaged(sound, random));
        const auto dump = DumpFile::open(folder.path().string());
        REQUIRE(dump->tensors().size() == 2);
        CHECK(readAll(dump->source(1)) == ramp(0.0F));
        Outcome outcome;
        tryOne(folder.path().string(), {{"/whole", ramp(0.0F)}}, true, outcome);
        CHECK(outcome.read + outcome.listed == 2);
    }
}

TEST_CASE("a damaged JSON next to raw files is passed over or read, none crashes")
{
    std::mt19937 random(5);
    const TemporaryFolder folder;
    const std::string sound =
        R"({"graph": {"tensors": {"a": {"data_type": 562, "dims": [4, 5, 6],
            "permute_order_to_src": [0, 2, 1]}}, "nodes": {"n": {"type": "Conv2d",
            "input_names": ["x"], "output_names": ["a"]}}}})";
    writeBytes(folder.file("a.raw"), bytesOfElements(ramp(0.0F)));
    Outcome outcome;
    for (int count = 0; count < damages; ++count) {
        writeBytes(folder.file("a_net.json"), damaged(sound, random));
        tryOne(folder.path().string(), {}, false, outcome);
    }
    CHECK(outcome.read + outcome.listed == damages);
    CHECK(outcome.read > 100);
}

TEST_CASE("a damaged GGUF model is refused or read, none crashes")
{
    std::mt19937 random(5);
    const TemporaryFolder folder;
    const std::string file =
        ggufOf({{"a.weight", {4, 30}, 0, bytesOfElements(ramp(0.0F))},
                {"b.weight", {2, 256}, 12, std::string(288, '\x15')}},
               {ggufKey("general.name", 8, ggufText("tiny")),
                ggufKey("tokens", 9, littleEndian(8, 4) + littleEndian(1, 8) + ggufText("a"))});
    Outcome outcome;
    for (int count = 0; count < damages; ++count) {
        writeBytes(folder.file("a.gguf"), damaged(file, random));
        tryOne(folder.file("a.gguf"), {}, false, outcome);
    }
    CHECK(outcome.refused > 50);
    CHECK(outcome.listed > 20);
    CHECK(outcome.read > 50);
}

TEST_CASE("a damaged importance matrix is refused or read, none crashes")
{
    std::mt19937 random(6);
    const TemporaryFolder folder;
    const std::string file =
        imatrixOf({{"blk.0.attn_q.weight", 7, ramp(0.0F)}, {"blk.0.ffn_up.weight", 7, ramp(9.0F)}},
                  littleEndian(7, 4) + littleEndian(8, 4) + "wiki.txt");
    Outcome outcome;
    for (int count = 0; count < damages; ++count) {
        writeBytes(folder.file("a.dat"), damaged(file, random));
        tryOne(folder.file("a.dat"), {}, false, outcome);
    }
    CHECK(outcome.refused > 50);
    CHECK(outcome.read > 50);
}

TEST_CASE("a damaged index of a split model, or one of its files, is refused or read")
{
    std::mt19937 random(4);
    const TemporaryFolder folder;
    const std::string header = R"({"a":{"dtype":"F32","shape":[4,30],"data_offsets":[0,480]}})";
    const std::string file = littleEndian(header.size(), 8) + header + bytesOfElements(ramp(0.0F));
    const std::string index = R"({"weight_map":{"a":"m-1.safetensors","b":"m-2.safetensors"}})";
    const std::string indexPath = folder.file("m.safetensors.index.json");
    Outcome outcome;
    for (int count = 0; count < damages; ++count) {
        const bool isIndex = count % 2 == 0;
        writeBytes(indexPath, isIndex ? damaged(index, random) : index);
        writeBytes(folder.file("m-1.safetensors"), isIndex ? file : damaged(file, random));
        tryOne(indexPath, {}, false, outcome);
    }
    CHECK(outcome.refused > 50);
    CHECK(outcome.read > 50);
}

TEST_CASE("a damaged list, or one of its dumps, is refused or read, none crashes")
{
    std::mt19937 random(7);
    const TemporaryFolder folder;
    const std::string sound = npyOf("<f4", "(4, 5, 6)", bytesOfElements(ramp(0.0F)));
    const std::string list = "a.npy\nb.npy\nc.npy\n";
    for (const char* name : {"a.npy", "b.npy", "c.npy"})
        writeBytes(folder.file(name), sound);
    Outcome outcome;
    for (int count = 0; count < damages; ++count) {
        const bool isList = count % 2 == 0;
        writeBytes(folder.file("x.dumplist"), isList ? damaged(list, random) : list);
        writeBytes(folder.file("b.npy"), isList ? sound : damaged(sound, random));
        tryOne(folder.file("x.dumplist"), {}, false, outcome);
    }
    CHECK(outcome.refused > 50);
    CHECK(outcome.read > 50);
}

}  // namespace damaged_containers_test
