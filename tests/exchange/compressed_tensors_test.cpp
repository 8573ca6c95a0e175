// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exchange_format.h"
#include "tests/exchange/sample_entries.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <string>

namespace compressed_tensors_test {

using namespace calibscope;
using namespace calibscope::exchange;
using namespace calibscope::test;

/// A file of safetensors with that header, and behind it these bytes.
std::string checkpointOf(const std::string& header, const std::string& values)
{
    std::string bytes;
    for (unsigned shift = 0; shift < 64; shift += 8)
        bytes += static_cast<char>(header.size() >> shift);
    return bytes + header + values;
}

std::string fourBytes(float value)
{
    const auto pattern = std::bit_cast<std::uint32_t>(value);
    std::string bytes;
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(pattern >> shift);
    return bytes;
}

TEST_CASE("a checkpoint of compressed-tensors is written as safetensors has it")
{
    ScaleEntry input = activationEntry("fc", 1.0);
    input.format = NumberFormat::integers(0, 255);
    input.values = {{.range = {-0.2, 0.31}, .scale = 0.25, .zeroPoint = 100.0}};
    ScaleEntry weight = weightEntry("fc_param_0", {127.0, 254.0});
    const std::string values =
        fourBytes(0.25F) + fourBytes(1.0F) + fourBytes(2.0F) + std::string(1, char(100 - 128));
    const std::string bytes = writtenAs("compressed-tensors", {input, weight});
    std::string header =
        R"({"__metadata__":{"format":"pt","quantization_config":"{\"quant_method\":)"
        R"(\"compressed-tensors\",\"format\":\"int-quantized\",\"quantization_status\":)"
        R"(\"frozen\",\"config_groups\":{\"group_0\":{\"targets\":[\"fc\"],\"weights\":)"
        R"({\"num_bits\":8,\"type\":\"int\",\"symmetric\":true,\"strategy\":\"channel\",)"
        R"(\"dynamic\":false},\"input_activations\":{\"num_bits\":8,\"type\":\"int\",)"
        R"(\"symmetric\":false,\"strategy\":\"tensor\",\"dynamic\":false}}},\"ignore\":[]}"},)"
        R"("fc.input_scale":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
        R"("fc.weight_scale":{"dtype":"F32","shape":[2,1],"data_offsets":[4,12]},)"
        R"("fc.input_zero_point":{"dtype":"I8","shape":[1],"data_offsets":[12,13]}})";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    CHECK(bytes == checkpointOf(header, values));
    const ScaleFile file = readScales(bytes, "a");
    CHECK(file.format == "compressed-tensors");
    REQUIRE(file.entries.size() == 2);
    CHECK(file.entries[0].name == "fc");
    CHECK(file.entries[0].values.at(0).zeroPoint == -28.0);
    CHECK(file.entries[0].values.at(0).range == Range{0.25 * (-128 + 28), 0.25 * (127 + 28)});
    CHECK(file.entries[1].name == "fc.weight");
    CHECK(file.entries[1].values.at(1).scale == 2.0);

    const auto refused = [](ScaleEntry entry, const char* why) {
        CHECK_THROWS_WITH(writtenAs("compressed-tensors", {std::move(entry)}), containsText(why));
    };
    input.values.front().zeroPoint = 99.5;
    refused(input, "fc: has the zero point -28.5");
    weight.role = Role::Activation;
    refused(weight, "fc_param_0: has scales of channels and is no weight");
}

