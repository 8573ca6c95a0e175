// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/exchange_format.h"
#include "tests/exchange/sample_entries.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

namespace exchange_formats_test {

using namespace calibscope;
using namespace calibscope::exchange;
using namespace calibscope::test;

const std::vector<std::string> oddNames{"input",
                                        "onnx::Conv_329",
                                        "(Unnamed Layer* 22) [Constant]_output",
                                        "/model/layer.0/Add:0",
                                        "a: b: c",
                                        "x y",
                                        "it's \"quoted\"",
                                        "\u00fc\u4e2d"};

/// float32 thresholds: usual ones, the least, the largest, and what has no short decimal.
const std::vector<float> thresholds{1.0F,   0.1F,    4.404109001159668F, 1e-45F,
                                    1e-38F, 3.3e38F, 9.435781478881836F, 16777216.0F};

float singleOf(double value)
{
    return static_cast<float>(value);
}

TEST_CASE("every scale that is written is read back as the same float32, under the same name")
{
    for (const ExchangeFormat& format : exchangeFormats()) {
        if (format.write == nullptr)
            continue;
        INFO(format.id);
        std::vector<ScaleEntry> entries;
        for (std::size_t place = 0; place < oddNames.size(); ++place) {
            std::string name = oddNames[place];
            if (format.id == "ncnn-table")
                std::ranges::replace(name, ' ', '_');
            entries.push_back(activationEntry(name, static_cast<double>(thresholds[place])));
        }
        const std::string bytes = writtenAs(format.id, entries);
        ScaleFile file = readScales(bytes, "a", format.id);
        REQUIRE(file.entries.size() == entries.size());
        CHECK(file.oddities.empty());
        for (const ScaleEntry& entry : entries) {
            INFO(entry.name);
            const auto found = std::ranges::find(file.entries, entry.name, &ScaleEntry::name);
            REQUIRE(found != file.entries.end());
            REQUIRE(found->values.size() == 1);
            CHECK(found->oddities.empty());
            const EntryValue& value = found->values.front();
            // A cache holds the scale, a table its inverse, encodings the scale: as float32.
            const double threshold = *entry.values.front().threshold;
            if (format.id == "tensorrt-cache" || format.id.starts_with("aimet") ||
                format.id == "ort-overrides" || format.id == "compressed-tensors")
                CHECK(singleOf(scaleOf(*found, value)) == singleOf(threshold / 127.0));
            else if (format.id == "ncnn-table")
                CHECK(singleOf(127.0 / widestEnd(value)) == singleOf(127.0 / threshold));
            else
                CHECK(singleOf(widestEnd(value)) == singleOf(threshold));
        }
        // What was read gives the same bytes, wherever in memory it lay.
        const std::string behind = "x" + bytes;
        CHECK(scaleFileBytes(
                  format, readScales(std::string_view(behind).substr(1), "a", format.id)) == bytes);
        CHECK(scaleFileBytes(format, file) == bytes);
    }
}

TEST_CASE("a file is known by its contents")
{
    for (const ExchangeFormat& format : exchangeFormats()) {
        if (format.write == nullptr)
            continue;
        INFO(format.id);
        const std::string bytes = writtenAs(
            format.id, {activationEntry("conv1", 1.5), activationEntry("model/conv2", 0.25)});
        CHECK(readScales(bytes, "a").format == format.id);
    }
    CHECK(readScales("2\na 2 3f800000 bf800000\nb 1 3f000000\n", "a").format == "ppq-weights");
    CHECK_THROWS_WITH(readScales("MZ\x90\0\x03", "a.exe"),
                      containsText("a.exe: is not a known file of scales"));
    CHECK_THROWS_WITH(readScales("", "a"), containsText("is not a known file of scales"));
}

TEST_CASE("the lines that other tools wrote are written to the byte")
{
    // amax of pytorch-quantization's entropy on three distributions, and what a calibration cache
    // and a table hold for them.
    const std::vector<ScaleEntry> entries{activationEntry("half_normal", 4.404109001159668),
                                          activationEntry("laplace", 9.435781478881836),
                                          activationEntry("gelu", 7.376278400421143)};
    CHECK(writtenAs("tensorrt-cache", entries) == "TRT-8501-EntropyCalibration2\n"
                                                  "half_normal: 3d0e0a8b\n"
                                                  "laplace: 3d982949\n"
                                                  "gelu: 3d6de646\n");
    CHECK(writtenAs("ncnn-table", entries) == "half_normal 28.836707 \n"
                                              "laplace 13.459405 \n"
                                              "gelu 17.217354 \n");
}

TEST_CASE("ONNX Runtime's overrides have a type, scales and zero points as the tool checks them")
{
    // As tensor_quant_overrides.py demands: a scale with its zero point, no symmetric with these,
    // type and axis in the first channel.
    ScaleEntry activation = activationEntry("x", 1.0);
    activation.format = NumberFormat::integers(0, 255);
    activation.values = {{.range = {-0.2, 0.31}, .scale = 0.002, .zeroPoint = 100.0}};
    ScaleEntry weight = weightEntry("w", {1.27, 0.127});
    weight.axis = 1;
    ScaleEntry ends = activationEntry("y", 1.0);
    ends.values = {{.range = {-1.0, 3.0}}};
    const std::string bytes = writtenAs("ort-overrides", {activation, weight, ends});
    CHECK(bytes ==
          "{\n"
          "    \"x\": [{\"quant_type\": \"QUInt8\", \"scale\": 0.002, \"zero_point\": 100}],\n"
          "    \"w\": [{\"quant_type\": \"QInt8\", \"axis\": 1, \"scale\": 0.01, "
          "\"zero_point\": 0}, {\"scale\": 0.001, \"zero_point\": 0}],\n"
          "    \"y\": [{\"quant_type\": \"QInt8\", \"rmin\": -1, \"rmax\": 3}]\n"
          "}\n");
    const ScaleFile file = readScales(bytes, "a");
    REQUIRE(file.entries.size() == 3);
    CHECK(file.entries[0].values[0].range.low == Approx(-0.2));
    CHECK(file.entries[0].values[0].range.high == Approx(0.31));
    CHECK(file.entries[1].axis == 1);
    CHECK(file.entries[1].isPerChannel);
    CHECK(file.entries[1].role == Role::Weight);
    CHECK(file.entries[2].values[0].range == Range{-1.0, 3.0});
    CHECK(file.entries[1].line == 3);

    const auto refused = [](ScaleEntry entry, const char* why) {
        CHECK_THROWS_WITH(writtenAs("ort-overrides", {std::move(entry)}), containsText(why));
    };
    weight.axis.reset();
    refused(weight, "w: has scales of channels along an axis that is not known");
    weight.role = Role::Activation;
    refused(weight, "w: has scales of channels and is no weight");
    activation.values.front().zeroPoint = 99.5;
    refused(activation, "x: has the zero point 99.5");
    activation.format = NumberFormat::integers(-16, 15);
    activation.values.front().zeroPoint = 0.0;
    refused(activation, "x: has 5 bits");
}

TEST_CASE("overrides that are not understood are kept and reported")
{
    const ScaleFile file =
        readScales(R"({"a": [{"quant_type": "QFLOAT8E4M3FN", "scale": 1, "zero_point": 0}],
        "b": [{"rmin": -1, "rmax": 1, "convert": {"quant_type": "QUInt16"}}], "c": [], "d": 3,
        "e": [{"quant_type": "QInt8"}], "f": [{"scale": 0.5}]})",
                   "a");
    REQUIRE(file.entries.size() == 6);
    CHECK_THAT(file.entries[0].oddities.at(0), containsText("QFLOAT8E4M3FN"));
    CHECK_THAT(file.entries[1].oddities.at(0), containsText("converted"));
    CHECK(file.entries[2].values.empty());
    CHECK_FALSE(file.entries[3].oddities.empty());
    CHECK(file.entries[4].values.empty());
    CHECK(file.entries[4].layout == "a type alone");
    CHECK_THAT(file.entries[4].oddities.at(0), containsText("no scale and no ends"));
    CHECK_THAT(file.entries[5].oddities.at(0), containsText("without a zero point"));
    CHECK(file.entries[5].values.at(0).zeroPoint == 0.0);
}

