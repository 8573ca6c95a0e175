// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/global_heap.h"
#include "core/dump/structure/object_header.h"
#include "core/dump/structure/plain_dataset.h"
#include "core/dump/structure/shared_messages.h"
#include "core/dump/structure/stored_bytes.h"
#include "core/dump/structure/stored_type.h"
#include "core/dump/structure/superblock.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace calibscope::structure {

/// State that the checks of all objects of a file share.
struct StructureParts
{
    StoredBytes file;
    SuperblockFacts superblock;
    SharedMessages shared;
    GlobalHeap texts;
    std::uint64_t textBytes = 0;  ///< of variable length in attributes, so far
};

struct CheckedDataset
{
    std::string doubt;  ///< what is odd though nothing is damaged, as a sentence; or empty
    std::optional<PlainDataset> plain;  ///< without its attributes, where it is one
};

/// Checks what a dataset's header says of its elements, shape, storage, filters and fill value, and
/// its table of chunks. Throws Damage.
[[nodiscard]] CheckedDataset checkDataset(StructureParts& parts, const ObjectHeader& header);

/// An attribute that must not be read.
struct DamagedAttribute
{
    std::string name;  ///< empty: none of the object's can be distinguished from the others
    Damage damage;
};

/// Checks all attributes of an object: their messages, and the texts they refer to. Returns their
/// values; nothing where one is damaged or of a kind that attributeValue() does not know.
std::optional<Attributes> checkAttributes(StructureParts& parts, const ObjectHeader& header,
                                          const std::function<void(DamagedAttribute)>& report);

/// The value of a checked attribute, as the library reads it: whole numbers, texts, and one float32
/// or float64. Several floats have the empty value. Nothing for what is stored in another way, and
/// where there are no elements.
[[nodiscard]] std::optional<AttributeValue> attributeValue(StructureParts& parts, StoredReader type,
                                                           const StoredSpace& space,
                                                           StoredReader values);

/// Checks one reference to something of variable length: there must be as much as it tells, since
/// the library makes room for the one and copies the other. Returns its bytes. Throws Damage.
std::uint64_t checkVariable(StructureParts& parts, StoredReader reference,
                            std::uint64_t elementBytes);

}  // namespace calibscope::structure
