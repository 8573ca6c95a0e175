// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::structure {

/// A message of an object header (HDF5 File Format Specification, IV.A.1 and IV.A.2).
struct StoredMessage
{
    unsigned type = 0;
    unsigned flags = 0;
    StoredReader body;

    [[nodiscard]] bool isShared() const { return (flags & 2U) != 0; }
};

/// Types of messages that matter here.
namespace message {
constexpr unsigned dataspace = 0x01;
constexpr unsigned linkInfo = 0x02;
constexpr unsigned datatype = 0x03;
constexpr unsigned oldFill = 0x04;
constexpr unsigned fill = 0x05;
constexpr unsigned link = 0x06;
constexpr unsigned rawFiles = 0x07;
constexpr unsigned layout = 0x08;
constexpr unsigned groupInfo = 0x0A;
constexpr unsigned filters = 0x0B;
constexpr unsigned attribute = 0x0C;
constexpr unsigned comment = 0x0D;
constexpr unsigned oldTime = 0x0E;
constexpr unsigned sharedTable = 0x0F;
constexpr unsigned continuation = 0x10;
constexpr unsigned symbolTable = 0x11;
constexpr unsigned time = 0x12;
constexpr unsigned treeEntries = 0x13;
constexpr unsigned attributeInfo = 0x15;
constexpr unsigned references = 0x16;
constexpr unsigned fileSpace = 0x17;
constexpr unsigned cacheImage = 0x18;
}  // namespace message

struct ObjectHeader
{
    std::deque<std::string> chunks;  ///< what the messages point into
    std::vector<StoredMessage> messages;
    std::uint32_t links = 1;  ///< how many hard links lead to the object, as it says

    /// The first message of a type; null if there is none.
    [[nodiscard]] const StoredMessage* first(unsigned type) const;
};

/// Checks that an object's messages are such as objects have, and tell what it is: else the library
/// would pass over what a changed number of type left, or over the object. Throws Damage.
void checkKinds(const ObjectHeader& header, std::uint64_t place);

/// Reads the header at an address: signatures, checksums, sizes, continuations. It belongs to the
/// file's owner where that is the object itself; a header that is only looked into does not. Throws
/// Damage.
[[nodiscard]] ObjectHeader readObjectHeader(StoredBytes& file, std::uint64_t address);

}  // namespace calibscope::structure