TEST_CASE("a calibration cache has scales as float32, split at the last colon")
{
    const ScaleFile file = readScales("TRT-7103-MinMaxCalibration\n"
                                      "input: 3b810a13\n"
                                      "onnx::Conv_329: 3c96d93c\n"
                                      "(Unnamed Layer* 22) [Constant]_output: 3a4b050c\n"
                                      "zero: 00000000\n"
                                      "nan: 7fc00000\n"
                                      "short: 3a4b\n",
                                      "a");
    CHECK(file.facts.at("version") == "7103");
    CHECK(file.facts.at("algorithm") == "MinMaxCalibration");
    REQUIRE(file.entries.size() == 6);
    // 0x3b810a13 = (1 + 0x010a13 / 2^23) 2^-8
    const double scale = (1.0 + 0x010a13 / 8388608.0) / 256.0;
    CHECK(*file.entries[0].values[0].threshold == 127.0 * scale);
    CHECK(file.entries[1].name == "onnx::Conv_329");
    CHECK(file.entries[2].name == "(Unnamed Layer* 22) [Constant]_output");
    CHECK(file.entries[2].line == 4);
    CHECK(*file.entries[3].values[0].threshold == 0.0);
    CHECK(std::isnan(*file.entries[4].values[0].threshold));
    CHECK(file.entries[5].values.empty());
    CHECK_THAT(file.entries[5].oddities.at(0), containsText("eight hexadecimal digits"));
}

