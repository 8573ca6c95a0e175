// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/gguf_files.h"
#include "tests/support/imatrix_files.h"
#include "tests/support/temporary_folder.h"

namespace imatrix_test {

using namespace calibscope;
using namespace calibscope::test;

const std::vector<float> query{4.0F, 0.25F, 9.0F};
const std::vector<float> up{1.0F, 2.0F};
const std::string end = littleEndian(5, 4) + littleEndian(8, 4) + "wiki.txt";

std::string twoEntries()
{
    return imatrixOf({{"blk.0.attn_q.weight", 5, query}, {"blk.0.ffn_up.weight", 3, up}});
}

TEST_CASE("an importance matrix of llama.cpp lists its entries as the GGUF form does")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("imatrix.dat");
    for (const std::string& tail : {std::string(), end, end.substr(0, 4)}) {
        writeBytes(path, twoEntries() + tail);
        const auto dump = DumpFile::open(path);
        writeBytes(folder.file("imatrix.gguf"),
                   ggufOf({{"blk.0.attn_q.weight.in_sum2", {3}, 0, bytesOfElements(query)},
                           {"blk.0.ffn_up.weight.in_sum2", {2}, 0, bytesOfElements(up)}}));
        const auto newer = DumpFile::open(folder.file("imatrix.gguf"));
        REQUIRE(dump->tensors().size() == 2);
        for (std::size_t tensor = 0; tensor < 2; ++tensor) {
            CHECK(dump->tensors()[tensor].name == newer->tensors()[tensor].name);
            CHECK(dump->tensors()[tensor].role == newer->tensors()[tensor].role);
            CHECK(valuesOf(dump->source(tensor)) == valuesOf(newer->source(tensor)));
        }
        CHECK(dump->tensors()[1].shape == std::vector<std::uint64_t>{2});
        CHECK_THAT(dump->tensors()[1].evidence.front(), containsText("times the 3 calls"));
        CHECK(dump->attributes().contains("chunks") == !tail.empty());
        CHECK(dump->attributes().contains("dataset") == (tail == end));
    }
}

TEST_CASE("an importance matrix that ends early, or whose lengths lie, is refused")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("imatrix.dat");
    const auto refusal = [&](const std::string& bytes) -> std::string {
        writeBytes(path, bytes);
        try {
            static_cast<void>(DumpFile::open(path, {.memoryBytes = std::uint64_t{16} << 20U}));
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            return error.what();
        }
        return "opened";
    };
    const std::string sound = twoEntries() + end;
    for (std::size_t length = 0; length < sound.size(); ++length)
        if (length != twoEntries().size() && length != twoEntries().size() + 4) {
            CAPTURE(length);
            CHECK(refusal(sound.substr(0, length)) != "opened");
        }
    CHECK_THAT(refusal(sound.substr(0, 60)), containsText("truncated"));
    CHECK_THAT(refusal(sound + "x"), containsText("1 bytes follow its end"));
    CHECK_THAT(refusal(imatrixOf({{"a", 1, {1.0F}}, {"a", 1, {1.0F}}})),
               containsText("that of another entry"));
    std::string lying = twoEntries();
    lying.replace(4 + 4 + 19 + 4, 4, littleEndian(0x7fffffff, 4));
    CHECK_THAT(refusal(lying), containsText("truncated"));
    CHECK_THAT(refusal(imatrixOf({{"a", 1, up}, {"b", 0x80000000U, up}})),
               containsText("a number of calls is -2147483648"));
    std::vector<ImatrixEntry> many(20'000);
    for (std::size_t entry = 0; entry < many.size(); ++entry)
        many[entry] = {.name = std::to_string(entry), .calls = 1, .values = {1.0F}};
    CHECK_THAT(refusal(imatrixOf(many)), containsText("more memory than may be taken"));
}

}  // namespace imatrix_test
