// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parse_model.h"

#include "core/base/error.h"
#include "core/model/input_file.h"
#include "core/model/wire_walk.h"

#include <limits>
#include <utility>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

using google::protobuf::io::CodedInputStream;
using google::protobuf::io::FileInputStream;

// Protocol Buffers count in 31 bits.
constexpr std::uint64_t mostBytes = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuseModel(const std::string& path, const std::string& why)
{
    throw Error(Fault::Input, "{}: {}", path, why);
}

void requireSize(const InputFile& file, const std::string& path)
{
    if (file.bytes() > mostBytes)
        refuseModel(path, "a model of more than 2 GiB in one file is not read; save it with its "
                          "weights in another file (external data)");
}

::onnx::ModelProto withGraph(::onnx::ModelProto model, const std::string& path)
{
    if (!model.has_graph())
        refuseModel(path, "it is not an ONNX model, or one without a graph");
    return model;
}

/// Passes over the value of a field.
bool skipped(CodedInputStream& stream, std::uint32_t wireType)
{
    std::uint64_t number = 0;
    std::uint32_t length = 0;
    switch (wireType) {
    case 0: return stream.ReadVarint64(&number);
    case 1: return stream.Skip(8);
    case 2:
        return stream.ReadVarint32(&length) &&
               length <= static_cast<std::uint32_t>(stream.BytesUntilLimit()) &&
               stream.Skip(static_cast<int>(length));
    case 5: return stream.Skip(4);
    default: return false;
    }
}

}  // namespace

::onnx::ModelProto parsedModel(const std::string& path, std::uint64_t mostMemory)
{
    const InputFile file(path, path);
    requireSize(file, path);
    const auto bytes = static_cast<int>(file.bytes());
    for (const bool isLook : {true, false}) {
        file.rewind();
        FileInputStream input(file.descriptor());
        CodedInputStream stream(&input);
        stream.SetTotalBytesLimit(static_cast<int>(mostBytes));
        if (isLook) {
            WireWalk(path, mostMemory).check(stream, bytes);
            continue;
        }
        ::onnx::ModelProto model;
        if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
            refuseModel(path, "it is not an ONNX model, or it is damaged");
        return withGraph(std::move(model), path);
    }
    return {};
}

::onnx::ModelProto outlinedModel(const std::string& path, std::uint64_t mostMemory)
{
    const InputFile file(path, path);
    requireSize(file, path);
    FileInputStream input(file.descriptor());
    CodedInputStream stream(&input);
    stream.SetTotalBytesLimit(static_cast<int>(mostBytes));
    const std::string outline =
        WireWalk(path, mostMemory).outline(stream, static_cast<int>(file.bytes()));
    ::onnx::ModelProto model;
    if (!model.ParseFromString(outline))
        refuseModel(path, "it is not an ONNX model, or it is damaged");
    return withGraph(std::move(model), path);
}

bool isModel(const std::string& path)
try {
    const InputFile file(path, path);
    if (file.bytes() > mostBytes)
        return false;
    FileInputStream input(file.descriptor());
    CodedInputStream stream(&input);
    stream.SetTotalBytesLimit(static_cast<int>(mostBytes));
    const CodedInputStream::Limit all = stream.PushLimit(static_cast<int>(file.bytes()));
    bool hasGraph = false;
    // Some texts on the model, and its functions: not more than these.
    constexpr int mostFields = 100'000;
    for (int count = 0; count < mostFields; ++count) {
        const std::uint32_t tag = stream.ReadTag();
        if (tag == 0)
            return hasGraph && stream.BytesUntilLimit() == 0;
        const auto* field =
            ::onnx::ModelProto::descriptor()->FindFieldByNumber(static_cast<int>(tag >> 3U));
        if (!skipped(stream, tag & 7U))
            return false;
        if (field == nullptr && count == 0)
            return false;
        hasGraph = hasGraph || (tag >> 3U) == ::onnx::ModelProto::kGraphFieldNumber;
    }
    stream.PopLimit(all);
    return false;
} catch (const Error&) {
    return false;
}

}  // namespace calibscope::model
