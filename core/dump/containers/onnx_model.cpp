// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/dump/batch_first.h"
#include "core/dump/container.h"
#include "core/dump/element_blocks.h"
#include "core/dump/element_decoder.h"
#include "core/dump/file_check.h"
#include "core/model/model_file.h"
#include "core/model/parse_model.h"
#include "core/model/quantized_tensors.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
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

/// "0.5", "0.125 to 0.5"
template <typename Number>
std::string endsText(const std::vector<Number>& numbers)
{
    const auto [least, largest] = std::ranges::minmax(numbers);
    return numberText(static_cast<double>(least)) +
           (least == largest ? "" : " to " + numberText(static_cast<double>(largest)));
}

/// A weight in integers, as the floats that these stand for.
TensorInfo infoOf(const model::GraphTensor& integers, const model::QuantizedTensor& weight)
{
    model::GraphTensor tensor = integers;
    tensor.name = weight.name;
    tensor.elementType = ElementKind::Float32;
    TensorInfo info = infoOf(tensor, weight.use);
    if (weight.use.op.empty())
        info.evidence = {"no node takes it"};
    const TensorQuantization& quantization = weight.quantization;
    info.storedType = elementText(integers.elementType.value_or(ElementKind::Int8));
    info.evidence.push_back(
        "holds what the integers of " + validUtf8(integers.name.substr(0, longestEvidence)) +
        " stand for, scale (integer - zero point): " + info.storedType + ", " +
        std::to_string(quantization.format.bits()) + " bits; " +
        (quantization.axis ? std::to_string(quantization.scales.size()) + " scales along axis " +
                                 std::to_string(*quantization.axis) + ", "
                           : std::string("scale ")) +
        endsText(quantization.scales) + "; zero point " + endsText(quantization.zeroPoints));
    return info;
}

std::string mebibytes(std::uint64_t bytes)
{
    return std::to_string((bytes >> 20U) + 1) + " MiB";
}

/// A constant of the file that is listed.
struct ListedConstant
{
    std::size_t tensor = 0;
    std::optional<TensorQuantization> quantization = {};  ///< of integers
};

/// A model whose values stay in the file until they are visited.
struct OpenModel
{
    std::shared_ptr<const model::ModelFile> file;
    FileIdentity identity;
    std::vector<std::string> dataFiles;
    std::vector<ListedConstant> constants = {};  ///< for each tensor of the list
    std::uint64_t memoryBytes = 0;
};

using ElementVisitor = std::function<void(std::span<const std::byte>)>;

/// Elements as they are stored; integers as the float32 that they stand for.
void visitConstant(const OpenModel& model, const ListedConstant& constant,
                   const ElementVisitor& take)
{
    if (!constant.quantization)
        return model.file->visitElements(constant.tensor, take);
    const model::GraphTensor& integers = model.file->tensors()[constant.tensor];
    ElementDecoder decoder({.kind = integers.elementType.value_or(ElementKind::Int8)});
    std::uint64_t first = 0;
    model.file->visitElements(constant.tensor, [&](std::span<const std::byte> bytes) {
        const std::span<const float> whole = decoder.decode(bytes);
        std::vector<float> values(whole.begin(), whole.end());
        model::dequantize(*constant.quantization, integers.shape, first, values);
        first += values.size();
        take(std::as_bytes(std::span(values)));
    });
}

/// Bytes of memory, while its values are read.
std::uint64_t bytesToRead(const model::ModelFile& file, const ListedConstant& constant)
{
    // Integers have a byte at least; twice the floats that they become.
    const std::uint64_t bytes = file.bytesToRead(constant.tensor);
    return constant.quantization ? bytes + 2 * sizeof(float) * bytes : bytes;
}

void visit(const OpenModel& model, std::size_t tensor, const TensorInfo& understood,
           const BlockVisitor& visitor, const Progress& progress)
{
    const std::string who = model.identity.path + ":" + understood.path + ": ";
    const ListedConstant& constant = model.constants.at(tensor);
    visitElements({.who = who,
                   .shape = model.file->tensors()[constant.tensor].shape,
                   .memoryBytes = model.memoryBytes,
                   .visit = [&](const auto& take) { visitConstant(model, constant, take); }},
                  understood, visitor, progress);
    if (checkedIdentity(model.identity.path, model.dataFiles).stamp != model.identity.stamp)
        throw Error(Fault::Input,
                    who + "cannot be read: the file, or one beside it that holds its values, was "
                          "changed since it was opened; open it again");
}

