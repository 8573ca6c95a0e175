// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/container.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace calibscope {

/// A file of recorded tensors, or a model with its weights, open for reading.
class DumpFile
{
public:
    /// Opens a file and lists its tensors; no values are read. Throws Error(Input) that says what
    /// the file really is where no container format recognises it, or where it breaks off.
    [[nodiscard]] static std::shared_ptr<const DumpFile>
    open(const std::string& path, const DumpOptions& options = {}, const Progress& progress = {});
    explicit DumpFile(Container container);

    [[nodiscard]] const FileIdentity& identity() const { return m_container.identity; }
    /// Whether it holds what was kept of tensors (calib profile), not their values: sources have a
    /// storedProfile, and are interpreted as when it was made.
    [[nodiscard]] bool isProfile() const { return m_container.profile != nullptr; }
    /// The profile itself, with what merging it takes; nullptr for a dump.
    [[nodiscard]] std::shared_ptr<const ProfileDump> profileDump() const
    {
        return m_container.profile;
    }
    /// Other files that hold values of a model, if it was opened with these; their state is part of
    /// the identity.
    [[nodiscard]] const std::vector<std::string>& dataFiles() const
    {
        return m_container.dataFiles;
    }
    /// In file order.
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const { return m_container.tensors; }
    /// The model's inputs, in file order: their names are "batch/input". They are not tensors of
    /// the model, and in none of the lists and look-ups of these.
    [[nodiscard]] const std::vector<TensorInfo>& feeds() const { return m_container.feeds; }
    /// Of the root: model, source, ...
    [[nodiscard]] const std::map<std::string, std::string>& attributes() const
    {
        return m_container.attributes;
    }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return m_container.warnings; }
    /// Its writer has it open for SWMR: what is listed is what was there when it was opened.
    [[nodiscard]] bool isGrowing() const { return m_container.isGrowing; }
    /// The layout rules by which the tensors were understood, in the rules' order.
    [[nodiscard]] const std::vector<RuleUse>& rules() const { return m_container.rules; }

    /// Index of the tensor of that name or path. Throws Error(Input) that lists names like it, or
    /// Error(Usage) with the paths of several tensors of that name.
    [[nodiscard]] std::size_t indexOf(const std::string& nameOrPath) const;
    /// Index of the tensor of that path; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> find(const std::string& path) const;
    /// The tensor's values. The source keeps the file open. Visiting an unreadable tensor throws
    /// Error(Input).
    [[nodiscard]] ValueSource source(std::size_t tensor) const;
    /// The same under another layout override of the tensor (axes, batch size, role, element type),
    /// with its axes as in the file, and of its first batches only. The source's info has the batch
    /// axis in front, as its values come. Of some samples alone: with the blocks, batches and
    /// indices that they have in the whole; the range begins and ends at multiples of
    /// samplesPerCut(), or is all. Throws Error(Input) where what is kept of its batches and
    /// channels alone would exceed the memory budget. Values that the tensor's mask leaves out are
    /// not visited; all are where the info has none.
    [[nodiscard]] ValueSource source(const TensorInfo& understood, std::uint64_t firstBatches = 0,
                                     const SampleRange& range = {}) const;
    /// What counts of a tensor, with its axes as in the file; no counts: it has no mask.
    [[nodiscard]] PositionMask mask(const TensorInfo& tensor) const;
    /// The values of one of the feeds, in one batch; integers beyond 2^24 as the nearest float32.
    [[nodiscard]] ValueSource feedSource(std::size_t feed) const;
    /// The values of a tensor by boxes, with its axes as in the file, under another layout override
    /// of it, those that its mask leaves out, too. They keep the file open. `isFirstLook`: digests that were recorded with the values
    /// are not compared for that, where they were not already. A model's weight is read as a whole
    /// with the first box. Throws Error(Input) for an unreadable tensor.
    [[nodiscard]] ValueBoxes boxes(const TensorInfo& understood, bool isFirstLook = false) const;

    /// Samples between places where a range may begin and end; 0: it must be all.
    [[nodiscard]] std::uint64_t samplesPerCut(const TensorInfo& understood) const;
    /// Index in the whole tensor of the first channel that the file holds of it, as ranks of a
    /// tensor-parallel recording write it: by the attribute first_channel. Nothing where there is
    /// none. Throws Error(Input) for one that is not a whole number from 0 on, or that differs between
    /// datasets of the tensor.
    [[nodiscard]] std::optional<std::uint64_t> firstChannelOf(const TensorInfo& tensor) const;
    /// Number of channels of the tensor in all files together, by the attribute `channels` of a
    /// dataset that holds some of them; otherwise as firstChannelOf().
    [[nodiscard]] std::optional<std::uint64_t> allChannelsOf(const TensorInfo& tensor) const;
    /// Whether the file holds some channels alone of any tensor.
    [[nodiscard]] bool holdsShards() const;
    /// Index in the whole recording of the file's first sample, by the attribute first_sample of
    /// its tensors, else of its root; nothing where there is none. Throws Error(Input) for one that
    /// is not a whole number from 0 on, or that contradicts another.
    [[nodiscard]] std::optional<std::uint64_t> firstSample() const;

private:
    [[nodiscard]] ValueSource withMask(const TensorInfo& tensor, ValueSource values) const;
    [[nodiscard]] std::size_t indexOf(const TensorInfo& understood, const char* who) const;
    [[nodiscard]] std::optional<std::uint64_t> numberOf(const TensorInfo& tensor,
                                                        const char* attribute) const;

    Container m_container;
    std::unordered_map<std::string, std::size_t> m_indices;  ///< of the tensors, by their paths
};

}  // namespace calibscope
