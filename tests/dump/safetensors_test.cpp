// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/container.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace safetensors_test {

using namespace calibscope;
using namespace calibscope::test;

/// The format by hand: the header's length in eight bytes, the header, the values.
std::string fileOf(const std::string& header, const std::string& values)
{
    std::string bytes;
    for (std::size_t length = header.size(), byte = 0; byte < 8; ++byte, length >>= 8U)
        bytes += static_cast<char>(length & 0xffU);
    return bytes + header + values;
}

std::string bytesOf(const std::vector<float>& values)
{
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::string saved(const TemporaryFolder& folder, const std::string& bytes)
{
    const std::string path = folder.file("m.safetensors");
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return path;
}

std::string whyNot(const std::string& bytes)
{
    const TemporaryFolder folder;
    const std::string path = saved(folder, bytes);
    try {
        (void)DumpFile::open(path);
    } catch (const Error& error) {
        return std::string(error.what()).substr(path.size() + 2);
    }
    return "opened";
}

const std::string twoTensors =
    R"({"__metadata__":{"format":"pt"},"net.0.weight":{"dtype":"F32","shape":[3,2],)"
    R"("data_offsets":[4,28]},"net.0.bias":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})";
const std::string twoValues =
    std::string("\x80\x3f\x00\xc0", 4) + bytesOf({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, -6.5F});

TEST_CASE("a safetensors file is a dump of its tensors, in the order of their values")
{
    const TemporaryFolder folder;
    const auto dump = DumpFile::open(saved(folder, fileOf(twoTensors, twoValues)));
    REQUIRE(dump->tensors().size() == 2);
    const TensorInfo& bias = dump->tensors()[0];
    const TensorInfo& weight = dump->tensors()[1];
    CHECK(bias.path == "/net.0.bias");
    CHECK(bias.role == Role::Bias);
    CHECK(bias.elementType == ElementKind::Bfloat16);
    CHECK(readAll(dump->source(bias)) == std::vector<float>{1.0F, -2.0F});
    CHECK(weight.path == "/net.0.weight");
    CHECK(weight.role == Role::Weight);
    CHECK(weight.channelAxis == 0);
    CHECK(weight.shape == std::vector<std::uint64_t>{3, 2});
    CHECK(weight.layoutRule == "safetensors");
    CHECK(readAll(dump->source(weight)) == std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, -6.5F});
    CHECK(dump->attributes().at("format") == "pt");
    CHECK(dump->warnings().empty());
}

TEST_CASE("every type of the format is read, others are named")
{
    struct Typed
    {
        const char* dtype;
        std::string stored;  ///< of one element
        float value;
    };
    const std::vector<Typed> types = {
        {"F64", std::string("\0\0\0\0\0\0\x04\xc0", 8), -2.5F},
        {"F32", std::string("\0\0\x20\xc0", 4), -2.5F},
        {"F16", std::string("\0\xc1", 2), -2.5F},
        {"BF16", std::string("\x20\xc0", 2), -2.5F},
        {"F8_E4M3", "\xc2", -2.5F},
        {"F8_E5M2", "\xc1", -2.5F},
        {"I64", std::string("\xfe\xff\xff\xff\xff\xff\xff\xff", 8), -2.0F},
        {"I32", "\xfe\xff\xff\xff", -2.0F},
        {"I16", "\xfe\xff", -2.0F},
        {"I8", "\xfe", -2.0F},
        {"U64", std::string("\x05\0\0\0\0\0\0\0", 8), 5.0F},
        {"U32", std::string("\x05\0\0\0", 4), 5.0F},
        {"U16", std::string("\x05\0", 2), 5.0F},
        {"U8", "\x05", 5.0F},
    };
    for (const Typed& typed : types) {
        INFO(typed.dtype);
        const TemporaryFolder folder;
        const std::string header = R"({"w.weight":{"dtype":")" + std::string(typed.dtype) +
                                   R"(","shape":[1],"data_offsets":[0,)" +
                                   std::to_string(typed.stored.size()) + "]}}";
        const auto dump = DumpFile::open(saved(folder, fileOf(header, typed.stored)));
        REQUIRE(dump->tensors().size() == 1);
        CHECK(readAll(dump->source(dump->tensors()[0])) == std::vector<float>{typed.value});
    }
    const TemporaryFolder folder;
    const auto dump = DumpFile::open(saved(
        folder, fileOf(R"({"m":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", "\1\1")));
    CHECK(dump->tensors()[0].unreadable == "its elements are of the type BOOL, which is not read");
}