TEST_CASE("dynamic ranges are thresholds; a blank behind the colon is left out")
{
    const ScaleFile file = readScales("gpu_0/data_0:5.43116\na::b: 1e-3\nodd: word\n", "a");
    REQUIRE(file.entries.size() == 3);
    CHECK(file.entries[0].name == "gpu_0/data_0");
    CHECK(*file.entries[0].values[0].threshold == 5.43116);
    CHECK(file.entries[1].name == "a::b");
    CHECK(*file.entries[1].values[0].threshold == 1e-3);
    CHECK(file.entries[2].values.empty());
}

TEST_CASE("a table of ncnn has inverse scales, weights first, one number for each channel")
{
    const std::string text = "conv1_param_0 127.500000 31.250000 inf \n"
                             "conv1 36.124500 \n";
    const ScaleFile file = readScales(text, "a");
    CHECK(file.format == "ncnn-table");
    REQUIRE(file.entries.size() == 2);
    const ScaleEntry& weight = file.entries[0];
    CHECK(weight.role == Role::Weight);
    CHECK(weight.isPerChannel);
    REQUIRE(weight.values.size() == 3);
    CHECK(*weight.values[0].threshold == 127.0 / 127.5);
    CHECK(scaleOf(weight, weight.values[1]) == Approx(1.0 / 31.25).epsilon(1e-15));
    CHECK(*weight.values[2].threshold == 0.0);  // a channel of zeros
    CHECK(file.entries[1].role == Role::Activation);
    CHECK(scaleFileBytes(exchangeFormat("ncnn-table"), file) == text);
    // Weights come first, with their mark; six bits have 31 levels.
    ScaleEntry six = weightEntry("fc", {3.1});
    six.format = NumberFormat::integers(-31, 31);
    CHECK(writtenAs("ncnn-table", {activationEntry("fc", 127.0), six}) ==
          "fc_param_0 10.000000 \nfc 1.000000 \n");
}

TEST_CASE("calibration.json is read in its old and its new form, whole and as the mapping alone")
{
    const ScaleFile old = readScales(R"({"b": [-1.5, 2.25], "a": [0, NaN]})", "a");
    CHECK(old.format == "ort-json-pairs");
    REQUIRE(old.entries.size() == 2);
    const auto b = std::ranges::find(old.entries, "b", &ScaleEntry::name);
    CHECK(b->values.at(0).range == Range{-1.5, 2.25});
    CHECK(!b->values[0].threshold);
    const auto a = std::ranges::find(old.entries, "a", &ScaleEntry::name);
    CHECK(std::isnan(a->values.at(0).range.high));

    const std::string tensor =
        R"({"CLS": "TensorData", "lowest": {"data": -2.5, "dtype": "float32", "CLS": "numpy.array"},)"
        R"( "highest": {"data": [3.5], "dtype": "float32", "CLS": "numpy.array"}})";
    const std::string channels =
        R"({"CLS": "TensorData", "lowest": {"data": [-1, -2], "CLS": "numpy.array"},)"
        R"( "highest": {"data": [1, Infinity], "CLS": "numpy.array"}})";
    const std::string mapping = "{\"t\": " + tensor + ",\n \"u\": " + channels + "}";
    const ScaleFile whole = readScales(
        R"({"CLS": "TensorsData", "data": )" + mapping +
            R"(, "calibration_method": {"CLS": "CalibrationMethod", "value": "CalibrationMethod.Percentile"}})",
        "a");
    CHECK(whole.facts.at("method") == "Percentile");
    for (const ScaleFile& file : {whole, readScales(mapping, "a")}) {
        REQUIRE(file.entries.size() == 2);
        CHECK(file.entries[0].values.at(0).range == Range{-2.5, 3.5});
        CHECK(file.entries[0].line == 1);
        CHECK(file.entries[1].isPerChannel);
        CHECK(file.entries[1].line == 2);
        CHECK(file.entries[1].values.at(1).range ==
              Range{-2.0, std::numeric_limits<double>::infinity()});
    }
}

TEST_CASE("calibration.cache is sorted by name, with the shortest decimal")
{
    CHECK(writtenAs("ort-cache", {activationEntry("z", 0.1), activationEntry("a b", 2.5)}) ==
          "a b 2.5\nz 0.1\n");
    const ScaleFile file = readScales("a b 2.5\nz 0.1\n", "a");
    CHECK(file.format == "ort-cache");
    CHECK(file.entries.at(0).name == "a b");
}

TEST_CASE("calibration.flatbuffers lists names backwards, as its tool puts them")
{
    const std::string bytes =
        writtenAs("ort-flatbuffers", {activationEntry("a", 1.0), activationEntry("b", 2.0)});
    const ScaleFile file = readScales(bytes, "a");
    REQUIRE(file.entries.size() == 2);
    CHECK(file.entries[0].name == "b");
    CHECK(*file.entries[1].values[0].threshold == 1.0);
}

TEST_CASE("AIMET's encodings give scale, offset and ends")
{
    const ScaleFile file = readScales(R"({
        "version": "0.6.1",
        "activation_encodings": {
            "t": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "max": 2.6087,
                   "min": -2.1092, "offset": -114, "scale": 0.0185014}],
            "half": [{"bitwidth": 16, "dtype": "float"}],
            "conv": {"input": {"0": {"bitwidth": 8, "is_symmetric": "False", "max": 1.0,
                                     "min": 0.0, "offset": 0, "scale": 0.0039}}}},
        "param_encodings": {
            "w": [{"bitwidth": 4, "is_symmetric": "True", "max": 0.7, "min": -0.8, "offset": -8,
                   "scale": 0.1},
                  {"bitwidth": 4, "is_symmetric": "True", "max": 1.4, "min": -1.6, "offset": -8,
                   "scale": 0.2}]}})",
                                      "a");
    CHECK(file.format == "aimet");
    const auto entry = [&](const std::string& name) {
        return *std::ranges::find(file.entries, name, &ScaleEntry::name);
    };
    CHECK(entry("t").values.at(0).range == Range{-2.1092, 2.6087});
    CHECK(*entry("t").values[0].scale == 0.0185014);
    CHECK(*entry("t").values[0].zeroPoint == -14.0);  // -128 + 114
    CHECK(entry("t").isSymmetric == false);
    CHECK(entry("half").isFloat);
    CHECK(entry("half").format.bits() == 16);
    CHECK(entry("conv/input/0").values.at(0).range == Range{0.0, 1.0});
    CHECK(entry("w").isPerChannel);
    CHECK(entry("w").format.bits() == 4);
    CHECK(entry("w").format.low() == -8);
    CHECK(*entry("w").values.at(1).zeroPoint == 0.0);
}

TEST_CASE("AIMET's encodings 1.0.0 are lists; blocks are kept and told")
{
    const ScaleFile file = readScales(R"({
        "version": "1.0.0",
        "activation_encodings": [{"name": "t", "dtype": "INT", "enc_type": "PER_TENSOR", "bw": 8,
                                  "is_sym": false, "scale": [0.5], "offset": [-114]}],
        "param_encodings": [
            {"name": "w", "dtype": "INT", "enc_type": "PER_CHANNEL", "bw": 8, "is_sym": true,
             "scale": [0.25], "offset": [-127]},
            {"name": "v", "dtype": "INT", "enc_type": "PER_BLOCK", "block_size": 2, "bw": 4,
             "is_sym": true, "scale": [1, 2], "offset": [-8, -8]}]})",
                                      "a");
    CHECK(file.format == "aimet-1.0.0");
    REQUIRE(file.entries.size() == 3);
    CHECK(file.entries[0].values.at(0).range == Range{-57.0, 70.5});  // (-114 + 255) / 2
    CHECK(file.entries[1].isPerChannel);
    CHECK(file.entries[1].format.low() == -127);
    CHECK(file.entries[1].values.at(0).range == Range{-31.75, 31.75});
    CHECK(file.entries[2].layout == "PER_BLOCK");
    CHECK_THROWS_WITH(scaleFileBytes(exchangeFormat("aimet-1.0.0"), file),
                      containsText("v: has values by PER_BLOCK"));
}

