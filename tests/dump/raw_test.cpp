// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dump_file.h"
#include "core/dump/file_check.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace raw_test {

using namespace calibscope;
using namespace calibscope::test;

using Shape = std::vector<std::uint64_t>;
using Values = std::vector<float>;

/// Two tensors in the runtime's order NHWC, and the nodes that make them, out of their names' order.
constexpr const char* network = R"({"model.cpp": "net.cpp", "graph": {
  "tensors": {
    "/b/Relu_out:0": {"id": 2, "type": 3, "data_type": 1032, "dims": [1, 2, 1, 3],
      "permute_order_to_src": [0, 3, 1, 2],
      "quant_params": {"scale_offset": {"bitwidth": 8, "scale": 0.5, "offset": -3}}},
    "logits": {"id": 3, "type": 1, "data_type": 562, "dims": [1, 2], "permute_order_to_src": []},
    "weight": {"id": 4, "data_type": 562, "dims": [2, 3], "data": [[1, 2, 3], [4, 5, 6]]}},
  "nodes": {
    "z_first": {"package": "qti.aisw", "type": "Relu", "input_names": ["image"],
                "output_names": ["/b/Relu_out:0"]},
    "a_second": {"type": "FullyConnected", "input_names": ["/b/Relu_out:0", "weight"],
                 "output_names": ["logits"], "scalar_params": {}}}}})";

void save(const TemporaryFolder& folder, const std::string& name, const std::string& bytes)
{
    const std::filesystem::path path = folder.file(name);
    std::filesystem::create_directories(path.parent_path());
    writeBytes(path.string(), bytes);
}

std::string rowOf(float first, std::size_t count)
{
    Values values;
    for (std::size_t index = 0; index < count; ++index)
        values.push_back(first + static_cast<float>(index));
    return bytesOfElements(values);
}

TEST_CASE("a folder of each sample and the model's JSON are tensors with shapes and a graph")
{
    const TemporaryFolder folder;
    save(folder, "net_net.json", network);
    save(folder, "other.json", R"({"graph": 3})");
    for (int sample = 0; sample < 12; ++sample) {
        const std::string here = "output/Result_" + std::to_string(sample) + "/";
        save(folder, here + "_b_Relu_out_0.raw", rowOf(static_cast<float>(10 * sample), 6));
        save(folder, here + "logits.raw", rowOf(static_cast<float>(sample), 2));
    }
    const auto dump = DumpFile::open(folder.file("output"));
    CHECK(dump->warnings().empty());
    // As an engine asks for it before each answer.
    CHECK(dump->identity().stamp ==
          checkedIdentity(folder.file("output"), dump->dataFiles()).stamp);
    REQUIRE(dump->tensors().size() == 2);
    const TensorInfo& relu = dump->tensors()[0];
    CHECK(relu.path == "/_b_Relu_out_0");
    CHECK(relu.graphName == "/b/Relu_out:0");
    CHECK(relu.shape == Shape{12, 2, 1, 3});
    CHECK(relu.channelAxis == 3);
    CHECK(relu.batchAxis == 0);
    CHECK(relu.op == "Relu");
    CHECK(relu.layoutRule == "raw");
    const Values values = readAll(dump->source(0));
    REQUIRE(values.size() == 72);
    CHECK(values[0] == 0.0F);
    CHECK(values[11 * 6 + 5] == 115.0F);  // Result_11 is the last one
    const TensorInfo& logits = dump->tensors()[1];
    CHECK(logits.shape == Shape{12, 2});
    CHECK(logits.inputs == std::vector<std::string>{"/b/Relu_out:0", "weight"});
    CHECK(readAll(dump->source(1))[23] == 12.0F);

    // One sample, and one file, find the same JSON above.
    CHECK(DumpFile::open(folder.file("output/Result_3"))->tensors()[0].shape == Shape{1, 2, 1, 3});
    const auto one = DumpFile::open(folder.file("output/Result_3/logits.raw"));
    REQUIRE(one->tensors().size() == 1);
    CHECK(one->tensors()[0].graphName == "logits");
    CHECK(readAll(one->source(0)) == Values{3.0F, 4.0F});
}

