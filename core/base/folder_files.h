// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

namespace calibscope {

/// A file below a folder that is opened as a whole, or of a list of dumps.
struct FolderFile
{
    std::string name;  ///< below the folder: "conv1/0001.npy"; of a list as it has it
    struct stat status = {};
    bool isOutside = false;  ///< a symbolic link that leads out of the folder
};

/// True for names of files with tensors, where a folder is opened as a whole: .npy, .raw,
/// .safetensors, and the .safetensors.index.json of several of these.
[[nodiscard]] bool isFolderDumpName(std::string_view name);

/// True where a path leads, through any links, to a file below that folder; false for a missing
/// file.
[[nodiscard]] bool leadsInto(const std::string& path, const std::string& folder);

constexpr std::string_view dumpListEnding = ".dumplist";

/// A text file of that ending names dumps that are opened as one.
[[nodiscard]] inline bool isDumpList(std::string_view path)
{
    return path.ends_with(dumpListEnding);
}

struct ListedDump
{
    std::string name;        ///< as the list has it
    std::string path;        ///< absolute, or relative to the working folder as the list's own path
    bool isOutside = false;  ///< of the list's folder, which is not that of the user's own lists
};

/// The files and folders that a list names, a path on each line, relative to its folder; lines that
/// are empty or begin with "#" are passed over. Throws Error(Input) for a list that can't be read,
/// names none or more than 256, or another list.
[[nodiscard]] std::vector<ListedDump> listedDumps(const std::string& list);

/// Where the window writes such lists: of these the dumps may lie anywhere.
[[nodiscard]] std::string userListsFolder();

/// The list of these dumps in that folder, whose paths are absolute: of the same ones the same file.
/// Throws Error(Output).
[[nodiscard]] std::string writtenDumpList(std::vector<std::string> dumps);

/// The kind of tensors that a folder is opened for: ".safetensors" where such files lie in the
/// folder itself, else ".npy" where one is among the first 10,000 files below it, else ".raw" in the
/// same way, else nothing: it is not a folder, or not one to be opened. Of a list its own ending.
[[nodiscard]] std::string_view folderDumpEnding(const std::string& folder);

[[nodiscard]] inline bool isFolderDump(const std::string& folder)
{
    return !folderDumpEnding(folder).empty();
}

/// All of them, in the natural order of their names. Hidden files and folders are left out, links
/// to folders are not followed, and links to what is gone are not files. Calls `step` for each,
/// which may throw to stop. Throws Error(Input) where a folder can't be read, or holds more than a
/// million.
[[nodiscard]] std::vector<FolderFile> folderDumpFiles(const std::string& folder,
                                                      const std::function<void()>& step = {});

/// SHA-256 of the names and sizes of these files, as 64 hexadecimal digits: the same for a copy of
/// the folder.
[[nodiscard]] std::string listingSha256(const std::string& folder);

}  // namespace calibscope