/// The list of a model's tensors.
class ModelList
{
public:
    ModelList(OpenModel& model, bool allowsOtherFiles, Container& made)
        : m_model(model), m_allowsOtherFiles(allowsOtherFiles), m_made(made)
    {}

    /// The weights and biases of the layers, in the order of the graph; then what is in integers.
    void fill()
    {
        const model::ModelFile& file = *m_model.file;
        for (const auto& [name, text] : file.attributes())
            m_made.attributes[name] = validUtf8(text);
        for (const model::LayerConstant& layer : file.layerConstants())
            if (const model::GraphTensor& tensor = file.tensors()[layer.tensor];
                isListed(tensor.name, tensor.scope))
                add(infoOf(tensor, layer), {.tensor = layer.tensor});
        addQuantized();
        if (m_tooLong > 0)
            warn(std::to_string(m_tooLong) +
                 " weights are not listed, whose names are empty, no text, or longer than 32 KiB");
        if (m_made.tensors.empty())
            warn("the model has no layer whose weight is a constant of floating point, or of "
                 "integers with constant scales");
    }

private:
    void addQuantized()
    try {
        const model::QuantizedTensors found =
            model::quantizedTensors(*m_model.file, m_allowsOtherFiles);
        for (const model::QuantizedTensor& weight : found.tensors)
            if (weight.isWeight && isListed(weight.name, {}))
                add(infoOf(m_model.file->tensors()[weight.use.tensor], weight),
                    {.tensor = weight.use.tensor, .quantization = weight.quantization});
        const auto without = static_cast<std::size_t>(
            std::ranges::count_if(found.unusable, &model::QuantizedTensor::isWeight));
        for (const auto& [count, why] :
             {std::pair(without, "weights of which a scale is 0, negative or no number"),
              std::pair(found.leftOut, "whose scales are found as the model runs, lie in another "
                                       "file, or do not fit them"),
              std::pair(found.inInnerGraphs, "in inner graphs (If, Loop, Scan)")})
            if (count > 0)
                warn("not listed of what is in integers: " + std::to_string(count) + ' ' + why);
    } catch (const Error& error) {
        warn("weights in integers are not listed: " + std::string(error.what()));
    }

    bool isListed(const std::string& name, const std::string& scope)
    {
        const bool is = isListable(name) && validUtf8(scope) == scope;
        m_tooLong += is ? 0U : 1U;
        return is;
    }

    void add(TensorInfo info, ListedConstant constant)
    {
        if (const std::string own = info.path; !m_paths.insert(own).second) {
            int& number = m_next.try_emplace(own, 2).first->second;
            do
                info.path = own + " (" + std::to_string(number++) + ")";
            while (!m_paths.insert(info.path).second);
        }
        const std::string data = m_model.file->dataFile(constant.tensor);
        const std::uint64_t bytes = bytesToRead(*m_model.file, constant);
        if (!data.empty() && !m_allowsOtherFiles)
            info.unreadable = {Unreadable::Reason::OtherFile,
                               "its values are in the file " +
                                   std::filesystem::path(data).filename().string() +
                                   "; other files are read only with --allow-external"};
        else if (bytes > m_model.memoryBytes)
            info.unreadable = "reading its values takes " + mebibytes(bytes) +
                              " of memory, more than the " + mebibytes(m_model.memoryBytes - 1) +
                              " that may be taken";
        m_model.constants.push_back(std::move(constant));
        m_made.tensors.push_back(std::move(info));
    }

    void warn(const std::string& sentence) { m_made.warnings.push_back("/: " + sentence); }

    OpenModel& m_model;
    bool m_allowsOtherFiles = false;
    Container& m_made;
    std::set<std::string> m_paths;
    std::map<std::string, int> m_next;  // number behind a path that is there already
    std::size_t m_tooLong = 0;
};

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
    ModelList(*model, options.allowExternal, made).fill();
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
/// recording; those in integers as the floats that they stand for.
ContainerFormat onnxModel()
{
    return {.id = "onnx-model", .recognise = isModel, .open = openModel};
}

}  // namespace calibscope::containers
