#include "core/dump/model_dump.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/dump/batch_first.h"
#include "core/dump/element_decoder.h"
#include "core/dump/file_check.h"
#include "core/model/model_file.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace calibscope {

namespace {

constexpr const char* ruleId = "onnx-model";
constexpr std::uint64_t blockValues = std::uint64_t{1} << 18U;
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

}  // namespace

struct ModelDump::Impl
{
    std::shared_ptr<const model::ModelFile> file;
    FileIdentity identity;
    std::vector<TensorInfo> tensors;
    std::vector<std::size_t> constants;  ///< of the file, as many
    std::map<std::string, std::string> attributes;
    std::vector<std::string> warnings;
    std::vector<std::string> dataFiles;  ///< that are read
    std::uint64_t memoryBytes = 0;
};

std::shared_ptr<const ModelDump> ModelDump::open(const std::string& path, std::uint64_t memoryBytes,
                                                 bool allowsOtherFiles)
{
    auto impl = std::make_unique<Impl>();
    impl->identity = checkedIdentity(path);
    impl->memoryBytes = memoryBytes;
    impl->file = model::ModelFile::readOutline(path, memoryBytes);
    if (allowsOtherFiles) {
        const std::string before = impl->identity.stamp;
        impl->dataFiles = impl->file->dataFiles();
        impl->identity = checkedIdentity(path, impl->dataFiles);
        if (!impl->identity.stamp.starts_with(before))
            throw Error(Fault::Input, path + ": was changed while it was opened; open it again");
    }
    for (const auto& [name, text] : impl->file->attributes())
        impl->attributes[name] = validUtf8(text);
    std::set<std::string> paths;
    std::map<std::string, int> next;  // number behind a path that is there already
    std::size_t tooLong = 0;
    for (const model::LayerConstant& layer : impl->file->layerConstants()) {
        const model::GraphTensor& tensor = impl->file->tensors()[layer.tensor];
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
        const std::string data = impl->file->dataFile(layer.tensor);
        const std::uint64_t bytes = impl->file->bytesToRead(layer.tensor);
        if (!data.empty() && !allowsOtherFiles)
            info.unreadable = {Unreadable::Reason::OtherFile,
                               "its values are in the file " +
                                   std::filesystem::path(data).filename().string() +
                                   "; other files are read only with --allow-external"};
        else if (bytes > memoryBytes)
            info.unreadable = "reading its values takes " + mebibytes(bytes) +
                              " of memory, more than the " + mebibytes(memoryBytes - 1) +
                              " that may be taken";
        impl->constants.push_back(layer.tensor);
        impl->tensors.push_back(std::move(info));
    }
    if (tooLong > 0)
        impl->warnings.push_back("/: " + std::to_string(tooLong) +
                                 " weights are not listed, whose names are empty, no text, or "
                                 "longer than 32 KiB");
    if (impl->tensors.empty())
        impl->warnings.emplace_back("/: the model has no layer whose weight is a constant of "
                                    "floating point");
    return std::shared_ptr<const ModelDump>(new ModelDump(std::move(impl)));
}

