// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "core/dump/ggml_blocks.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/gguf_files.h"
#include "tests/support/temporary_folder.h"

#include <numeric>

namespace gguf_test {

using namespace calibscope;
using namespace calibscope::test;

/// Blocks of q8_0 with the scale 0.5: value v of row r is half of an integer of both.
GgufTensor bytesOfRows(const std::string& name, std::uint64_t rows, std::uint64_t columns)
{
    GgufTensor tensor{.name = name, .shape = {rows, columns}, .type = 8, .bytes = {}};
    for (std::uint64_t block = 0; block < rows * columns / 32; ++block) {
        tensor.bytes += std::string("\x00\x38", 2);
        for (std::uint64_t value = 0; value < 32; ++value)
            tensor.bytes += static_cast<char>((block * 32 + value) % 251);
    }
    return tensor;
}

std::vector<float> valuesOfRows(std::uint64_t first, std::uint64_t count)
{
    std::vector<float> values;
    for (std::uint64_t value = first; value < first + count; ++value)
        values.push_back(0.5F * static_cast<float>(static_cast<std::int8_t>(value % 251)));
    return values;
}

TEST_CASE("weights of a GGUF model are listed with their types, its keys as attributes")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("model.gguf");
    std::vector<float> norm(12);
    std::iota(norm.begin(), norm.end(), -3.0F);
    for (const std::size_t alignment : {std::size_t{32}, std::size_t{256}}) {
        std::vector<std::string> keys{
            ggufKey("general.architecture", 8, ggufText("llama")),
            ggufKey("llama.block_count", 4, littleEndian(1, 4)),
            ggufKey("general.shift", 5, littleEndian(0xfffffffeU, 4)),
            ggufKey("tokens", 9,
                    littleEndian(8, 4) + littleEndian(2, 8) + ggufText("a") + ggufText("")),
            ggufKey("scores", 9, littleEndian(6, 4) + littleEndian(2, 8) + std::string(8, 'x'))};
        keys.push_back(ggufKey("general.alignment", 4, littleEndian(alignment, 4)));
        writeBytes(path, ggufOf({bytesOfRows("blk.0.attn_q.weight", 3, 64),
                                 {"norm.weight", {12}, 0, bytesOfElements(norm)},
                                 {"old", {2, 32}, 4, std::string(40, 'x')}},
                                keys, alignment));
        const auto dump = DumpFile::open(path);
        REQUIRE(dump->tensors().size() == 3);
        const TensorInfo& query = dump->tensors()[0];
        CHECK(query.name == "blk.0.attn_q.weight");
        CHECK(query.role == Role::Weight);
        CHECK(query.channelAxis == 0);
        CHECK(query.shape == std::vector<std::uint64_t>{3, 64});
        CHECK(typeText(query) == "q8_0 as float32");
        CHECK(valuesOf(dump->source(0)) == valuesOfRows(0, 192));
        CHECK(valuesOf(dump->source(1)) == norm);
        CHECK_THAT(dump->tensors()[2].unreadable.sentence, containsText("ggml's type 4"));
        CHECK(dump->attributes().at("general.architecture") == "llama");
        CHECK(dump->attributes().at("llama.block_count") == "1");
        CHECK(dump->attributes().at("general.shift") == "-2");
        CHECK_FALSE(dump->attributes().contains("tokens"));
    }
}

TEST_CASE("boxes begin and end within blocks; a large weight is read block by block")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("model.gguf");
    constexpr std::uint64_t columns = 4096;
    constexpr std::uint64_t rows = 300;
    writeBytes(path, ggufOf({bytesOfRows("w.weight", rows, columns)}));
    // Less than the floats of the whole.
    const auto dump = DumpFile::open(path, {.memoryBytes = std::uint64_t{4} << 20U});
    CHECK(valuesOf(dump->source(0)) == valuesOfRows(0, rows * columns));
    const ValueBoxes boxes = dump->boxes(dump->tensors()[0]);
    CHECK(boxes.chunk == std::vector<std::uint64_t>{1, 32});
    const std::vector<ValueBox> asked{
        {{7, 33}, {2, 40}}, {{299, 4095}, {1, 1}}, {{0, 0}, {3, columns}}};
    std::vector<float> expected = valuesOfRows(7 * columns + 33, 40);
    for (const std::vector<float>& more :
         {valuesOfRows(8 * columns + 33, 40), valuesOfRows(300 * columns - 1, 1),
          valuesOfRows(0, 3 * columns)})
        expected.insert(expected.end(), more.begin(), more.end());
    const std::span<const float> read = boxes.read(asked, {});
    CHECK(std::vector<float>(read.begin(), read.end()) == expected);
}

TEST_CASE("what breaks the format is refused with its reason")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("model.gguf");
    const auto refusal = [&](const std::string& bytes) -> std::string {
        writeBytes(path, bytes);
        try {
            static_cast<void>(DumpFile::open(path));
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            return error.what();
        }
        return "opened";
    };
    const GgufTensor tensor = bytesOfRows("w", 2, 64);
    CHECK_THAT(refusal(ggufOf({tensor}, {}, 32, 1)), containsText("version 1"));
    CHECK_THAT(refusal(ggufOf({tensor}).substr(0, 40)), containsText("truncated"));
    GgufTensor invalid = tensor;
    invalid.shape = {2, 63};
    CHECK_THAT(refusal(ggufOf({invalid})), containsText("has a shape that no file holds"));
    invalid.shape = {std::uint64_t{1} << 40U, std::uint64_t{1} << 40U};
    CHECK_THAT(refusal(ggufOf({invalid})), containsText("has a shape that no file holds"));
    invalid.shape = {};
    CHECK_THAT(refusal(ggufOf({invalid})), containsText("has 0 axes"));
    CHECK_THAT(refusal(ggufOf({tensor}, {ggufKey("general.alignment", 4, littleEndian(33, 4))})),
               containsText("aligned to 33 bytes"));
    CHECK_THAT(refusal(ggufOf({tensor}, {ggufKey("k", 13, "")})), containsText("type 13"));
    CHECK_THAT(
        refusal(ggufOf({tensor}, {ggufKey("k", 9, littleEndian(9, 4) + littleEndian(1, 8))})),
        containsText("a list of 1 values of the type 9"));
    CHECK_THAT(refusal(ggufOf({tensor}, {littleEndian(~std::uint64_t{0}, 8)})),
               containsText("a text in it has"));
    const std::string text = ggufText(std::string(3000, 'x'));
    writeBytes(path, ggufOf({tensor}, {ggufKey("a", 8, text), ggufKey("b", 8, text)}));
    CHECK(DumpFile::open(path)->attributes().size() == 2);
    CHECK_THROWS_WITH(DumpFile::open(path, {.memoryBytes = std::uint64_t{128} << 10U}),
                      containsText("its keys take more memory"));
    // Cut within the values: listed, and the whole one read.
    const std::string cut = ggufOf({tensor, bytesOfRows("v", 2, 64)});
    CHECK(refusal(cut.substr(0, cut.size() - 1)) == "opened");
    const auto dump = DumpFile::open(path);
    CHECK(valuesOf(dump->source(0)) == valuesOfRows(0, 128));
    CHECK_THAT(dump->tensors()[1].unreadable.sentence, containsText("behind the end of the file"));
    // The same name twice.
    CHECK(refusal(ggufOf({tensor, tensor})) == "opened");
    CHECK(DumpFile::open(path)->tensors().size() == 1);
    CHECK_THAT(DumpFile::open(path)->warnings().at(0), containsText("or those of others"));
}

}  // namespace gguf_test
