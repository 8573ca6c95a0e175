// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/dump/batch_first.h"
#include "core/dump/container.h"
#include "core/dump/element_blocks.h"
#include "core/dump/file_check.h"
#include "core/model/model_file.h"
#include "core/model/parse_model.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace calibscope::containers {

namespace {

constexpr const char* ruleId = "onnx-model";
constexpr std::size_t longestEvidence = 200;
// As of the paths in a dump.
constexpr std::size_t longestName = std::size_t{32} << 10U;

/// As the recorders write a graph's name: dots for slashes, none in front.
std::string dumpName(const std::string& graphName)
{
    std::string name = graphName;
    std::ranges::replace(name, '/', '.');
    const std::size_t first = name.find_first_not_of('.');
    return first == std::string::npos ? name : name.substr(first);
}

bool isListable(const std::string& name)
{
    return !name.empty() && name.size() <= longestName && validUtf8(name) == name &&
           name.find('\0') == std::string::npos;
}

std::string ordinal(int input)
{
    static constexpr const char* words[] = {"first", "second", "third", "fourth"};
    return input < 4 ? words[input] : "input " + std::to_string(input + 1) + " and not the first";
}

TensorInfo infoOf(const model::GraphTensor& tensor, const model::LayerConstant& layer)
{
    TensorInfo info;
    info.name = dumpName(tensor.name);
    info.path = "/" + (tensor.scope.empty() ? "" : tensor.scope + "/") + info.name;
    info.role = layer.isBias ? Role::Bias : Role::Weight;
    info.graphName = tensor.name;
    info.consumer = validUtf8(layer.node.substr(0, longestName));
    info.elementType = tensor.elementType;
    info.storedType = tensor.elementType ? std::string(elementText(*tensor.elementType)) : "";
    if (tensor.elementType)
        info.lossy = ElementType{*tensor.elementType}.loss();
    info.shape = tensor.shape;
    info.channelAxis = layer.channelAxis;
    info.op = layer.op;
    info.layoutRule = ruleId;
    info.evidence = {
        layer.op + " " + layer.node + " takes it as its " + ordinal(layer.input) + " input" +
        (layer.channelAxis
             ? ": its output channels lie along axis " + std::to_string(*layer.channelAxis)
             : std::string())};
    info.compression = "none";
    info.checksum = "none";
    return info;
}

std::string mebibytes(std::uint64_t bytes)
{
    return std::to_string((bytes >> 20U) + 1) + " MiB";
}

/// A model whose values stay in the file until they are visited.
struct OpenModel
{
    std::shared_ptr<const model::ModelFile> file;
    FileIdentity identity;
    std::vector<std::string> dataFiles;
    std::vector<std::size_t> constants = {};  ///< of the file, for each tensor of the list
    std::uint64_t memoryBytes = 0;
};

void visit(const OpenModel& model, std::size_t tensor, const TensorInfo& understood,
           const BlockVisitor& visitor, const Progress& progress)
{
    const std::string who = model.identity.path + ":" + understood.path + ": ";
    visitElements({.who = who,
                   .shape = model.file->tensors()[model.constants.at(tensor)].shape,
                   .memoryBytes = model.memoryBytes,
                   .visit =
                       [&](const auto& take) {
                           model.file->visitElements(model.constants.at(tensor), take);
                       }},
                  understood, visitor, progress);
    if (checkedIdentity(model.identity.path, model.dataFiles).stamp != model.identity.stamp)
        throw Error(Fault::Input,
                    who + "cannot be read: the file, or one beside it that holds its values, was "
                          "changed since it was opened; open it again");
}

/// The weights and biases of the layers, in the order of the graph.
void list(OpenModel& model, bool allowsOtherFiles, Container& made)
{
    for (const auto& [name, text] : model.file->attributes())
        made.attributes[name] = validUtf8(text);
    std::set<std::string> paths;
    std::map<std::string, int> next;  // number behind a path that is there already
    std::size_t tooLong = 0;
    for (const model::LayerConstant& layer : model.file->layerConstants()) {
        const model::GraphTensor& tensor = model.file->tensors()[layer.tensor];
        if (!isListable(tensor.name) || validUtf8(tensor.scope) != tensor.scope) {
            ++tooLong;
            continue;
        }
        TensorInfo info = infoOf(tensor, layer);
        if (const std::string own = info.path; !paths.insert(own).second) {
            int& number = next.try_emplace(own, 2).first->second;
            do
                info.path = own + " (" + std::to_string(number++) + ")";
            while (!paths.insert(info.path).second);
        }
        const std::string data = model.file->dataFile(layer.tensor);
        const std::uint64_t bytes = model.file->bytesToRead(layer.tensor);
        if (!data.empty() && !allowsOtherFiles)
            info.unreadable = {Unreadable::Reason::OtherFile,
                               "its values are in the file " +
                                   std::filesystem::path(data).filename().string() +
                                   "; other files are read only with --allow-external"};
        else if (bytes > model.memoryBytes)
            info.unreadable = "reading its values takes " + mebibytes(bytes) +
                              " of memory, more than the " + mebibytes(model.memoryBytes - 1) +
                              " that may be taken";
        model.constants.push_back(layer.tensor);
        made.tensors.push_back(std::move(info));
    }
    if (tooLong > 0)
        made.warnings.push_back("/: " + std::to_string(tooLong) +
                                " weights are not listed, whose names are empty, no text, or "
                                "longer than 32 KiB");
    if (made.tensors.empty())
        made.warnings.emplace_back("/: the model has no layer whose weight is a constant of "
                                   "floating point");
}

ValueSource sourceOf(const std::shared_ptr<const OpenModel>& model, std::size_t tensor,
                     TensorInfo understood)
{
    auto visited = [model, tensor, understood](const BlockVisitor& visitor,
                                               const Progress& progress) {
        visit(*model, tensor, understood, visitor, progress);
    };
    return {.info = batchFirst(std::move(understood)), .visit = std::move(visited)};
}

/// Reads the graph, in at most the budget. Data in other files is listed as unreadable unless these
/// are allowed.
Container openModel(const std::string& path, const DumpOptions& options,
                    const Progress& /*progress*/)
{
    const auto model = std::make_shared<OpenModel>();
    model->identity = checkedIdentity(path);
    model->memoryBytes = options.memoryBytes;
    model->file = model::ModelFile::readOutline(path, options.memoryBytes);
    if (options.allowExternal) {
        const std::string before = model->identity.stamp;
        model->dataFiles = model->file->dataFiles();
        model->identity = checkedIdentity(path, model->dataFiles);
        if (!model->identity.stamp.starts_with(before))
            throw Error(Fault::Input, path + ": was changed while it was opened; open it again");
    }
    Container made{.identity = model->identity, .dataFiles = model->dataFiles};
    list(*model, options.allowExternal, made);
    if (!made.tensors.empty())
        made.rules = {{.id = ruleId,
                       .title = "Constants of an ONNX model",
                       .tensors = made.tensors.size(),
                       .guesses = 0}};
    made.source = [model](std::size_t tensor, const TensorInfo& understood,
                          std::uint64_t firstBatches, const SampleRange& /*all*/) {
        return sourceOf(
            model, tensor,
            cutToBatches(understood, firstBatches, model->memoryBytes, model->identity.path));
    };
    made.boxes = [model](std::size_t tensor, const TensorInfo& understood, bool /*isFirstLook*/) {
        return heldBoxes(model->identity.path + ":" + understood.path + ": ", understood,
                         model->memoryBytes, [model, tensor](TensorInfo whole) {
                             return sourceOf(model, tensor, std::move(whole));
                         });
    };
    return made;
}

/// Protocol buffers have no signature: an ONNX model begins with field 1 (its IR version), then the
/// name of its producer or another field of low number. One without its usual beginning is looked
/// at more closely.
bool isModel(std::string_view firstBytes, const std::string& path)
{
    const std::string_view next = firstBytes.substr(std::min<std::size_t>(firstBytes.size(), 2));
    return (firstBytes.starts_with("\x08") &&
            (path.ends_with(".onnx") || next.starts_with("\x12") || next.starts_with("\x1a"))) ||
           model::isModel(path);
}

}  // namespace

/// An ONNX model as a dump, by the rule "onnx-model": weights and biases of its layers, without any
/// recording.
ContainerFormat onnxModel()
{
    return {.id = "onnx-model", .recognise = isModel, .open = openModel};
}

}  // namespace calibscope::containers
