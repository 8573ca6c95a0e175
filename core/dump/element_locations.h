// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/open_descriptor.h"
#include "core/base/progress.h"
#include "core/dump/ggml_blocks.h"
#include "core/dump/zip_archive.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_boxes.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// Reads all of `bytes` from there on. Throws Error(Input), `who` and a sentence.
void readAt(int descriptor, std::uint64_t from, std::span<std::byte> bytes, const std::string& who);

/// A file that holds elements. It is opened whenever some are read: there may be more than a
/// process may have open.
struct ElementFile
{
    std::string path;
    std::string stamp;  ///< FileIdentity::stamp when it was listed
};

/// Where the elements of a dataset lie, in one piece.
struct ElementLocation
{
    std::size_t file = 0;
    std::uint64_t begin = 0;  ///< in the file, or in the unpacked member
    std::uint64_t end = 0;    ///< behind the last one
    bool isBigEndian = false;
    bool isFortran = false;                        ///< the first index runs fastest
    std::shared_ptr<const ZipMember> member = {};  ///< of an archive; nothing: of the file itself
    const GgmlBlocks* blocks = nullptr;  ///< that stand for float32; nothing: elements as they are

    /// Whether any run of them can be read where it lies.
    [[nodiscard]] bool isPlain() const { return !member && !isFortran; }
};

/// The elements there, read in row-major order.
struct LocatedElements
{
    const ElementFile& file;
    const ElementLocation& location;
    std::vector<std::uint64_t> shape;
    std::size_t elementBytes = 0;
    std::uint64_t memoryBytes = 0;  ///< that may be taken
    std::string who;                ///< before sentences

    /// Calls `take` with whole elements, of blocks the float32 that they stand for, in row-major order, as many as `wantedBytes` hold and
    /// perhaps more; a member of an archive is always read to its end, where its checksum is
    /// verified. Takes a few MiB; of Fortran's order up to half the memory, of which a packed one
    /// must fit into that. Throws Error(Input), also for a file that is no longer what was listed.
    void visit(std::uint64_t wantedBytes,
               const std::function<void(std::span<const std::byte>)>& take) const;
};

/// Boxes of plain elements, of which each reads its own runs alone.
[[nodiscard]] ValueBoxes locatedBoxes(ElementFile file, ElementLocation location, std::string who,
                                      const TensorInfo& info);

}  // namespace calibscope