TEST_CASE("native files hold integers, others floats of 2 or 4 bytes, also several samples in one")
{
    const TemporaryFolder folder;
    save(folder, "net_net.json", network);
    save(folder, "_b_Relu_out_0_native.raw", std::string("\x00\x03\x80\xff\x7f\x01", 6));
    save(folder, "logits.raw", std::string("\x00\x3c\x00\xc0", 4));
    const auto dump = DumpFile::open(folder.path().string());
    REQUIRE(dump->tensors().size() == 2);
    CHECK(dump->tensors()[0].elementType == ElementKind::Uint8);
    CHECK(readAll(dump->source(0)) == Values{0, 3, 128, 255, 127, 1});
    CHECK(dump->tensors()[1].elementType == ElementKind::Float16);
    CHECK(readAll(dump->source(1)) == Values{1.0F, -2.0F});

    // Several samples in a file are of the same type, whatever their bytes could be besides.
    for (const std::size_t samples : {2U, 3U, 4U}) {
        save(folder, "_b_Relu_out_0_native.raw", std::string(6 * samples, '\x05'));
        const auto more = DumpFile::open(folder.path().string());
        CHECK(more->tensors()[0].path == "/_b_Relu_out_0_native");
        CHECK(more->tensors()[0].elementType == ElementKind::Uint8);
        CHECK(more->tensors()[0].shape == Shape{samples, 2, 1, 3});
        CHECK(readAll(more->source(0)) == Values(6 * samples, 5.0F));
    }
    // Both forms of one tensor are two.
    save(folder, "_b_Relu_out_0.raw", rowOf(1.0F, 6));
    CHECK(DumpFile::open(folder.path().string())->tensors().size() == 3);
    std::filesystem::remove(folder.file("_b_Relu_out_0.raw"));

    save(folder, "logits.raw", rowOf(0.0F, 6));
    const auto three = DumpFile::open(folder.path().string());
    CHECK(three->tensors()[1].shape == Shape{3, 2});
    CHECK(readAll(three->source(1)) == Values{0, 1, 2, 3, 4, 5});
}

TEST_CASE("an axis is the channel where the order of the axes was changed for it")
{
    const TemporaryFolder folder;
    save(folder, "net.json",
         R"({"graph": {"tensors": {"tokens": {"data_type": 562, "dims": [1, 16, 64],
             "permute_order_to_src": [0, 1, 2]}, "conv": {"data_type": 562, "dims": [1, 8, 4],
             "permute_order_to_src": [0, 2, 1]}, "one": {"data_type": 562, "dims": []}}}})");
    save(folder, "tokens.raw", rowOf(0.0F, 1024));
    save(folder, "conv.raw", rowOf(0.0F, 32));
    save(folder, "one.raw", rowOf(0.0F, 1));
    const auto dump = DumpFile::open(folder.path().string());
    REQUIRE(dump->tensors().size() == 3);
    CHECK(dump->tensors()[0].channelAxis == 2);  // conv
    CHECK(dump->tensors()[1].shape == Shape{1});
    CHECK(dump->tensors()[2].channelAxis != 1);  // 16 tokens
}

TEST_CASE("folders of samples that do not fit together are said to")
{
    const TemporaryFolder folder;
    for (const char* const name : {"Result_0/a.raw", "Result_0/b.raw", "Result_1/a.raw"})
        save(folder, name, rowOf(0.0F, 2));
    const auto has = [&folder](const std::string& words) {
        const auto dump = DumpFile::open(folder.path().string());
        return std::ranges::any_of(dump->warnings(), [&](const std::string& warning) {
            return warning.find(words) != std::string::npos;
        });
    };
    CHECK(has("hold different files"));
    save(folder, "Result_1/b.raw", rowOf(0.0F, 2));
    CHECK_FALSE(has("folders of samples"));
    save(folder, "Result_3/a.raw", rowOf(0.0F, 2));
    save(folder, "Result_3/b.raw", rowOf(0.0F, 2));
    CHECK(has("without a gap"));
}

