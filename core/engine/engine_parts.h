// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/base/progress.h"
#include "core/collect/analyse.h"
#include "core/recipes/outcome.h"
#include "core/stats/profile.h"
#include "core/stats/rule_use.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_boxes.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace calibscope::engine {

/// A text that is another one for another file and after every change of this one: of absolute
/// path, device, inode, size, times of change of contents and inode to the nanosecond, and the hash
/// of its header. Empty where that can't
/// be determined: of no file, and of one that was changed within the last two seconds, for the next
/// change may leave the same time.
[[nodiscard]] std::string fileState(const std::string& path);

/// The same of the program that is running: its version changes with each build of it.
[[nodiscard]] std::string programState();

/// A dump as the engine needs it.
struct OpenDump
{
    FileIdentity identity;  ///< with the SHA-256 of its header
    std::map<std::string, std::string> attributes;
    std::vector<std::string> warnings;
    std::vector<RuleUse> rules;
    std::vector<TensorInfo> tensors;
    std::vector<TensorInfo> feeds = {};  ///< DumpFile::feeds()
    /// The values of one of the tensors, however it is understood, of its first batches only
    /// (0: all).
    std::function<ValueSource(const TensorInfo& understood, std::uint64_t firstBatches)> source;
    /// The values of one of the tensors by boxes (DumpFile::boxes()).
    std::function<ValueBoxes(const TensorInfo& understood, bool isFirstLook)> boxes = {};
    /// Index of its first sample in the recording. Throws Error(Input) where the file contradicts itself.
    std::function<std::uint64_t()> firstSample = [] { return std::uint64_t{0}; };
    /// Other files whose values are the dump's, and whose state is part of its identity.
    std::vector<std::string> dataFiles = {};
    /// As EngineParts::state told it while it was opened; empty: nothing of it is to be cached.
    std::string state = {};
    bool isGrowing = false;  ///< its writer has it open (DumpFile::isGrowing())
    /// Its listed tensors stay readable when more is appended to the file or folder.
    bool isAppendedTo = false;
};

/// The engine's parts; tests put in their own.
struct EngineParts
{
    /// The file as it is now. Throws Error(Input).
    std::function<FileIdentity(const std::string& path, std::span<const std::string> dataFiles)>
        identify;
    std::function<std::shared_ptr<const OpenDump>(const std::string& path, bool allowExternal,
                                                  const Progress& progress)>
        open;
    std::function<std::vector<Outcome>(const ValueSource&, TensorProfile&, std::span<const Choice>,
                                       const AnalyseOptions&, const Progress&)>
        analyse;
    /// fileState(), or nothing: then nothing is cached.
    std::function<std::string(const std::string& path)> state = {};
    /// Has programs of the user's own asked while that work goes on; or nothing: none are run.
    std::function<AskProgram(const Progress& progress)> programs = {};
};

/// HDF5 files and analyse().
[[nodiscard]] EngineParts dumpFileParts(std::uint64_t memoryBytes);

}  // namespace calibscope::engine
