// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/improvement_file.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/base/json_object.h"
#include "core/base/whole_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace calibscope::deploy {

namespace {

using nlohmann::json;

constexpr const char* improvementFormat = "calibscope improvements";
constexpr int improvementVersion = 4;  // 1: without channels; 2: without rounding; 3: without Muls

void addBytes(Sha256& digest, const auto& values)
{
    digest.add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
}

/// Digest of the scales of the layers' operands, by path or name.
std::string decisionsDigest(std::span<const SavedLayer> layers,
                            std::span<const DecidedTensor> decided)
{
    Sha256 digest;
    for (const SavedLayer& layer : layers)
        for (const std::string& operand : layer.operands) {
            digest.add(operand);
            digest.add(std::string_view("\0", 1));
            const auto found = std::ranges::find_if(decided, [&](const DecidedTensor& tensor) {
                return tensor.info.path == operand || tensor.info.name == operand;
            });
            if (found == decided.end())
                continue;
            const TensorQuantization scale = quantizationOf(*found);
            addBytes(digest, scale.scales);
            addBytes(digest, scale.zeroPoints);
            const std::vector<int> format{scale.axis.value_or(-1), scale.format.low(),
                                          scale.format.high()};
            addBytes(digest, format);
        }
    return hexText(digest.finish());
}

/// Integers below 8 bits, a byte for each.
std::string hexOf(std::span<const std::int16_t> integers)
{
    std::string bytes;
    for (const std::int16_t integer : integers)
        bytes.push_back(static_cast<char>(integer));
    return hexText(bytes);
}

json roundingJson(const WeightRounding& rounding)
{
    const TensorQuantization& given = rounding.quantization;
    json object{{"scales", given.scales},
                {"zero_points", given.zeroPoints},
                {"levels", {given.format.low(), given.format.high()}},
                {"group", given.group},
                {"integers", hexOf(rounding.integers)}};
    if (given.axis)
        object["axis"] = *given.axis;
    return object;
}

WeightRounding roundingFrom(const JsonObject& object)
{
    WeightRounding rounding;
    TensorQuantization& given = rounding.quantization;
    for (const double scale : object.numbers("scales"))
        given.scales.push_back(static_cast<float>(scale));
    given.zeroPoints = object.numbers("zero_points");
    given.group = object.count("group");
    if (object.has("axis"))
        given.axis = static_cast<int>(object.integer("axis"));
    const std::vector<double> ends = object.numbers("levels");
    const auto isByte = [](double number) { return std::abs(number) <= 128.0; };
    if (ends.size() != 2 || !std::ranges::all_of(ends, isByte) || !(ends[0] < ends[1]))
        object.fail("has levels that are not two integers in order");
    given.format = NumberFormat::integers(static_cast<int>(ends[0]), static_cast<int>(ends[1]));
    if (given.scales.empty() || given.zeroPoints.size() != given.scales.size() ||
        given.group == 0 || !std::ranges::all_of(given.scales, isUsableScale) ||
        !std::ranges::all_of(given.zeroPoints, isByte))
        object.fail("has no scales above 0, or not as many zero points");
    const std::optional<std::string> bytes = bytesFromHex(object.requiredText("integers"));
    if (!bytes)
        object.fail("has integers that are not hexadecimal digits");
    for (const char byte : *bytes)
        rounding.integers.push_back(static_cast<signed char>(byte));
    return rounding;
}

json layerJson(const SavedLayer& layer)
{
    json object{{"layer", layer.layer},
                {"path", layer.path},
                {"operands", layer.operands},
                {"remedies", layer.remedies()},
                {"precision", layer.isFloat ? "float" : "int8"}};
    if (!layer.biasShift.empty())
        object["bias_shift"] = layer.biasShift;
    if (!layer.division.factors.empty())
        object["channels"] = {{"alpha", layer.division.alpha},
                              {"factors", layer.division.factors},
                              {"fold", layer.division.fold}};
    if (layer.division.ofMul > 0)
        object["channels"]["multiplications_of_mul"] = layer.division.ofMul;
    if (!layer.rounding.integers.empty())
        object["rounding"] = roundingJson(layer.rounding);
    return object;
}

SavedLayer layerFrom(const JsonObject& object)
{
    SavedLayer layer{.layer = object.requiredText("layer"),
                     .path = object.text("path"),
                     .operands = object.texts("operands"),
                     .isFloat = object.text("precision") == "float",
                     .biasShift = object.numbers("bias_shift")};
    object.object("channels", [&](const JsonObject& channels) {
        layer.division = {.alpha = channels.number("alpha"),
                          .factors = {},
                          .fold = channels.texts("fold"),
                          .ofMul = channels.count("multiplications_of_mul", 0)};
        for (const double factor : channels.numbers("factors"))
            layer.division.factors.push_back(static_cast<float>(factor));
        if (!std::ranges::all_of(layer.division.factors,
                                 [](float factor) { return std::isnormal(factor) && factor > 0; }))
            channels.fail("has a factor that is not above 0");
    });
    object.object("rounding",
                  [&](const JsonObject& rounding) { layer.rounding = roundingFrom(rounding); });
    if (!layer.isFloat && object.text("precision") != "int8")
        object.fail("has a precision that is neither int8 nor float");
    constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
    if (!std::ranges::all_of(layer.biasShift, [](double shift) { return std::abs(shift) <= most; }))
        object.fail("has a shift of its bias beyond float32");
    if (layer.isFloat && layer.remedies().size() > 1)
        object.fail("is float and has other remedies, too");
    return layer;
}

/// A layer's output in the graph; one that is not in the dump is saved by the graph's name.
const model::GraphTensor* placedOutput(const SavedLayer& layer, std::span<const TensorInfo> tensors,
                                       std::span<const GraphName> names,
                                       std::span<const model::GraphTensor> graph)
{
    if (layer.path.empty()) {
        const auto found = std::ranges::find_if(graph, [&](const model::GraphTensor& tensor) {
            return tensor.scope.empty() && tensor.name == layer.layer;
        });
        return found == graph.end() ? nullptr : &*found;
    }
    const auto output = std::ranges::find(tensors, layer.path, &TensorInfo::path);
    const auto index = static_cast<std::size_t>(output - tensors.begin());
    return output == tensors.end() || !names[index].tensor ? nullptr : &graph[*names[index].tensor];
}

}  // namespace

