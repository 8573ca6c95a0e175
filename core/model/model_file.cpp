#include "core/model/model_file.h"

#include "core/model/graph_tensors.h"
#include "core/model/parse_model.h"

#include <utility>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

struct ModelFile::Impl
{
    std::string path;
    ::onnx::ModelProto proto;
    GraphTensors list;
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

std::vector<float> ModelFile::values(std::size_t tensor) const
{
    return floatValues(constantElements(m_impl->list, tensor, m_impl->path));
}

}  // namespace calibscope::model