TEST_CASE("of several JSONs that one is taken which names the files")
{
    const TemporaryFolder folder;
    save(folder, "a_net.json", R"({"graph": {"tensors": {"x": {"data_type": 562, "dims": [2]}}}})");
    save(folder, "b_net.json", network);
    save(folder, "logits.raw", rowOf(0.0F, 2));
    const auto dump = DumpFile::open(folder.path().string());
    CHECK(dump->tensors()[0].graphName == "logits");
    REQUIRE(dump->warnings().size() == 1);
    CHECK(dump->warnings()[0].find("a_net.json: is passed over") != std::string::npos);
    // A link out of the folder is not followed.
    std::filesystem::create_directory(folder.file("in"));
    save(folder, "in/deep/deeper/logits.raw", rowOf(0.0F, 2));
    std::filesystem::create_symlink(folder.file("b_net.json"),
                                    folder.file("in/deep/deeper/b_net.json"));
    CHECK(DumpFile::open(folder.file("in/deep/deeper"))->tensors()[0].graphName.empty());
}

TEST_CASE("without a JSON a file is a row of float32, and a warning says so")
{
    const TemporaryFolder folder;
    save(folder, "run/conv.raw", rowOf(1.0F, 3));
    save(folder, "run/odd.raw", "12345");
    save(folder, "run/empty.raw", "");
    const auto dump = DumpFile::open(folder.file("run"));
    REQUIRE(dump->warnings().size() == 1);
    CHECK(dump->warnings()[0].find("_net.json") != std::string::npos);
    REQUIRE(dump->tensors().size() == 3);
    CHECK(dump->tensors()[0].shape == Shape{1, 3});
    CHECK(dump->tensors()[0].channelAxis == std::nullopt);
    CHECK(readAll(dump->source(0)) == Values{1, 2, 3});
    CHECK_FALSE(dump->tensors()[1].isReadable());
    CHECK_FALSE(dump->tensors()[2].isReadable());
}

TEST_CASE("a shape that does not fit the bytes is a reason, not another shape")
{
    const TemporaryFolder folder;
    save(folder, "net_net.json", network);
    save(folder, "logits.raw", rowOf(0.0F, 3));
    const auto dump = DumpFile::open(folder.path().string());
    REQUIRE(dump->tensors().size() == 1);
    CHECK(dump->tensors()[0].unreadable.sentence.find("12 bytes") != std::string::npos);

    // Lengths that lie: beyond 64 bits, negative, no numbers.
    for (const char* const dims :
         {"[4294967296, 4294967296, 4294967296]", "[-1, 2]", "[\"2\"]", "[1.5]", "[0]"}) {
        save(folder, "net_net.json",
             std::string(R"({"graph": {"tensors": {"logits": {"data_type": 562, "dims": )") + dims +
                 "}}}}");
        const auto lying = DumpFile::open(folder.path().string());
        INFO(dims);
        const TensorInfo& info = lying->tensors()[0];
        CHECK((!info.isReadable() || info.shape == Shape{1, 3}));
    }
}

TEST_CASE("another JSON, text, or one that is nested deeply, states no shapes")
{
    const TemporaryFolder folder;
    save(folder, "conv.raw", rowOf(1.0F, 3));
    for (const std::string& text :
         {std::string("[1, 2]"), std::string("{\"graph\": [1]}"), std::string("no JSON"),
          std::string(100000, '['), "{\"graph\": {\"tensors\": " + std::string(1000, '['),
          std::string("{\"graph\": {\"tensors\": {\"conv\": 3}}}")}) {
        save(folder, "model.json", text);
        const auto dump = DumpFile::open(folder.path().string());
        REQUIRE(dump->tensors().size() == 1);
        CHECK(dump->tensors()[0].shape == Shape{1, 3});
        CHECK_FALSE(dump->warnings().empty());
    }
}

TEST_CASE("a link out of the folder is not followed")
{
    const TemporaryFolder folder;
    save(folder, "secret.raw", rowOf(1.0F, 3));
    save(folder, "in/conv.raw", rowOf(1.0F, 3));
    std::filesystem::create_symlink(folder.file("secret.raw"), folder.file("in/link.raw"));
    const auto dump = DumpFile::open(folder.file("in"));
    REQUIRE(dump->tensors().size() == 2);
    CHECK(dump->tensors()[0].isReadable());
    CHECK_FALSE(dump->tensors()[1].isReadable());
    CHECK(DumpFile::open(folder.file("in"), {.allowExternal = true})->tensors()[1].isReadable());
}

}  // namespace raw_test