std::vector<std::string> SavedLayer::remedies() const
{
    std::vector<std::string> words;
    if (isFloat)
        words.emplace_back("precision");
    if (!division.factors.empty())
        words.emplace_back("channels");
    if (!rounding.integers.empty())
        words.emplace_back("rounding");
    if (!biasShift.empty())
        words.emplace_back("bias");
    return words;
}

layers::SplitRule SavedImprovements::split() const
{
    const auto found = std::ranges::find(layers::splitWords(), heldOut);
    if (found == layers::splitWords().end())
        throw Error(Fault::Input, "improvements: held_out is \"{}\"", heldOut);
    return static_cast<layers::SplitRule>(found - layers::splitWords().begin());
}

SavedLayer savedLayer(const LayerImprovement& layer)
{
    SavedLayer saved{.layer = layer.decided.layer,
                     .path = layer.decided.path,
                     .operands = {},
                     .isFloat = layer.isFloat,
                     .biasShift = layer.biasShift,
                     .division = layer.division,
                     .rounding = layer.rounding};
    for (const LayerOperand* operand : {&layer.decided.input, &layer.decided.weight})
        saved.operands.push_back(operand->decidedBy.empty() ? operand->path : operand->decidedBy);
    return saved;
}

SavedDump savedDump(const ImprovementReport& report, std::string sha256,
                    std::span<const DecidedTensor> decided)
{
    SavedDump saved{
        .path = report.dump, .sha256 = std::move(sha256), .decisionsSha256 = {}, .layers = {}};
    for (const LayerImprovement& layer : report.layers)
        if (layer.isImproved())
            saved.layers.push_back(savedLayer(layer));
    saved.decisionsSha256 = decisionsDigest(saved.layers, decided);
    return saved;
}

