#pragma once

#include "core/base/file_identity.h"
#include "core/base/progress.h"
#include "core/stats/rule_use.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_boxes.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

class ProfileDump;

struct DumpOptions
{
    std::uint64_t memoryBytes = std::uint64_t{160}
                                << 20;  ///< budget for blocks, profiles and gathered channels
    bool allowExternal = false;         ///< links and raw data in other files are followed
    /// A file that its writer has open for SWMR (single writer, multiple readers) is opened as it
    /// is, for a look; a warning says so. Its values can be read until it changes.
    bool allowGrowing = false;
    bool mergeNumbered = true;  ///< numbered datasets of one shape may be batches of one tensor
};

/// An HDF5 file of recorded tensors, or an ONNX model with its weights, open for reading.
class DumpFile
{
public:
    /// Opens a file and lists its datasets, or a model's weights; no values are read. Throws
    /// Error(Input) that says what the file really is where it is not HDF5, or where it breaks off.
    /// Tensors that can't be read are in the list with their reason.
    [[nodiscard]] static std::shared_ptr<const DumpFile>
    open(const std::string& path, const DumpOptions& options = {}, const Progress& progress = {});
    ~DumpFile();

    [[nodiscard]] const FileIdentity& identity() const;
    /// Whether it holds what was kept of tensors (calib profile), not their values: sources have a
    /// storedProfile, and are understood as when it was made.
    [[nodiscard]] bool isProfile() const;
    /// The profile itself, with what merging it takes; nullptr for a dump.
    [[nodiscard]] std::shared_ptr<const ProfileDump> profileDump() const;
    /// Other files that hold values of a model, if it was opened with these; their state is part of
    /// the identity.
    [[nodiscard]] std::vector<std::string> dataFiles() const;
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const;  ///< in file order
    /// What the model was fed, in file order: their names are "batch/input". They are no tensors of
    /// the model, and in none of the lists and look-ups of these.
    [[nodiscard]] const std::vector<TensorInfo>& feeds() const;
    [[nodiscard]] const std::map<std::string, std::string>&
    attributes() const;  ///< of the root: model, source, ...
    [[nodiscard]] const std::vector<std::string>& warnings() const;
    /// The layout rules by which the tensors were understood, in the rules' order.
    [[nodiscard]] const std::vector<RuleUse>& rules() const;

    /// Index of the tensor of that name or path. Throws Error(Input) that lists names like it, or
    /// Error(Usage) with the paths of several tensors of that name.
    [[nodiscard]] std::size_t indexOf(const std::string& nameOrPath) const;
    /// Index of the tensor of that path; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> find(const std::string& path) const;
    /// The tensor's values. The source keeps the file open. Visiting an unreadable tensor throws
    /// Error(Input).
    [[nodiscard]] ValueSource source(std::size_t tensor) const;
    /// The values of one of the feeds, in one batch; integers beyond 2^24 as the nearest float32.
    [[nodiscard]] ValueSource feedSource(std::size_t feed) const;
    /// The same under another layout override of the tensor (axes, batch size, role, element type),
    /// with its axes as in the file, and of its first batches only. The source's info has the batch
    /// axis in front, as its values come. Throws Error(Input) where what is kept of its batches and
    /// channels alone would exceed the memory budget.
    [[nodiscard]] ValueSource source(const TensorInfo& understood,
                                     std::uint64_t firstBatches = 0) const;
    /// The values of a tensor by boxes, with its axes as in the file, under another layout override
    /// of it. They keep the file open. `isFirstLook`: digests that were recorded with the values
    /// are not compared for that, where they were not already. A model's weight is read as a whole
    /// with the first box. Throws Error(Input) for an unreadable tensor.
    [[nodiscard]] ValueBoxes boxes(const TensorInfo& understood, bool isFirstLook = false) const;

private:
    struct Impl;
    explicit DumpFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope
