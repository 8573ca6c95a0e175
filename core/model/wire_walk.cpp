// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/wire_walk.h"

#include "core/base/error.h"

#include <utility>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

enum WireType : std::uint32_t {
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2,
    Start = 3,
    End = 4,
    Fixed32 = 5
};

// A graph within a graph is three messages deeper; runtimes take some twenty within each other.
// Protocol Buffers stop at 100.
constexpr int mostDepth = 96;
// An object on the heap, and its place in a list.
constexpr std::uint64_t ownBytes = 32;
// A string in a list, on the heap.
constexpr std::uint64_t textBytes = 64;
// What is kept of each tensor in lists of ours: GraphTensor and what belongs to it, with the place
// under its name.
constexpr std::uint64_t listedBytes = 1024;
constexpr std::uint32_t leastLeftOut = 1024;

void appendVarint(std::string& bytes, std::uint64_t value)
{
    for (; value >= 0x80U; value >>= 7U)
        bytes.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
    bytes.push_back(static_cast<char>(value));
}

template <typename Number>
void appendFixed(std::string& bytes, Number value)
{
    for (std::size_t byte = 0; byte < sizeof value; ++byte)
        bytes.push_back(static_cast<char>((value >> (8U * byte)) & 0xffU));
}

bool isTensor(const google::protobuf::Descriptor* type)
{
    return type == ::onnx::TensorProto::descriptor();
}

/// Bytes in memory of a byte of a packed list: a small number takes one in the file.
std::uint64_t memoryPerByte(const google::protobuf::FieldDescriptor& field)
{
    using Field = google::protobuf::FieldDescriptor;
    switch (field.type()) {
    case Field::TYPE_FLOAT:
    case Field::TYPE_DOUBLE:
    case Field::TYPE_FIXED32:
    case Field::TYPE_FIXED64:
    case Field::TYPE_SFIXED32:
    case Field::TYPE_SFIXED64: return 1;
    default: return 16;  // 8 of an int64, twice as its list grows
    }
}

}  // namespace

WireWalk::WireWalk(std::string path, std::uint64_t mostMemory)
    : m_path(std::move(path)), m_mostMemory(mostMemory)
{}

void WireWalk::refuse(const std::string& why) const
{
    throw Error(Fault::Input, "{}: {}", m_path, why);
}

void WireWalk::take(std::uint64_t bytes)
{
    m_memory += bytes;
    if (m_memory > m_mostMemory)
        refuse("reading this model would take more than " + std::to_string(m_mostMemory >> 20U) +
               " MiB of memory");
}

std::uint64_t WireWalk::memoryOf(const Descriptor* type)
{
    const auto [place, isNew] = m_memoryOf.try_emplace(type, 0);
    if (isNew)
        place->second = google::protobuf::MessageFactory::generated_factory()
                            ->GetPrototype(type)
                            ->SpaceUsedLong() +
                        ownBytes;
    return place->second;
}

void WireWalk::check(Stream& stream, int bytes)
{
    m_isOutline = false;
    std::string none;
    const Stream::Limit all = stream.PushLimit(bytes);
    walk(stream, ::onnx::ModelProto::descriptor(), 0, none);
    stream.PopLimit(all);
}

std::string WireWalk::outline(Stream& stream, int bytes)
{
    m_isOutline = true;
    std::string copy;
    const Stream::Limit all = stream.PushLimit(bytes);
    walk(stream, ::onnx::ModelProto::descriptor(), 0, copy);
    stream.PopLimit(all);
    return copy;
}

void WireWalk::walk(Stream& stream, const Descriptor* type, int depth, std::string& copy)
{
    if (depth > mostDepth)
        refuse("its graphs are nested too deep");
    while (const std::uint32_t tag = stream.ReadTag())
        walkField(stream, tag, type, depth, copy);
    if (stream.BytesUntilLimit() != 0)
        refuse("it is not an ONNX model, or it is damaged");
}