TEST_CASE("what the header states and the file does not have is said")
{
    CHECK(whyNot(fileOf(twoTensors, twoValues)) == "opened");
    CHECK(whyNot(fileOf("[1]", "")).find("is not an HDF5 file") != std::string::npos);
    CHECK(whyNot(fileOf(R"({"a":)", "")).find("is not valid JSON") != std::string::npos);
    CHECK(whyNot(fileOf(twoTensors, twoValues).substr(0, 40)) ==
          "is truncated, or damaged: its header has 162 bytes, the file 40");
    CHECK(whyNot(fileOf(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "12345678")) ==
          "its header is damaged: tensor \"a\" has 8 bytes of values, which its shape 3 does not "
          "take");
    CHECK(whyNot(fileOf(R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],)"
                        R"("data_offsets":[0,0]}})",
                        ""))
              .find("does not take") != std::string::npos);
    CHECK(whyNot(fileOf(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "1234")) ==
          "its header is damaged: tensor \"a\" has no shape of at most 32 axes");
    CHECK(whyNot(fileOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "1234")) ==
          "its header is damaged: tensor \"a\" has no data_offsets of two ascending numbers");
    CHECK(whyNot(fileOf(R"({"a":7})", "")) == "its header is damaged: tensor \"a\" has no dtype");
}

TEST_CASE("values behind the end of the file, gaps and shared bytes are reported")
{
    const TemporaryFolder folder;
    const auto cut = DumpFile::open(
        saved(folder, fileOf(twoTensors, twoValues.substr(0, twoValues.size() - 1))));
    CHECK(cut->tensors()[0].isReadable());
    CHECK(cut->tensors()[1].unreadable.sentence.find("behind the end of the file") !=
          std::string::npos);
    CHECK_THROWS_AS(readAll(cut->source(cut->tensors()[1])), Error);
    const auto warning = [&](const std::string& header, const std::string& values) {
        const auto dump = DumpFile::open(saved(folder, fileOf(header, values)));
        REQUIRE(dump->warnings().size() == 1);
        return dump->warnings()[0];
    };
    CHECK(warning(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "12")
              .ends_with("bytes belong to no tensor at byte 0 of its values"));
    CHECK(warning(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "12")
              .ends_with("its last 1 bytes belong to no tensor"));
    CHECK(warning(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                  R"("b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                  "12")
              .ends_with("tensors share bytes at byte 1 of its values"));
    CHECK(warning("{}", "") == "/: the file holds no tensors");
}

TEST_CASE("no damage of one byte crashes, each file is refused or read")
{
    const TemporaryFolder folder;
    const std::string whole = fileOf(twoTensors, twoValues);
    std::size_t refused = 0;
    std::size_t read = 0;
    const auto tryOne = [&](const std::string& bytes) {
        try {
            const auto dump = DumpFile::open(saved(folder, bytes));
            for (const TensorInfo& info : dump->tensors())
                if (info.isReadable())
                    CHECK(readAll(dump->source(info)).size() == info.valueCount());
            ++read;
        } catch (const Error&) {
            ++refused;
        }
    };
    for (std::size_t length = 0; length < whole.size(); ++length)
        tryOne(whole.substr(0, length));
    for (std::size_t place = 0; place < whole.size(); ++place)
        for (const unsigned flip : {0x01U, 0x10U, 0x80U}) {
            std::string damaged = whole;
            damaged[place] = static_cast<char>(static_cast<unsigned char>(whole[place]) ^ flip);
            tryOne(damaged);
        }
    CHECK(refused > whole.size());
    CHECK(read > 3 * twoValues.size());
}

TEST_CASE("parts of a tensor, and batches along another axis")
{
    const TemporaryFolder folder;
    const auto dump = DumpFile::open(saved(folder, fileOf(twoTensors, twoValues)));
    TensorInfo weight = dump->tensors()[1];
    const ValueBoxes boxes = dump->boxes(weight);
    const std::vector<ValueBox> asked = {{.start = {1, 1}, .count = {2, 1}}};
    const std::span<const float> part = boxes.read(asked, {});
    CHECK(std::vector<float>(part.begin(), part.end()) == std::vector<float>{4.0F, -6.5F});
    weight.batchAxis = 1;
    weight.batchSize = 1;
    CHECK(readAll(dump->source(weight)) == std::vector<float>{1.0F, 3.0F, 5.0F, 2.0F, 4.0F, -6.5F});
}

TEST_CASE("a file that was changed since it was opened is not read")
{
    const TemporaryFolder folder;
    const auto dump = DumpFile::open(saved(folder, fileOf(twoTensors, twoValues)));
    (void)saved(folder, fileOf(twoTensors, twoValues) + "more");
    CHECK_THROWS_AS(readAll(dump->source(dump->tensors()[1])), Error);
}