std::string improvementsJson(const SavedImprovements& improvements)
{
    json dumps = json::array();
    int version = 1;
    for (const SavedDump& dump : improvements.dumps) {
        json layers = json::array();
        for (const SavedLayer& layer : dump.layers) {
            layers.push_back(layerJson(layer));
            version = std::max(version, layer.division.ofMul > 0           ? 4
                                        : !layer.rounding.integers.empty() ? 3
                                        : !layer.division.factors.empty()  ? 2
                                                                           : 1);
        }
        dumps.push_back({{"path", dump.path},
                         {"sha256", dump.sha256},
                         {"decisions_sha256", dump.decisionsSha256},
                         {"layers", std::move(layers)}});
    }
    const json file{{"format", improvementFormat},
                    {"version", version},
                    {"written_by", CALIBSCOPE_VERSION},
                    {"held_out", improvements.heldOut},
                    {"positions", improvements.positions},
                    {"seed", improvements.seed},
                    {"dumps", std::move(dumps)}};
    return file.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

SavedImprovements readImprovements(const std::string& path)
{
    constexpr std::uint64_t mostBytes = std::uint64_t{256} << 20U;  // a shift for each channel
    const json parsed = parseJson(readWholeFile(path, mostBytes), path);
    const JsonObject file(parsed, path);
    if (file.text("format") != improvementFormat)
        file.fail("is not a file of calib improve");
    if (const std::int64_t version = file.integer("version");
        version < 1 || version > improvementVersion)
        file.fail("is of version " + std::to_string(version) + ", and this Calibscope " +
                  CALIBSCOPE_VERSION + " reads up to version " +
                  std::to_string(improvementVersion));
    SavedImprovements improvements{.heldOut = file.text("held_out"),
                                   .positions = file.count("positions"),
                                   .seed = file.count("seed"),
                                   .dumps = {}};
    file.list("dumps", [&](const JsonObject& object) {
        SavedDump dump{.path = object.text("path"),
                       .sha256 = object.requiredText("sha256"),
                       .decisionsSha256 = object.requiredText("decisions_sha256"),
                       .layers = {}};
        object.list("layers",
                    [&](const JsonObject& layer) { dump.layers.push_back(layerFrom(layer)); });
        improvements.dumps.push_back(std::move(dump));
    });
    return improvements;
}

std::vector<SavedLayer> improvementsFor(const SavedImprovements& improvements,
                                        const std::string& sha256,
                                        std::span<const DecidedTensor> decided,
                                        const std::string& origin)
{
    const auto dump = std::ranges::find(improvements.dumps, sha256, &SavedDump::sha256);
    if (dump == improvements.dumps.end())
        throw Error(Fault::Input, "{}: made for another dump; run `calib improve` again", origin);
    if (decisionsDigest(dump->layers, decided) != dump->decisionsSha256)
        throw Error(Fault::Input, "{}: made for other decisions; run `calib improve` again",
                    origin);
    return dump->layers;
}

PlacedChanges placedChanges(std::span<const SavedLayer> layers, std::span<const TensorInfo> tensors,
                            std::span<const GraphName> names,
                            std::span<const model::GraphTensor> graph)
{
    PlacedChanges result;
    for (const SavedLayer& layer : layers) {
        const model::GraphTensor* found = placedOutput(layer, tensors, names, graph);
        if (found == nullptr) {
            result.lints.push_back(findingOn(layer.layer, FindingLevel::Warning, "not-in-graph",
                                             "is not improved: it was not found in the graph"));
            continue;
        }
        result.changes.push_back({.output = found->name,
                                  .scope = found->scope,
                                  .isFloat = layer.isFloat,
                                  .biasShift = layer.biasShift,
                                  .inputFactors = layer.division.factors,
                                  .takesMul = layer.division.ofMul > 0,
                                  .rounding = layer.rounding});
    }
    return result;
}

}  // namespace calibscope::deploy
