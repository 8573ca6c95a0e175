#include "core/model/model_file.h"

#include "core/base/error.h"
#include "core/model/graph_tensors.h"

#include <cerrno>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope::model {

namespace {

// Protocol Buffers count in 31 bits.
constexpr std::int64_t mostBytes = std::numeric_limits<std::int32_t>::max();
// A graph within a graph is three messages deep; runtimes take 32 graphs within each other.
constexpr int mostNestedMessages = 100;

[[noreturn]] void refuse(const std::string& path, const std::string& why)
{
    throw Error(Fault::Input, path + ": " + why);
}

class Descriptor
{
public:
    explicit Descriptor(const std::string& path)
        : m_number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number;
};

void parse(const std::string& path, ::onnx::ModelProto& model)
{
    const Descriptor file(path);
    struct stat status = {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
        refuse(path, "could not be read: " + std::generic_category().message(errno));
    if (!S_ISREG(status.st_mode))
        refuse(path, "could not be read: it is not a regular file");
    if (status.st_size > mostBytes)
        refuse(path, "a model of more than 2 GiB in one file is not read; save it with its weights "
                     "in another file (external data)");
    google::protobuf::io::FileInputStream bytes(file.number());
    google::protobuf::io::CodedInputStream stream(&bytes);
    stream.SetTotalBytesLimit(static_cast<int>(mostBytes));
    stream.SetRecursionLimit(mostNestedMessages);
    if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
        refuse(path, "it is no ONNX model");
    if (!model.has_graph())
        refuse(path, "it is no ONNX model, or one without a graph");
}

}  // namespace

struct ModelFile::Impl
{
    std::string path;
    ::onnx::ModelProto proto;
    GraphTensors list;
};

std::shared_ptr<const ModelFile> ModelFile::read(const std::string& path)
{
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    parse(path, impl->proto);
    impl->list = listTensors(impl->proto, path);
    return std::shared_ptr<const ModelFile>(new ModelFile(std::move(impl)));
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