ModelDump::ModelDump(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ModelDump::~ModelDump() = default;

const FileIdentity& ModelDump::identity() const
{
    return m_impl->identity;
}

const std::vector<std::string>& ModelDump::dataFiles() const
{
    return m_impl->dataFiles;
}

const std::vector<TensorInfo>& ModelDump::tensors() const
{
    return m_impl->tensors;
}

const std::map<std::string, std::string>& ModelDump::attributes() const
{
    return m_impl->attributes;
}

const std::vector<std::string>& ModelDump::warnings() const
{
    return m_impl->warnings;
}

std::vector<RuleUse> ModelDump::rules() const
{
    if (tensors().empty())
        return {};
    return {{.id = ruleId,
             .title = "Constants of an ONNX model",
             .tensors = tensors().size(),
             .guesses = 0}};
}

ValueSource ModelDump::source(const std::shared_ptr<const ModelDump>& dump, std::size_t tensor,
                              TensorInfo understood)
{
    auto visit = [dump, tensor, understood](const BlockVisitor& visitor, const Progress& progress) {
        dump->visit(tensor, understood, visitor, progress);
    };
    return {.info = batchFirst(std::move(understood)), .visit = std::move(visit)};
}

ValueBoxes ModelDump::boxes(const std::shared_ptr<const ModelDump>& dump, std::size_t tensor,
                            TensorInfo understood)
{
    struct Held
    {
        std::vector<float> values;
        std::optional<ValueBoxes> boxes;
    };
    understood.batchAxis.reset();  // its values as they are stored
    understood.batchSize = 0;
    const std::uint64_t bytes = understood.valueCount() * sizeof(float);
    if (bytes > dump->m_impl->memoryBytes)
        throw Error(Fault::Input, dump->identity().path + ":" + understood.path +
                                      ": looking at parts of it takes " + mebibytes(bytes) +
                                      " of memory, more than may be taken");
    ValueBoxes boxes{.info = understood,
                     .chunk = std::vector<std::uint64_t>(understood.shape.size(), 1)};
    boxes.read = [source = source(dump, tensor, understood), held = std::make_shared<Held>()](
                     std::span<const ValueBox> asked, const Progress& progress) {
        if (!held->boxes) {
            held->values = readAll(source, progress);
            held->boxes = boxesOf(source.info, held->values);
        }
        return held->boxes->read(asked, progress);
    };
    return boxes;
}

namespace {

/// Decodes bytes in the order of the visit and cuts them into blocks of one batch each.
class ElementBlocks
{
public:
    ElementBlocks(const TensorInfo& info, const BlockVisitor& visitor, const Progress& progress)
        : m_info(info),
          m_visitor(visitor),
          m_progress(progress),
          m_decoder({.kind = info.elementType.value_or(ElementKind::Float32)}),
          m_elementBytes(
              ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes()),
          m_perBatch(info.batchAxis && info.batchSize > 0
                         ? info.batchSize * std::max<std::uint64_t>(info.valuesPerSample(), 1)
                         : std::max<std::uint64_t>(info.valueCount(), 1))
    {}

    void take(std::span<const std::byte> bytes)
    {
        const std::uint64_t all = m_info.valueCount();
        for (std::uint64_t at = 0; at < bytes.size() / m_elementBytes && m_first < all;) {
            const std::uint64_t batch = m_first / m_perBatch;
            const std::uint64_t count =
                std::min({blockValues, bytes.size() / m_elementBytes - at, all - m_first,
                          (batch + 1) * m_perBatch - m_first});
            const std::span<const float> values =
                m_decoder.decode(bytes.subspan(at * m_elementBytes, count * m_elementBytes));
            m_visitor({.values = values,
                       .firstIndex = m_first,
                       .batch = batch,
                       .lost = m_decoder.lost()});
            at += count;
            m_first += count;
            m_progress.step(m_first, all, m_info.path);
        }
    }

private:
    const TensorInfo& m_info;
    const BlockVisitor& m_visitor;
    const Progress& m_progress;
    ElementDecoder m_decoder;
    std::size_t m_elementBytes;
    std::uint64_t m_perBatch;
    std::uint64_t m_first = 0;
};

}  // namespace

void ModelDump::visit(std::size_t tensor, const TensorInfo& understood, const BlockVisitor& visitor,
                      const Progress& progress) const
{
    const std::string who = identity().path + ":" + understood.path + ": ";
    if (!understood.isReadable())
        throw Error(Fault::Input, who + understood.unreadable.sentence);
    const std::size_t axis = static_cast<std::size_t>(understood.batchAxis.value_or(0));
    const TensorInfo inOrder = batchFirst(understood);
    ElementBlocks blocks(inOrder, visitor, progress);
    const std::vector<std::uint64_t>& shape = tensors().at(tensor).shape;
    const std::size_t elementBytes =
        ElementType{.kind = understood.elementType.value_or(ElementKind::Float32)}.bytes();
    if (axis == 0) {
        m_impl->file->visitElements(m_impl->constants.at(tensor),
                                    [&](std::span<const std::byte> bytes) { blocks.take(bytes); });
    } else {
        const std::uint64_t needed = 2 * tensors()[tensor].valueCount() * elementBytes;
        if (needed > m_impl->memoryBytes)
            throw Error(Fault::Input, who +
                                          "its batches lie along another axis than the first; "
                                          "reading them takes " +
                                          mebibytes(needed) + " of memory, more than may be taken");
        std::vector<std::byte> whole;
        m_impl->file->visitElements(m_impl->constants.at(tensor),
                                    [&](std::span<const std::byte> bytes) {
                                        whole.insert(whole.end(), bytes.begin(), bytes.end());
                                    });
        std::vector<std::byte> moved(whole.size());
        moveAxisToFront(whole, shape, axis, elementBytes, moved);
        blocks.take(moved);
    }
    if (checkedIdentity(identity().path, dataFiles()).stamp != identity().stamp)
        throw Error(Fault::Input,
                    who + "cannot be read: the file, or one beside it that holds its values, was "
                          "changed since it was opened; open it again");
}

}  // namespace calibscope