TEST_CASE("AIMET's file is laid out as its tool writes it")
{
    ScaleEntry entry = activationEntry("t", 1.27);
    entry.isSymmetric = false;
    entry.values = {{.range = {-1.0, 1.55}, .scale = 0.5, .zeroPoint = -14.0}};
    CHECK(writtenAs("aimet", {entry}) == R"({
    "activation_encodings": {
        "t": [
            {
                "bitwidth": 8,
                "dtype": "int",
                "is_symmetric": "False",
                "max": 70.5,
                "min": -57.0,
                "offset": -114,
                "scale": 0.5
            }
        ]
    },
    "param_encodings": {},
    "quantizer_args": {},
    "version": "0.6.1"
})");
}

TEST_CASE("a profile of Glow has three documents, all digits, and a list that is wrapped")
{
    ScaleEntry entry = activationEntry("conv1__1:0", 1.0);
    entry.values = {{.range = {-1.5, 0.10000000149011612}}};
    for (int count = 0; count < 24; ++count)
        entry.counts.push_back(count * 1000);
    const std::string text = writtenAs("glow-profile", {entry});
    CHECK(text.starts_with("---\n"
                           "GlowToolsVersion: ''\n"
                           "...\n"
                           "---\n"
                           "GraphPreLowerHash: 0x0\n"
                           "...\n"
                           "---\n"
                           "- NodeOutputName:  'conv1__1:0'\n"
                           "  Min:             -1.5\n"
                           "  Max:             0.100000001490116119384765625\n"
                           "  Histogram:       [ 0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, "
                           "8000, \n"
                           "                     9000, 10000, "));
    const ScaleFile file = readScales(text, "a");
    REQUIRE(file.entries.size() == 1);
    CHECK(file.entries[0].name == "conv1__1:0");
    CHECK(file.entries[0].values.at(0).range == entry.values[0].range);
    CHECK(file.entries[0].counts == entry.counts);
}

TEST_CASE("a profile of Glow is read leniently: without head, with scale and offset, -0 and inf")
{
    const ScaleFile file = readScales("- NodeOutputName: \"a\\tb\"\n"
                                      "  Scale: 0.5\n"
                                      "  Offset: -3\n"
                                      "- NodeOutputName: plain\n"
                                      "  Min: -0\n"
                                      "  Max: inf\n"
                                      "  Histogram: [ 1, 0,\n"
                                      "    37, 512 ]\n"
                                      "- NodeOutputName: 'it''s'\n"
                                      "  Min: .nan\n",
                                      "a");
    REQUIRE(file.entries.size() == 3);
    CHECK(file.entries[0].name == "a\tb");
    CHECK(file.entries[0].values.at(0).range == Range{-62.5, 65.0});  // (-128 + 3) / 2
    CHECK(std::isinf(file.entries[1].values.at(0).range.high));
    CHECK(file.entries[1].counts == std::vector<double>{1, 0, 37, 512});
    CHECK(file.entries[2].name == "it's");
    CHECK(file.entries[2].values.empty());
}

TEST_CASE("lines of a profile of Glow that are not understood are counted")
{
    const std::string entry = "- NodeOutputName: a\n  Min: -1\n  Max: 2\n";
    const auto odditiesWith = [&](int lines) {
        std::string text = entry;
        for (int line = 0; line < lines; ++line)
            text += "what\n";
        return readScales(text + entry, "a").oddities;
    };
    CHECK(odditiesWith(1) == std::vector<std::string>{"line 4 is not understood"});
    CHECK(odditiesWith(5000) ==
          std::vector<std::string>{"line 4 and 4999 lines behind it are not understood"});
}

TEST_CASE("ppq: ranges as JSON, and weights of which the ends are taken")
{
    const ScaleFile json =
        readScales("{\"act_quant_info\": {\n\"z\": 1.5,\n\"onnx::a\": Infinity}}", "a");
    CHECK(json.format == "ppq-json");
    REQUIRE(json.entries.size() == 2);
    CHECK(json.entries[0].name == "z");
    CHECK(json.entries[0].line == 2);
    CHECK(std::isinf(*json.entries[1].values.at(0).threshold));
    const ScaleFile weights = readScales("3\nw 2 3f800000 c0000000\nv 9 3f000000\n", "a");
    REQUIRE(weights.entries.size() == 2);
    CHECK(weights.entries[0].values.at(0).range == Range{-2.0, 1.0});
    CHECK(weights.entries[1].oddities.size() == 2);
    CHECK_THAT(weights.oddities.at(0), containsText("has 2 weights, but says 3"));
}

