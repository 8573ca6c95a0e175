// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/base/progress.h"
#include "core/dump/dataset_facts.h"
#include "core/stats/rule_use.h"
#include "core/tensor/position_mask.h"
#include "core/tensor/sample_range.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_boxes.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

class ProfileDump;

struct DumpOptions
{
    std::uint64_t memoryBytes = std::uint64_t{160}
                                << 20;  ///< budget for blocks, profiles and gathered channels
    bool allowExternal = false;         ///< links and raw data in other files are followed
    /// A file that its writer has open for SWMR (single writer, multiple readers) is opened as it
    /// is, for a look; a warning says so. Its values are those that were there then.
    bool allowGrowing = false;
    bool mergeNumbered = true;  ///< numbered datasets of one shape may be batches of one tensor
};

/// The datasets that hold a tensor's values, in their order.
using Datasets = std::vector<std::shared_ptr<const DatasetFacts>>;

/// An open file of tensors, whatever its format: its facts, and functions that read values. The
/// functions keep the file open; each takes the index of a tensor in the list, and is called by
/// several threads at once.
struct Container
{
    FileIdentity identity = {};
    std::vector<TensorInfo> tensors = {};  ///< in file order; unreadable ones with their reason
    std::map<std::string, std::string> attributes = {};  ///< of the root: model, source, ...
    std::vector<std::string> warnings = {};              ///< "PATH: sentence"
    std::vector<RuleUse> rules = {};                     ///< layout rules, in the rules' order
    std::vector<std::string> dataFiles =
        {};                              ///< other files that hold values; part of the identity
    std::vector<TensorInfo> feeds = {};  ///< inputs of the model that was recorded
    bool isGrowing = false;              ///< of DumpOptions::allowGrowing

    /// Values of a tensor under a layout override, of its first batches (0: all) and of a range of
    /// samples; cutToBatches() does the former. Visiting an unreadable tensor throws Error(Input).
    std::function<ValueSource(std::size_t tensor, const TensorInfo& understood,
                              std::uint64_t firstBatches, const SampleRange& range)>
        source = {};
    /// Values of a readable tensor by boxes; the first look may leave digests unchecked.
    std::function<ValueBoxes(std::size_t tensor, const TensorInfo& understood, bool isFirstLook)>
        boxes = {};

    // What only some containers have.
    /// What counts of a tensor whose info has a mask, with its axes as in the file. DumpFile leaves
    /// the rest out of what source() gives.
    std::function<PositionMask(std::size_t tensor)> mask = {};
    std::function<ValueSource(std::size_t feed, const TensorInfo& info)> feedSource = {};
    /// Samples between the places where a range may begin and end; without it, it must be all.
    std::function<std::uint64_t(std::size_t tensor, const TensorInfo& understood)> samplesPerCut =
        {};
    std::shared_ptr<const std::vector<Datasets>> datasets =
        {};                                           ///< of each tensor, with attributes
    std::shared_ptr<const ProfileDump> profile = {};  ///< in place of values
};

/// A format of containers: one file of core/dump/containers each.
struct ContainerFormat
{
    std::string_view id;
    /// Whether a file of that path with these first bytes (up to 64 KiB) is one. May open it.
    bool (*recognise)(std::string_view firstBytes, const std::string& path) = nullptr;
    /// Throws Error(Input), a sentence with the path, for what is damaged, and Cancelled.
    Container (*open)(const std::string& path, const DumpOptions& options,
                      const Progress& progress) = nullptr;
};

/// All formats, in the order of their files' names.
[[nodiscard]] const std::vector<ContainerFormat>& containerFormats();

/// The format that recognises a file by its first bytes; nullptr where none does.
[[nodiscard]] const ContainerFormat* containerFormat(std::string_view firstBytes,
                                                     const std::string& path);

/// The tensor cut to its first batches; 0: all. Throws Error(Input) where what is kept of each batch
/// and channel would exceed the memory budget. `file`: for the sentence.
[[nodiscard]] TensorInfo cutToBatches(TensorInfo understood, std::uint64_t firstBatches,
                                      std::uint64_t memoryBytes, const std::string& file);

}  // namespace calibscope