TEST_CASE("a checkpoint of compressed-tensors is read with its types, bits and groups")
{
    // 1.5 as float16 and as bfloat16; 2 x 12 values of 4 bits, eight to a word, in two words a row.
    const std::string values =
        std::string("\x00\x3e\xc0\x3f", 4) + fourBytes(0.5F) + fourBytes(1.0F) +
        std::string("\x02\0\0\0\0\0\0\0\x0c\0\0\0\0\0\0\0", 16) + std::string(16, '\0');
    const std::string header =
        R"({"half.weight_scale":{"dtype":"F16","shape":[1],"data_offsets":[0,2]},)"
        R"("brain.input_scale":{"dtype":"BF16","shape":[],"data_offsets":[2,4]},)"
        R"("packed.weight_scale":{"dtype":"F32","shape":[2,1],"data_offsets":[4,12]},)"
        R"("packed.weight_shape":{"dtype":"I64","shape":[2],"data_offsets":[12,28]},)"
        R"("packed.weight_packed":{"dtype":"I32","shape":[2,2],"data_offsets":[28,44]},)"
        R"("grouped.weight_scale":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]},)"
        R"("float.weight":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[28,32]},)"
        R"("float.weight_scale":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
        R"("float.input_scale":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
        R"("mx.weight_packed":{"dtype":"U8","shape":[4],"data_offsets":[28,32]},)"
        R"("mx.weight_scale":{"dtype":"U8","shape":[1],"data_offsets":[28,29]},)"
        R"("bytes.weight_scale":{"dtype":"U8","shape":[1],"data_offsets":[28,29]},)"
        R"("odd.weight_scale":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
        R"("odd.weight_zero_point":{"dtype":"I32","shape":[1,2],"data_offsets":[28,36]},)"
        R"("cut.weight_scale":{"dtype":"F32","shape":[3],"data_offsets":[40,52]},)"
        R"("x.k_scale":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})";
    const ScaleFile file = readScales(checkpointOf(header, values), "a", "compressed-tensors");
    const auto entry = [&](const char* name) {
        const auto found = std::ranges::find(file.entries, name, &ScaleEntry::name);
        REQUIRE(found != file.entries.end());
        return *found;
    };
    CHECK(file.entries.size() == 10);
    CHECK_THAT(file.oddities.at(0), containsText("1 scales of outputs, keys"));
    CHECK(entry("half.weight").values.at(0).scale == 1.5);
    CHECK_FALSE(entry("half.weight").isPerChannel);
    CHECK(entry("brain").values.at(0).scale == 1.5);
    CHECK(entry("packed.weight").format == NumberFormat::integers(-8, 7));
    CHECK(entry("packed.weight").isPerChannel);
    CHECK(entry("packed.weight").axis == 0);
    CHECK(entry("packed.weight").values.at(1).range == Range{-8.0, 7.0});
    CHECK(entry("grouped.weight").values.empty());
    CHECK_THAT(entry("grouped.weight").oddities.at(0), containsText("groups or blocks"));
    CHECK_THAT(entry("float.weight").oddities.at(0), containsText("floats of 8 or 4 bits"));
    CHECK_THAT(entry("float").oddities.at(0), containsText("floats of 8 or 4 bits"));
    CHECK(entry("float").values.empty());
    CHECK_THAT(entry("mx.weight").oddities.at(0), containsText("floats of 8 or 4 bits"));
    CHECK_THAT(entry("bytes.weight").oddities.at(0), containsText("can't be read"));
    CHECK_THAT(entry("odd.weight").oddities.at(0), containsText("zero points are packed"));
    CHECK(entry("odd.weight").values.empty());
    CHECK_THAT(entry("cut.weight").oddities.at(0), containsText("can't be read"));
    CHECK_THROWS_WITH(
        readScales(checkpointOf(R"({"w":{"dtype":"F32"}})", ""), "a", "compressed-tensors"),
        containsText("a: has no weight_scale"));
}

TEST_CASE("a configuration in the header states bits and kinds, and one of no use states nothing")
{
    const auto read = [](std::string config) {
        for (std::size_t at = 0; (at = config.find('"', at)) != std::string::npos; at += 2)
            config.insert(at, "\\");
        const std::string header =
            R"({"__metadata__":{"quantization_config":")" + config +
            R"("},"fc.input_scale":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
        return readScales(checkpointOf(header, fourBytes(0.5F)), "a", "compressed-tensors")
            .entries.at(0);
    };
    const auto group = [](const std::string& arguments) {
        return R"({"config_groups":{"g":{"targets":["other","fc"],"input_activations":)" +
               arguments + "}}}";
    };
    CHECK(read(group(R"({"num_bits":4,"type":"int"})")).format == NumberFormat::integers(-8, 7));
    CHECK(read(group(R"({"num_bits":8,"type":"float"})")).values.empty());
    for (const std::string& config :
         {std::string("{"), std::string("[]"), std::string(R"({"config_groups":[1]})"),
          std::string(R"({"config_groups":{"g":3}})"), group("7"), group(R"({"num_bits":"4"})"),
          group(R"({"num_bits":99})")}) {
        CAPTURE(config);
        CHECK(read(config).format == NumberFormat::integers(-128, 127));
    }
}

TEST_CASE("a checkpoint's scales are read, however large its weights are")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("large.safetensors");
    constexpr std::uint64_t most = mostScaleFileBytes + 8;
    const std::string end = std::to_string(most);
    const std::string header =
        R"({"a.weight":{"dtype":"I8","shape":[)" + end + R"(],"data_offsets":[0,)" + end +
        R"(]},"a.weight_scale":{"dtype":"F32","shape":[1],"data_offsets":[)" + end + ',' +
        std::to_string(most + 4) + "]}}";
    {
        std::ofstream file(path, std::ios::binary);
        file << checkpointOf(header, "");
        file.seekp(static_cast<std::streamoff>(8 + header.size() + most));
        file << fourBytes(0.5F);
    }
    const ScaleFile file = readScaleFile(path);
    REQUIRE(file.entries.size() == 1);
    CHECK(file.entries[0].values.at(0).scale == 0.5);
    CHECK_THROWS_WITH(readScaleFile(folder.file("none.safetensors")),
                      containsText("none.safetensors: can't be read"));
}

}  // namespace compressed_tensors_test