/// A model of two files with an index.
void saveSplit(const TemporaryFolder& folder, const std::string& secondName = "m-2.safetensors")
{
    const auto one = [&](const std::string& name, const std::string& tensor, float value) {
        writeBytes(folder.file(name), fileOf("{\"" + tensor + R"(":{"dtype":"F32","shape":[1,2],)" +
                                                 R"("data_offsets":[0,8]}})",
                                             bytesOf({value, -value})));
    };
    one("m-1.safetensors", "a.weight", 1.0F);
    one("m-2.safetensors", "b.weight", 2.0F);
    writeBytes(folder.file("model.safetensors.index.json"),
               R"({"metadata":{"total_size":16,"format":"pt"},"weight_map":{"b.weight":")" +
                   secondName + R"(","a.weight":"m-1.safetensors"}})");
}

TEST_CASE("a model in several files is one dump, by its index or its folder")
{
    const TemporaryFolder folder;
    saveSplit(folder);
    for (const std::string& path :
         {folder.path().string(), folder.file("model.safetensors.index.json")}) {
        const auto dump = DumpFile::open(path);
        REQUIRE(dump->tensors().size() == 2);
        CHECK(dump->tensors()[0].path == "/a.weight");
        CHECK(readAll(dump->source(1)) == std::vector<float>{2.0F, -2.0F});
        CHECK(dump->attributes().at("format") == "pt");
        CHECK(dump->warnings().empty());
    }
    const auto byIndex = DumpFile::open(folder.file("model.safetensors.index.json"));
    CHECK(byIndex->dataFiles() ==
          std::vector<std::string>{folder.file("m-1.safetensors"), folder.file("m-2.safetensors")});
    std::filesystem::remove(folder.file("model.safetensors.index.json"));
    CHECK(DumpFile::open(folder.path().string())->tensors().size() == 2);
}

TEST_CASE("files that a model lacks are named, and those outside its folder refused")
{
    const TemporaryFolder folder;
    saveSplit(folder);
    std::filesystem::remove(folder.file("m-2.safetensors"));
    const auto dump = DumpFile::open(folder.path().string());
    REQUIRE(dump->tensors().size() == 2);
    CHECK(dump->tensors()[1].path == "/b.weight");
    CHECK(dump->tensors()[1].unreadable == "the file m-2.safetensors is missing; fetch it, too");
    REQUIRE(dump->warnings().size() == 1);
    CHECK(readAll(dump->source(0)) == std::vector<float>{1.0F, -1.0F});
    saveSplit(folder, "m-1.safetensors");
    CHECK(DumpFile::open(folder.file("model.safetensors.index.json"))->tensors()[1].unreadable ==
          "it is not in the file m-1.safetensors, where the index says it is");
    for (const char* outside : {"../m.safetensors", "/m.safetensors", "a/../../m.safetensors"}) {
        saveSplit(folder, outside);
        CHECK_THROWS_WITH(DumpFile::open(folder.path().string()),
                          containsText("which leaves the folder; such an index is not read"));
    }
    const TemporaryFolder other;
    saveSplit(other);
    saveSplit(folder, "link.safetensors");
    std::filesystem::create_symlink(other.file("m-2.safetensors"), folder.file("link.safetensors"));
    const auto linked = DumpFile::open(folder.file("model.safetensors.index.json"));
    CHECK(linked->tensors()[1].unreadable.reason == Unreadable::Reason::OtherFile);
    const auto allowed =
        DumpFile::open(folder.file("model.safetensors.index.json"), {.allowExternal = true});
    CHECK(readAll(allowed->source(*allowed->find("/b.weight"))) == std::vector<float>{2.0F, -2.0F});
}

TEST_CASE("an index that is none is refused")
{
    const TemporaryFolder folder;
    const auto whyNotIndex = [&](const std::string& text) {
        const std::string path = folder.file("m.safetensors.index.json");
        writeBytes(path, text);
        try {
            (void)DumpFile::open(path);
        } catch (const Error& error) {
            return std::string(error.what()).substr(path.size() + 2);
        }
        return std::string("opened");
    };
    CHECK_THAT(whyNotIndex("{}"), containsText("has no weight_map"));
    CHECK_THAT(whyNotIndex(R"({"weight_map":{"a":7}})"), containsText("has no name of a file"));
    CHECK_THAT(whyNotIndex(R"({"weight_map":)"), containsText("is not valid JSON"));
}

}  // namespace safetensors_test