void WireWalk::walkField(Stream& stream, std::uint32_t tag, const Descriptor* type, int depth,
                         std::string& copy)
{
    const auto number = static_cast<int>(tag >> 3U);
    const FieldDescriptor* field = type == nullptr ? nullptr : type->FindFieldByNumber(number);
    if (isTensor(type) && number == ::onnx::TensorProto::kSegmentFieldNumber)
        refuse("it holds a tensor in segments, which are not read");
    std::uint64_t value = 0;
    std::uint32_t half = 0;
    bool isRead = false;
    switch (tag & 7U) {
    case Varint: isRead = stream.ReadVarint64(&value); break;
    case Fixed64: isRead = stream.ReadLittleEndian64(&value); break;
    case Fixed32: isRead = stream.ReadLittleEndian32(&half); break;
    case Bytes: walkBytes(stream, tag, type, field, depth, copy); return;
    default: break;  // groups are of the first version of the language, which ONNX never used
    }
    if (!isRead)
        refuse("it is not an ONNX model, or it is damaged");
    if (field == nullptr || field->is_repeated())
        take(ownBytes);
    if (!m_isOutline)
        return;
    appendVarint(copy, tag);
    switch (tag & 7U) {
    case Varint: appendVarint(copy, value); break;
    case Fixed64: appendFixed(copy, value); break;
    default: appendFixed(copy, half); break;
    }
}

void WireWalk::walkBytes(Stream& stream, std::uint32_t tag, const Descriptor* type,
                         const FieldDescriptor* field, int depth, std::string& copy)
{
    std::uint32_t length = 0;
    if (!stream.ReadVarint32(&length) ||
        length > static_cast<std::uint32_t>(stream.BytesUntilLimit()))
        refuse("it is not an ONNX model, or it is damaged: it is truncated");
    const auto bytes = static_cast<int>(length);
    if (field != nullptr && field->type() == FieldDescriptor::TYPE_MESSAGE) {
        take(memoryOf(field->message_type()));
        const bool isListed = isTensor(field->message_type()) ||
                              field->message_type() == ::onnx::ValueInfoProto::descriptor();
        take(isListed ? listedBytes : 0);
        std::string inner;
        const Stream::Limit outer = stream.PushLimit(bytes);
        walk(stream, field->message_type(), depth + 1, inner);
        stream.PopLimit(outer);
        if (m_isOutline) {
            appendVarint(copy, tag);
            appendVarint(copy, inner.size());
            copy += inner;
        }
        return;
    }
    const bool isRawData = isTensor(type) && field != nullptr &&
                           field->number() == ::onnx::TensorProto::kRawDataFieldNumber;
    if (m_isOutline && isRawData && length >= leastLeftOut) {
        const auto first = static_cast<std::uint64_t>(stream.CurrentPosition());
        ::onnx::TensorProto place;
        place.mutable_segment()->set_begin(static_cast<std::int64_t>(first));
        place.mutable_segment()->set_end(static_cast<std::int64_t>(first + length));
        copy += place.SerializeAsString();
        take(place.SpaceUsedLong());
        if (!stream.Skip(bytes))
            refuse("it is not an ONNX model, or it is damaged: it is truncated");
        return;
    }
    const bool isPacked = field != nullptr && field->is_packable();
    take(isPacked ? length * memoryPerByte(*field) : textBytes + length);
    // Inputs and outputs are what tensors are listed of.
    take(type == ::onnx::NodeProto::descriptor() && field != nullptr && field->is_repeated()
             ? listedBytes
             : 0);
    if (!m_isOutline) {
        if (!stream.Skip(bytes))
            refuse("it is not an ONNX model, or it is damaged: it is truncated");
        return;
    }
    take(2 * std::uint64_t{length});  // the copy, and its growth
    std::string text;
    if (!stream.ReadString(&text, bytes))
        refuse("it is not an ONNX model, or it is damaged: it is truncated");
    appendVarint(copy, tag);
    appendVarint(copy, length);
    copy += text;
}

}  // namespace calibscope::model