TEST_CASE("what a format can't carry is refused with the tensor's name")
{
    ScaleEntry affine = activationEntry("relu1", 1.0);
    affine.values = {{.range = {-0.5, 2.0}, .scale = 2.5 / 255.0, .zeroPoint = -77.0}};
    for (const std::string format : {"tensorrt-cache", "tensorrt-ranges", "ppq-json", "ncnn-table",
                                     "ort-cache", "ort-flatbuffers"}) {
        INFO(format);
        CHECK_THROWS_WITH(writtenAs(format, {affine}),
                          containsText("relu1: has the zero point -77"));
        if (format != "ncnn-table")
            CHECK_THROWS_WITH(writtenAs(format, {weightEntry("conv1.weight", {1.0, 2.0})}),
                              containsText("conv1.weight: has a scale for each channel"));
    }
    ScaleEntry other = affine;
    other.name = "relu2";
    CHECK_THROWS_WITH(
        writtenAs("tensorrt-cache", {affine, other, activationEntry("relu3", 1.0)}),
        containsText("relu1: has the zero point -77") &&
            containsText("2 of 3 tensors are such: choose other calibrators for them"));
    CHECK_THROWS_WITH(writtenAs("ncnn-table", {affine}),
                      containsText("the name is the layer's, the scale that of its input"));
    // Its zero point is 0: the scale tells all.
    affine.values = {{.range = {-1.28, 1.27}, .scale = 0.01, .zeroPoint = 0.0}};
    CHECK_THAT(writtenAs("tensorrt-cache", {affine}), containsText("relu1: 3c23d70a\n"));
    affine.values[0].zeroPoint = 0.5;
    CHECK_THROWS_WITH(writtenAs("aimet", {affine}), containsText("0.5, which is not whole"));
    CHECK_THROWS_WITH(writtenAs("tensorrt-cache", {activationEntry("a\nb", 1.0)}),
                      containsText("has a character that ends a name"));
    CHECK_THROWS_WITH(writtenAs("ncnn-table", {activationEntry("a b", 1.0)}),
                      containsText("has a character that ends a name"));
    ScaleEntry four = activationEntry("x", 1.0);
    four.format = NumberFormat::integers(-8, 7);
    CHECK_THROWS_WITH(writtenAs("tensorrt-cache", {four}), containsText("x: has 4 bits"));
    CHECK_THROWS_WITH(writtenAs("ppq-weights", {four}), containsText("is read only"));
    CHECK_THROWS_WITH(writtenAs("glow-profile", {weightEntry("w", {1.0, 2.0})}),
                      containsText("w: has a scale for each channel"));
    CHECK_THROWS_WITH(writtenAs("ort-json-pairs", {weightEntry("w", {1.0, 2.0})}),
                      containsText("w: has a scale for each channel"));
}

TEST_CASE("scales per channel survive where the format has them")
{
    const std::vector<double> channels{0.5, 1e-45, 3.25, static_cast<double>(0.1F)};
    for (const std::string format : {"ncnn-table", "aimet", "aimet-1.0.0", "ort-json"}) {
        INFO(format);
        ScaleEntry weight = weightEntry("conv1", channels);
        if (format == "ort-json")
            weight.role = Role::Activation;
        const ScaleFile file = readScales(writtenAs(format, {weight}), "a", format);
        REQUIRE(file.entries.size() == 1);
        CHECK(file.entries[0].isPerChannel);
        REQUIRE(file.entries[0].values.size() == channels.size());
        for (std::size_t channel = 0; channel < channels.size(); ++channel) {
            const double scale = scaleOf(file.entries[0], file.entries[0].values[channel]);
            if (format == "ort-json")
                CHECK(singleOf(widestEnd(file.entries[0].values[channel])) ==
                      singleOf(channels[channel]));
            else if (format != "ncnn-table" || channel != 1)
                CHECK(singleOf(scale) == singleOf(channels[channel] / 127.0));
        }
    }
}

TEST_CASE("names that occur twice are kept and told")
{
    const ScaleFile file =
        readScales("TRT-8205-EntropyCalibration2\na: 3f800000\na: 3f000000\n", "a");
    REQUIRE(file.entries.size() == 2);
    CHECK(file.entries[0].oddities.empty());
    CHECK_THAT(file.entries[1].oddities.at(0), containsText("more than once"));
}

}  // namespace exchange_formats_test
