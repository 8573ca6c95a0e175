#pragma once

#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::spread {

/// What a file lists.
struct ListedFile
{
    std::string path;
    /// Index of its first sample in the whole recording, where the recorder tells it.
    std::optional<std::uint64_t> firstSample;
    std::vector<TensorInfo> tensors;  ///< axes as in the file
    /// Indices of those of which it says that it holds some channels alone (first_channel).
    std::vector<std::size_t> shards;
};

struct JoinedPart
{
    std::size_t file = 0;    ///< index among the listed files
    std::size_t tensor = 0;  ///< index in that file's list
};

/// Tensors of equal path, one after another along their batch axis.
struct JoinedTensor
{
    TensorInfo info;
    std::vector<JoinedPart> parts;  ///< in recorded order
    /// A weight or another tensor without batches, which every file holds again: its parts are to
    /// be equal, and stand for one.
    bool isConstant = false;
    std::string problem;  ///< why it can't be joined, as a sentence with the file; or empty
};

struct JoinedFiles
{
    std::vector<std::size_t> order;     ///< indices of the files in recorded order
    bool isByName = false;              ///< of several files, since not each tells its first sample
    std::vector<JoinedTensor> tensors;  ///< in the order of their first listing
};

/// Files in the order of their first samples, by which they follow each other, or else by name in
/// natural order; tensors joined by path. Throws Error(Usage) where first samples overlap.
[[nodiscard]] JoinedFiles joinedFiles(std::span<const ListedFile> files);

/// Whether one name comes before another where runs of digits count as numbers: "rank2" before
/// "rank10". Names that differ in leading zeros alone are in the order of their characters.
[[nodiscard]] bool isNaturallyLess(std::string_view left, std::string_view right);

}  // namespace calibscope::spread
