// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/write_model.h"

#include "core/base/error.h"
#include "core/base/whole_file.h"
#include "core/model/check_model.h"
#include "core/model/external_data.h"
#include "core/model/parse_model.h"
#include "core/model/tensor_values.h"

#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

namespace fs = std::filesystem;

// Smaller ones stay inside: they are shapes and axes as a rule, which programs read before they
// run.
constexpr std::uint64_t leastOutside = 1024;
// Whoever maps the file into memory wants each tensor at the start of a page.
constexpr std::uint64_t pageBytes = 4096;

/// All tensors that the model holds. `initializers`: those of graphs alone.
void collectTensors(::onnx::GraphProto& graph, std::vector<::onnx::TensorProto*>& initializers,
                    std::vector<::onnx::TensorProto*>& others)
{
    for (::onnx::TensorProto& tensor : *graph.mutable_initializer())
        initializers.push_back(&tensor);
    for (::onnx::SparseTensorProto& tensor : *graph.mutable_sparse_initializer()) {
        others.push_back(tensor.mutable_values());
        others.push_back(tensor.mutable_indices());
    }
    for (::onnx::NodeProto& node : *graph.mutable_node())
        for (::onnx::AttributeProto& attribute : *node.mutable_attribute()) {
            if (attribute.has_t())
                others.push_back(attribute.mutable_t());
            for (::onnx::TensorProto& tensor : *attribute.mutable_tensors())
                others.push_back(&tensor);
            if (attribute.has_g())
                collectTensors(*attribute.mutable_g(), initializers, others);
            for (::onnx::GraphProto& inner : *attribute.mutable_graphs())
                collectTensors(inner, initializers, others);
        }
}

bool isRaw(const ::onnx::TensorProto& tensor)
{
    return isExternal(tensor) || tensor.has_raw_data() ||
           kindOfDataType(tensor.data_type()).has_value();
}

/// Its elements as raw data; of tensors that are isRaw().
std::string rawBytes(const ::onnx::TensorProto& tensor, const std::string& source)
{
    if (isExternal(tensor))
        return externalBytes(tensor, source);
    return insideBytes(tensor);
}

std::uint64_t rawLength(const ::onnx::TensorProto& tensor, const std::string& source)
{
    if (isExternal(tensor))
        return externalLength(tensor, source);
    return storedBytes(tensor, source).value_or(tensor.raw_data().size());
}

bool isSameFile(const std::string& one, const std::string& other)
{
    std::error_code failure;
    return fs::equivalent(one, other, failure);
}

/// Throws where a file to be written is one of those the model was read from.
void requireOthers(const std::vector<std::string>& written, const std::string& source,
                   const std::vector<::onnx::TensorProto*>& tensors)
{
    std::set<std::string> read = {source};
    for (const ::onnx::TensorProto* tensor : tensors)
        if (isExternal(*tensor))
            read.insert(externalPlace(*tensor, source).file);
    for (const std::string& target : written)
        for (const std::string& file : read)
            if (isSameFile(target, file))
                throw Error(Fault::Usage,
                            "{}: it is {} that is read, {}; a model is never changed in place: "
                            "give another file to write",
                            target, file == source ? "the model" : "data of the model", source);
}

void takeInside(::onnx::TensorProto& tensor, const std::string& source)
{
    std::string bytes = externalBytes(tensor, source);
    tensor.clear_external_data();
    tensor.clear_data_location();
    tensor.set_raw_data(std::move(bytes));
}

/// A tensor's elements move into the file of data.
class DataFile
{
public:
    explicit DataFile(const std::string& path)
        : m_name(fs::path(path).filename().string()), m_file(path, {.followsLinks = false})
    {}

    void take(::onnx::TensorProto& tensor, const std::string& source)
    {
        const std::string bytes = rawBytes(tensor, source);
        const std::uint64_t gap = (pageBytes - m_bytes % pageBytes) % pageBytes;
        m_file.write(std::string(gap, '\0'));
        m_bytes += gap;
        tensor.clear_int32_data();
        tensor.clear_float_data();
        tensor.clear_double_data();
        tensor.clear_int64_data();
        tensor.clear_uint64_data();
        tensor.clear_raw_data();
        tensor.clear_external_data();
        tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
        add(tensor, "location", m_name);
        add(tensor, "offset", std::to_string(m_bytes));
        add(tensor, "length", std::to_string(bytes.size()));
        m_file.write(bytes);
        m_bytes += bytes.size();
    }

    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    void finish() { m_file.finish(); }

private:
    static void add(::onnx::TensorProto& tensor, const std::string& key, const std::string& value)
    {
        ::onnx::StringStringEntryProto& entry = *tensor.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    }

