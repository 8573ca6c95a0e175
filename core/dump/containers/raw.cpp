// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/base/json_object.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/base/whole_file.h"
#include "core/dump/container.h"
#include "core/dump/file_check.h"
#include "core/dump/stated_type.h"
#include "core/dump/stored_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace calibscope::containers {

namespace {

using nlohmann::json;

constexpr const char* rawRule = "raw";
constexpr std::string_view rawEnding = ".raw";
/// Before the ending: elements of the tensor's own type; without it they are floats.
constexpr std::string_view nativeEnding = "_native";
constexpr std::uint64_t mostJsonBytes = std::uint64_t{64} << 20U;
/// Values of an axis beyond these are taken for damage.
constexpr std::uint64_t longestAxis = std::uint64_t{1} << 40U;

/// A tensor of the model, as the converter's JSON states it.
struct ModelTensor
{
    std::string name;
    std::vector<std::uint64_t> shape;
    std::int64_t dataType = 0;
    /// Axis of the stored values for each axis of the source's; empty: the same.
    std::vector<std::uint64_t> order = {};
    std::optional<double> scale = {};  ///< of integers: scale * (integer + offset)
    std::int64_t offset = 0;
    std::string op = {};  ///< of the node that makes it
    std::vector<std::string> inputs = {};
    std::optional<std::int64_t> position = {};  ///< of that node, in the file's order
};

using ModelTensors = std::map<std::string, ModelTensor, std::less<>>;  // by name of the file

struct RawType
{
    std::int64_t dataType;  ///< Qnn_DataType_t
    ElementKind kind;
};

/// Types of the runtime; fixed-point numbers are integers.
constexpr std::array rawTypes{
    RawType{0x0008, ElementKind::Int8},    RawType{0x0016, ElementKind::Int16},
    RawType{0x0032, ElementKind::Int32},   RawType{0x0064, ElementKind::Int64},
    RawType{0x0108, ElementKind::Uint8},   RawType{0x0116, ElementKind::Uint16},
    RawType{0x0132, ElementKind::Uint32},  RawType{0x0164, ElementKind::Uint64},
    RawType{0x0216, ElementKind::Float16}, RawType{0x0232, ElementKind::Float32},
    RawType{0x0308, ElementKind::Int8},    RawType{0x0316, ElementKind::Int16},
    RawType{0x0332, ElementKind::Int32},   RawType{0x0408, ElementKind::Uint8},
    RawType{0x0416, ElementKind::Uint16},  RawType{0x0432, ElementKind::Uint32},
    RawType{0x0508, ElementKind::Uint8}};

std::optional<ElementKind> kindOf(std::int64_t dataType)
{
    const auto* const found = std::ranges::find(rawTypes, dataType, &RawType::dataType);
    return found == rawTypes.end() ? std::nullopt : std::optional(found->kind);
}

/// The name of a tensor's file: what a file system may not take is "_".
std::string fileNameOf(std::string name)
{
    std::ranges::replace_if(
        name, [](char letter) { return letter == '/' || letter == ':'; }, '_');
    return name;
}

struct ParsedModel
{
    json value;
    // In the file's order, which a JSON object forgets.
    std::vector<std::string> tensors = {};
    std::vector<std::string> nodes = {};
};

/// Parses the tensors' facts and the nodes of a model's JSON, and drops the rest, such as the
/// values of constants: it may be many times as large.
ParsedModel parsedModel(const std::string& text)
{
    ParsedModel model;
    constexpr std::array<std::string_view, 7> wanted{
        "dims", "data_type",   "permute_order_to_src", "quant_params",
        "type", "input_names", "output_names"};
    std::array<std::string, 3> keys;
    const auto isWanted = [&](int depth, json::parse_event_t event, const json& parsed) {
        if (depth > jsonDepthLimit)
            return false;
        if (event != json::parse_event_t::key || depth < 1)
            return true;
        const auto& key = parsed.get_ref<const std::string&>();
        const auto level = static_cast<std::size_t>(depth);
        if (level <= keys.size())
            keys[level - 1] = key;
        switch (level) {
        case 1: return key == "graph";
        case 2: return key == "tensors" || key == "nodes";
        case 3: (keys[1] == "nodes" ? model.nodes : model.tensors).push_back(key); return true;
        case 4: return std::ranges::find(wanted, key) != wanted.end();
        default: return true;
        }
    };
    model.value = json::parse(text, isWanted, false);
    return model;
}

std::vector<std::uint64_t> lengths(const JsonObject& object, const char* key)
{
    std::vector<std::uint64_t> all;
    for (const double value : object.numbers(key)) {
        if (value < 0 || value > static_cast<double>(longestAxis) ||
            value != static_cast<double>(static_cast<std::uint64_t>(value)))
            object.fail(std::string(key) + " has an entry that is no length");
        all.push_back(static_cast<std::uint64_t>(value));
    }
    return all;
}

ModelTensor tensorOf(const std::string& name, const JsonObject& object)
{
    ModelTensor tensor{.name = name,
                       .shape = lengths(object, "dims"),
                       .dataType = object.integer("data_type"),
                       .order = lengths(object, "permute_order_to_src")};
    object.object("quant_params", [&](const JsonObject& parameters) {
        parameters.object("scale_offset", [&](const JsonObject& pair) {
            if (const double scale = pair.number("scale"); scale > 0)
                tensor.scale = scale;
            tensor.offset = pair.integer("offset");
        });
    });
    return tensor;
}

/// Tensors of the model whose JSON the text is; none where it is that of something else. What is
/// invalid in one is a warning.
ModelTensors modelTensors(const std::string& text, const std::string& origin,
                          std::vector<std::string>& warnings)
{
    const ParsedModel model = parsedModel(text);
    ModelTensors tensors;
    if (model.value.is_discarded())
        throw Error(Fault::Input, origin + ": is passed over: it is no JSON, or truncated");
    if (!model.value.is_object() || !model.value.contains("graph"))
        return tensors;
    const json& graph = model.value["graph"];
    const auto add = [&](const char* key, const std::string& name, const auto& take) {
        const auto members = graph.is_object() ? graph.find(key) : graph.end();
        if (members == graph.end() || !members->is_object() || !members->contains(name))
            return;
        if (const auto problem = inputProblem([&] {
                take(JsonObject((*members)[name], origin + ": " + validUtf8(name.substr(0, 100))));
            }))
            warnings.push_back("/: " + *problem);
    };
    for (const std::string& name : model.tensors)
        add("tensors", name, [&](const JsonObject& object) {
            const auto [other, isNew] = tensors.emplace(fileNameOf(name), tensorOf(name, object));
            if (!isNew)
                warnings.push_back("/: " + validUtf8(name.substr(0, 100)) + " and " +
                                   validUtf8(other->second.name.substr(0, 100)) +
                                   " have one file name in the model's JSON; the second is meant");
        });
    for (std::size_t position = 0; position < model.nodes.size(); ++position)
        add("nodes", model.nodes[position], [&](const JsonObject& node) {
            for (const std::string& output : node.texts("output_names")) {
                const auto made = tensors.find(fileNameOf(output));
                if (made == tensors.end())
                    continue;
                made->second.op = node.text("type");
                made->second.inputs = node.texts("input_names");
                made->second.position = static_cast<std::int64_t>(position);
            }
        });
    return tensors;
}

/// "Result_0/conv1" of "Result_0/conv1.raw".
std::string_view stemOf(std::string_view name)
{
    name.remove_suffix(rawEnding.size());
    return name;
}

struct ModelStem
{
    std::string_view stem;
    bool isNative = false;
};

/// The same without the mark of native elements.
ModelStem modelStem(std::string_view name)
{
    ModelStem found{.stem = stemOf(name)};
    found.isNative = found.stem.ends_with(nativeEnding);
    if (found.isNative)
        found.stem.remove_suffix(nativeEnding.size());
    return found;
}

/// The tensor of the model that a file is named after, by the parts of its path from the last one
/// on: of SNPE's files names with "/" are folders.
const ModelTensor* tensorFor(const ModelTensors& tensors, std::string_view stem)
{
    for (std::size_t from = stem.rfind('/') + 1;;) {
        const auto found = tensors.find(fileNameOf(std::string(stem.substr(from))));
        if (found != tensors.end() || from == 0)
            return found == tensors.end() ? nullptr : &found->second;
        from = from > 1 ? stem.rfind('/', from - 2) + 1 : 0;
    }
}

/// The JSON of the model with the folder's files, and what it states.
struct ModelJson
{
    std::string path;  ///< empty: there is none
    ModelTensors tensors = {};
};

/// `names`: of the files that it should speak of, one at least.
ModelJson modelJsonFor(const std::string& folder, const std::vector<std::string>& names,
                       std::vector<std::string>& warnings)
{
    ModelJson model;
    const auto isModel = [&](const std::string& path) {
        if (!path.ends_with(".json"))
            return false;
        std::vector<std::string> found;
        const auto problem = inputProblem(
            [&] { model.tensors = modelTensors(readWholeFile(path, mostJsonBytes), path, found); });
        if (problem)
            found = {"/: " + *problem};
        const bool isOfThese = std::ranges::any_of(names, [&](const std::string& name) {
            return tensorFor(model.tensors, modelStem(name).stem) != nullptr;
        });
        if (!problem && !model.tensors.empty() && !isOfThese)
            found = {"/: " + path + ": is passed over: it names none of these tensors"};
        std::ranges::move(found, std::back_inserter(warnings));
        if (!isOfThese)
            model.tensors.clear();
        return isOfThese;
    };
    model.path = fileAtOrAbove(folder, isModel).value_or("");
    return model;
}

/// The attributes that a recorder would write, from the model's JSON.
Attributes attributesOf(const ModelTensor& tensor)
{
    Attributes attributes{{"role", "activation"}, {"graph_name", tensor.name}};
    constexpr std::size_t sourceChannel = 1;  // of an ONNX or PyTorch model
    const std::size_t rank = tensor.shape.size();
    // Where the order stayed, which of the axes is the channel is open: N x C, or N x tokens x C.
    if (tensor.order.size() == rank && rank > sourceChannel &&
        !std::ranges::is_sorted(tensor.order) && tensor.order[sourceChannel] < rank)
        attributes["channel_axis"] = static_cast<std::int64_t>(tensor.order[sourceChannel]);
    if (!tensor.op.empty())
        attributes["op_type"] = tensor.op;
    if (!tensor.inputs.empty())
        attributes["inputs"] = tensor.inputs;
    if (tensor.position)
        attributes["order"] = *tensor.position;
    return attributes;
}

void setType(ElementKind kind, std::uint64_t bytes, DatasetFacts& facts, ElementLocation& location)
{
    facts.typeText = std::string(elementText(kind));
    facts.element = ElementType{.kind = kind};
    facts.chunk.assign(facts.shape.size(), 1);
    location.end = bytes;
}

/// Without a word on the shape: float32, a sample in each file.
void describeUnknown(std::uint64_t bytes, DatasetFacts& facts, ElementLocation& location)
{
    constexpr std::uint64_t size = sizeof(float);
    if (bytes == 0) {
        facts.unreadable = "it is empty";
        return;
    }
    if (bytes % size != 0) {
        facts.unreadable = fmt::format("its {} bytes are no whole number of float32, and no JSON "
                                       "of the model states its type",
                                       bytes);
        return;
    }
    facts.shape = {1, bytes / size};
    facts.attributes = {{"role", "activation"}, {"layout", "NV"}};  // values, not channels
    facts.evidence.emplace_back("float32 in one row: no JSON of the model states type and shape");
    setType(ElementKind::Float32, bytes, facts, location);
}

/// The element type of a file that is not native: float32, unless one sample has the bytes of a
/// float16 or of the tensor's own type.
ElementKind floatOrOwn(std::uint64_t bytes, std::uint64_t values, std::optional<ElementKind> own)
{
    if (bytes % (values * sizeof(float)) == 0)
        return ElementKind::Float32;
    if (bytes == 2 * values)
        return ElementKind::Float16;
    return own && bytes == values * ElementType{.kind = *own}.bytes() ? *own : ElementKind::Float32;
}

void describeKnown(const ModelTensor& tensor, bool isNative, std::uint64_t bytes,
                   DatasetFacts& facts, ElementLocation& location)
{
    facts.attributes = attributesOf(tensor);
    const std::vector<std::uint64_t> shape =
        tensor.shape.empty() ? std::vector<std::uint64_t>{1} : tensor.shape;
    std::uint64_t values = 1;
    bool isCountable = true;
    for (const std::uint64_t length : shape)
        isCountable = isCountable && length > 0 && !__builtin_mul_overflow(values, length, &values);
    std::uint64_t most = 0;
    if (!isCountable || __builtin_mul_overflow(values, sizeof(double), &most)) {
        facts.unreadable = "the model's JSON states a shape without values, or with too many";
        return;
    }
    const std::optional<ElementKind> own = kindOf(tensor.dataType);
    if (isNative && !own) {
        facts.unreadable = fmt::format(
            "the model's JSON states the type 0x{:04x}, which is not read", tensor.dataType);
        return;
    }
    const ElementKind kind = isNative ? *own : floatOrOwn(bytes, values, own);
    const std::uint64_t size = ElementType{.kind = kind}.bytes();
    if (bytes == 0 || bytes % (values * size) != 0) {
        facts.unreadable =
            fmt::format("it has {} bytes; the {} values that the model's JSON states take {}",
                        bytes, values, values * size);
        return;
    }
    facts.shape = shape;
    facts.shape.front() *= bytes / (values * size);  // several samples in a file
    facts.evidence.push_back(fmt::format("{}: {} bits for each value of the shape that the "
                                         "model's JSON states",
                                         elementText(kind), 8 * size));
    if (isNative && tensor.scale)
        facts.evidence.push_back(
            fmt::format("integers q that stand for {} * (q + {})", *tensor.scale, tensor.offset));
    setType(kind, bytes, facts, location);
}

StoredFolder folderOf(const std::string& path, const ModelTensors& tensors)
{
    return {.path = path,
            .ending = rawEnding,
            .pathFor = [](const std::string& name) { return "/" + std::string(stemOf(name)); },
            .describe =
                [&tensors](const std::string& name, int /*descriptor*/, std::uint64_t bytes,
                           DatasetFacts& facts, ElementLocation& location) {
                    const auto [stem, isNative] = modelStem(name);
                    if (const ModelTensor* const tensor = tensorFor(tensors, stem))
                        describeKnown(*tensor, isNative, bytes, facts, location);
                    else
                        describeUnknown(bytes, facts, location);
                }};
}

Container openRaw(const std::string& path, const DumpOptions& options, const Progress& progress)
{
    StoredList list{.stored = {.rule = rawRule,
                               .title = "Names of raw files, and the model's JSON",
                               .memoryBytes = options.memoryBytes,
                               .mergeNumbered = options.mergeNumbered}};
    list.made.identity = checkedIdentity(path);
    const bool isFolder = isFolderDump(path);
    const std::string folder =
        isFolder ? path : std::filesystem::absolute(path).parent_path().string();
    std::vector<std::string> names;
    if (isFolder)
        for (const FolderFile& file : folderDumpFiles(path))
            names.push_back(file.name);
    else
        names = {std::filesystem::path(path).filename().string()};
    std::erase_if(names, [](const std::string& name) { return !name.ends_with(rawEnding); });
    const ModelJson model = modelJsonFor(folder, names, list.made.warnings);
    if (model.path.empty())
        list.made.warnings.emplace_back(
            "/: no JSON of the model that states shapes (MODEL_net.json of Qualcomm's converters) "
            "lies with the files or in one of two folders above: each file is read as float32 in "
            "one row");
    else
        list.made.dataFiles = {model.path};
    list.made.identity = checkedIdentity(path, list.made.dataFiles);
    const StoredFolder files = folderOf(folder, model.tensors);
    if (isFolder)
        addStoredFiles(files, options, progress, list);
    else
        addStoredFile(std::filesystem::path(path).filename().string(), files, list);
    return containerOf(std::move(list.stored), std::move(list.made));
}

bool isRaw(std::string_view firstBytes, const std::string& path)
{
    return firstBytes.empty() ? folderDumpEnding(path) == rawEnding : path.ends_with(rawEnding);
}

}  // namespace

/// Values without a header, as Qualcomm's runtimes write them (qnn-net-run and snpe-net-run with
/// --debug): a folder for each sample ("Result_0"), a file for each tensor. Shapes, types and the
/// graph come from the JSON that the converter wrote next to the model.
ContainerFormat raw()
{
    return {.id = rawRule, .recognise = isRaw, .open = openRaw};
}

}  // namespace calibscope::containers
