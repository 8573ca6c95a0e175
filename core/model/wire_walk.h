// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace google::protobuf {
class Descriptor;
class FieldDescriptor;
}  // namespace google::protobuf

namespace google::protobuf::io {
class CodedInputStream;
}

namespace calibscope::model {

/// Looks through an ONNX file before Protocol Buffers build anything of it, with no more memory
/// than the file is deep: two bytes of an empty message become a hundred in memory.
class WireWalk
{
public:
    /// `path` begins the sentences. Estimates above `mostMemory` are refused.
    WireWalk(std::string path, std::uint64_t mostMemory);

    /// Walks a ModelProto of that many bytes. Throws Error(Input), a sentence with the path, for
    /// bytes that are not a message, a message that is too deep, a tensor in segments (which no
    /// program writes), and for a model that would take too much memory.
    void check(google::protobuf::io::CodedInputStream& stream, int bytes);

    /// The same, and returns the model's bytes without the raw_data of tensors that have a KiB or
    /// more of it. Such a tensor has a segment instead, of the first byte of that data in the file
    /// and the first behind it.
    [[nodiscard]] std::string outline(google::protobuf::io::CodedInputStream& stream, int bytes);

private:
    using Descriptor = google::protobuf::Descriptor;
    using FieldDescriptor = google::protobuf::FieldDescriptor;
    using Stream = google::protobuf::io::CodedInputStream;

    void walk(Stream& stream, const Descriptor* type, int depth, std::string& copy);
    void walkField(Stream& stream, std::uint32_t tag, const Descriptor* type, int depth,
                   std::string& copy);
    void walkBytes(Stream& stream, std::uint32_t tag, const Descriptor* type,
                   const FieldDescriptor* field, int depth, std::string& copy);
    void take(std::uint64_t bytes);
    [[nodiscard]] std::uint64_t memoryOf(const Descriptor* type);
    [[noreturn]] void refuse(const std::string& why) const;

    std::string m_path;
    std::uint64_t m_mostMemory;
    std::uint64_t m_memory = 0;  ///< what the message and our lists would take
    bool m_isOutline = false;
    std::map<const Descriptor*, std::uint64_t> m_memoryOf;
};

}  // namespace calibscope::model
