// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/whole_file.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace calibscope {

/// Files in a folder that is not finished: they reach the disk with it, not each on its own.
constexpr WholeFileOptions inUnfinishedFolder{.isSynced = false};

/// A folder that appears only when it is whole: it grows beside its place under another name, and
/// finish() renames it.
class OutputFolder
{
public:
    enum class Existing { Refuse, Replace };

    /// Throws Error(Output) where something is there already, with Replace only if that is neither
    /// an empty folder nor one that holds `mark`, a file that all folders of this kind have: a home
    /// folder must not be replaced by a slip of the pen. Also if the folder can't be made.
    OutputFolder(const std::string& target, Existing existing, std::string_view mark);
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    /// Removes all that was written if finish() was not reached.
    ~OutputFolder();

    /// Where to write to in the meantime.
    [[nodiscard]] const std::filesystem::path& path() const { return m_temporary; }
    /// Makes a folder in it. Throws Error(Output).
    void makeFolder(std::string_view name) const;
    /// Writes a file in it. Throws Error(Output).
    void write(const std::filesystem::path& name, std::string_view content) const;
    /// Puts it in its place, once all in it has reached the disk, in exchange for what was there
    /// before, which goes away after that: whenever the process ends, there is the one or the other
    /// (where the file system can't exchange two folders, but for a moment). Throws
    /// Error(Output).
    void finish();

private:
    std::string m_given;  ///< for messages
    std::filesystem::path m_target;
    std::filesystem::path m_temporary;  ///< empty: renamed already
};

/// File names for tensors: safe everywhere, and each given once.
class FileNames
{
public:
    /// The name with all but ASCII letters, digits, dot, minus and underscore replaced by `_`, cut
    /// to 100 characters, without a leading dot; with "-2", "-3", ... behind it where it was given
    /// before. Names that differ in case alone count as one.
    [[nodiscard]] std::string next(std::string_view tensor);

private:
    std::set<std::string> m_given;  ///< in lower case
};

}  // namespace calibscope
