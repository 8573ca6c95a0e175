// SPDX-License-Identifier: GPL-3.0-or-later
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

/// What a file says of a tensor of which it holds some channels alone.
struct ListedShard
{
    std::size_t tensor = 0;  ///< index in the file's list
    std::optional<std::uint64_t> firstChannel;
    std::optional<std::uint64_t> allChannels = {};  ///< of all files, where the recorder tells it
    std::string problem = {};  ///< in its place: why it can't be determined, as a sentence
};

/// What a file lists.
struct ListedFile
{
    std::string path;
    /// Index of its first sample in the whole recording, where the recorder tells it.
    std::optional<std::uint64_t> firstSample;
    std::vector<TensorInfo> tensors;  ///< axes as in the file
    std::vector<ListedShard> shards;  ///< ascending by tensor
    bool holdsShards = false;         ///< of tensors that are not listed, too
};

struct JoinedPart
{
    std::size_t file = 0;            ///< index among the listed files
    std::size_t tensor = 0;          ///< index in that file's list
    std::size_t group = 0;           ///< parts of the same samples have the same
    std::uint64_t firstChannel = 0;  ///< in the whole
    /// In other files, which must hold the same values: they are taken once.
    std::vector<JoinedPart> copies = {};
};

/// Tensors of equal path, one after another along their batch axis, and along their channel axis
/// those that are of the same samples.
struct JoinedTensor
{
    TensorInfo info;
    /// In recorded order; those of the same samples by channel.
    std::vector<JoinedPart> parts;
    /// A weight or another tensor without batches, which every file holds again.
    bool isConstant = false;
    bool isSharded = false;  ///< its parts hold some channels alone
    std::string problem;     ///< why it can't be joined, as a sentence with the file; or empty
};

struct JoinedFiles
{
    std::vector<std::size_t> order;     ///< indices of the files in recorded order
    bool isByName = false;              ///< of several files, since not each tells its first sample
    std::vector<JoinedTensor> tensors;  ///< in the order of their first listing
};

/// Files in the order of their first samples, by which they follow each other, or else by name in
/// natural order; tensors joined by path. Throws Error(Usage) where first samples overlap.
///
/// Files that hold shards are of the same samples if they have the same first sample; without first
/// samples the n-th files, in order of names, of each first channel are. What such files hold as a
/// whole they hold as copies. Of a single file a tensor stays as it is, whatever channels it says
/// that it holds.
[[nodiscard]] JoinedFiles joinedFiles(std::span<const ListedFile> files);

}  // namespace calibscope::spread