    std::string m_name;
    WholeFile m_file;
    std::uint64_t m_bytes = 0;
};

/// What Protocol Buffers write goes into the file. No exception may pass through them.
class FileSink : public google::protobuf::io::CopyingOutputStream
{
public:
    explicit FileSink(WholeFile& file) : m_file(file) {}
    bool Write(const void* bytes, int count) override
    {
        if (!m_failure)
            try {
                m_file.write({static_cast<const char*>(bytes), static_cast<std::size_t>(count)});
            } catch (const std::system_error& failure) {
                m_failure = failure.code();
            }
        return !m_failure;
    }
    [[nodiscard]] std::error_code failure() const { return m_failure; }

private:
    WholeFile& m_file;
    std::error_code m_failure;
};

void serialize(const ::onnx::ModelProto& model, WholeFile& file, const std::string& path)
{
    if (model.ByteSizeLong() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw Error(Fault::Output, "{}: it would have more than 2 GiB in one file", path);
    FileSink sink(file);
    google::protobuf::io::CopyingOutputStreamAdaptor stream(&sink);
    if (!model.SerializeToZeroCopyStream(&stream) || !stream.Flush())
        throw std::system_error(sink.failure());
}

/// A former model must not find the data of the new one: it steps aside first, and comes back
/// where that data does not get its name.
void finishBoth(DataFile& data, WholeFile& model, const std::string& target)
{
    const std::string former = partName(target, 1);
    std::error_code isThereNone;
    fs::rename(target, former, isThereNone);
    try {
        data.finish();
    } catch (...) {
        fs::rename(former, target, isThereNone);
        throw;
    }
    model.finish();
    fs::remove(former, isThereNone);
}

/// Reads what was written.
void requireSound(const std::string& part, const std::string& path)
{
    std::string fault;
    try {
        fault = faultOf(parsedModel(part));
    } catch (const Error& error) {
        fault = error.what();
    }
    if (!fault.empty())
        throw Error(Fault::Output, "{}: it did not become a valid model: {}", path, fault);
}

}  // namespace

WrittenModel writeModel(::onnx::ModelProto model, const std::string& path,
                        const std::string& source, const WriteOptions& options)
{
    if (const std::string fault = faultOf(model); !fault.empty())
        throw Error(Fault::Output, "{}: it would be no valid model: {}", path, fault);
    std::error_code failure;
    const std::string target = fs::weakly_canonical(path, failure).string();
    const std::string dataTarget = target + ".data";
    std::vector<::onnx::TensorProto*> initializers;
    std::vector<::onnx::TensorProto*> others;
    collectTensors(*model.mutable_graph(), initializers, others);
    std::vector<::onnx::TensorProto*> all = initializers;
    all.insert(all.end(), others.begin(), others.end());
    requireOthers({path, dataTarget}, source, all);

    std::uint64_t bytes = model.ByteSizeLong();
    for (const ::onnx::TensorProto* tensor : all)
        if (isExternal(*tensor))
            bytes += externalLength(*tensor, source);
    try {
        std::optional<DataFile> data;
        if (bytes > options.mostInside)
            data.emplace(dataTarget);
        for (::onnx::TensorProto* tensor : initializers)
            if (data && isRaw(*tensor) && rawLength(*tensor, source) >= leastOutside)
                data->take(*tensor, source);
            else if (isExternal(*tensor))
                takeInside(*tensor, source);
        for (::onnx::TensorProto* tensor : others)
            if (isExternal(*tensor))
                takeInside(*tensor, source);

        WholeFile file(target);
        serialize(model, file, path);
        model.Clear();
        requireSound(file.part(), path);
        WrittenModel written{.data = data ? path + ".data" : std::string(),
                             .bytes = fs::file_size(file.part()) + (data ? data->bytes() : 0)};
        if (data)
            finishBoth(*data, file, target);
        else
            file.finish();
        return written;
    } catch (const std::system_error& reason) {
        throw Error(Fault::Output, "{} could not be written: {}", path, reason.code().message());
    }
}

}  // namespace calibscope::model
