// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_file.h"

#include "core/model/external_data.h"
#include "core/model/graph_tensors.h"
#include "core/model/parse_model.h"
#include "core/model/tensor_values.h"

#include <algorithm>
#include <set>
#include <utility>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

constexpr std::size_t mostTextBytes = 1000;
// A whole number of elements of any kind.
constexpr std::uint64_t blockBytes = std::uint64_t{1} << 20U;

}  // namespace

struct ModelFile::Impl
{
    std::string path;
    ::onnx::ModelProto proto;
    GraphTensors list;

    /// Of its elements, and of all that is read to make them.
    [[nodiscard]] std::uint64_t wholeBytes(std::size_t tensor) const
    {
        const ConstantSource& source = list.sources[tensor];
        const GraphTensor& constant = list.tensors[tensor];
        std::uint64_t bytes =
            elementCount(constant.shape).value_or(0) *
            ElementType{constant.elementType.value_or(ElementKind::Float64)}.bytes();
        for (const std::size_t input : source.inputs)
            bytes += wholeBytes(input);
        return bytes;
    }
};

std::shared_ptr<const ModelFile> ModelFile::of(const std::string& path, ::onnx::ModelProto&& proto)
{
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    impl->proto.Swap(&proto);
    impl->list = listTensors(impl->proto, path);
    return std::shared_ptr<const ModelFile>(new ModelFile(std::move(impl)));
}

std::shared_ptr<const ModelFile> ModelFile::read(const std::string& path)
{
    return of(path, parsedModel(path));
}

std::shared_ptr<const ModelFile> ModelFile::readOutline(const std::string& path,
                                                        std::uint64_t mostMemory)
{
    return of(path, outlinedModel(path, mostMemory));
}

ModelFile::ModelFile(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ModelFile::~ModelFile() = default;

const std::string& ModelFile::path() const
{
    return m_impl->path;
}

const ::onnx::ModelProto& ModelFile::proto() const
{
    return m_impl->proto;
}

const std::vector<GraphTensor>& ModelFile::tensors() const
{
    return m_impl->list.tensors;
}

std::map<std::string, std::string> ModelFile::attributes() const
{
    const ::onnx::ModelProto& model = proto();
    std::string opsets;
    for (const ::onnx::OperatorSetIdProto& set : model.opset_import())
        if (opsets.size() < mostTextBytes)
            opsets += (opsets.empty() ? "" : ", ") + set.domain() +
                      (set.domain().empty() ? "" : " ") + std::to_string(set.version());
    const std::string source = model.producer_name() +
                               (model.producer_version().empty() ? "" : " ") +
                               model.producer_version();
    std::map<std::string, std::string> texts;
    for (const auto& [name, text] : {std::pair("model", model.graph().name()),
                                     std::pair("source", source), std::pair("opset", opsets)})
        if (!text.empty())
            texts[name] = text.substr(0, mostTextBytes);
    texts["ir_version"] = std::to_string(model.ir_version());
    return texts;
}

const std::vector<LayerConstant>& ModelFile::layerConstants() const
{
    return m_impl->list.layerConstants;
}

void ModelFile::visitElements(std::size_t tensor,
                              const std::function<void(std::span<const std::byte>)>& visitor) const
{
    const ::onnx::TensorProto* stored = m_impl->list.sources.at(tensor).stored;
    const std::optional<ExternalPlace> place =
        stored == nullptr ? std::nullopt : placeInFile(*stored, path());
    if (!place || isPacked(stored->data_type())) {
        const StoredTensor elements = constantElements(m_impl->list, tensor, path());
        return visitor(std::as_bytes(std::span(elements.bytes)));
    }
    const std::uint64_t bytes = storedBytes(*stored, path()).value_or(0);
    const std::string who = path() + ":" + tensors()[tensor].name;
    requireLength(*place, bytes, who);
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t count = std::min(blockBytes, bytes - done);
        const std::string block = readExternal(
            {.file = place->file, .offset = place->offset + done, .length = {}}, count, who);
        visitor(std::as_bytes(std::span(block)));
        done += count;
    }
}

std::string ModelFile::dataFile(std::size_t tensor) const
{
    const ConstantSource& source = m_impl->list.sources.at(tensor);
    if (source.stored != nullptr && isExternal(*source.stored))
        return externalPlace(*source.stored, path()).file;
    for (const std::size_t input : source.inputs)
        if (std::string file = dataFile(input); !file.empty())
            return file;
    return {};
}

std::vector<std::string> ModelFile::dataFiles() const
{
    std::set<std::string> files;
    for (const ConstantSource& source : m_impl->list.sources)
        if (source.stored != nullptr && isExternal(*source.stored))
            files.insert(externalPlace(*source.stored, path()).file);
    return {files.begin(), files.end()};
}

std::uint64_t ModelFile::bytesToRead(std::size_t tensor) const
{
    const ConstantSource& source = m_impl->list.sources.at(tensor);
    const bool isInBlocks = source.stored != nullptr && placeInFile(*source.stored, path());
    const std::uint64_t whole = m_impl->wholeBytes(tensor);
    return isInBlocks ? std::min(blockBytes, whole) : whole;
}

std::vector<float> ModelFile::values(std::size_t tensor) const
{
    return floatValues(constantElements(m_impl->list, tensor, m_impl->path));
}

}  // namespace calibscope::model
