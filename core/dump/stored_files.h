// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/stored_tensors.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace calibscope {

/// Facts of a dataset as it is before its elements are described: stored plainly, without checksum.
[[nodiscard]] DatasetFacts factsAt(std::string path);

/// The datasets of a container while it is opened.
struct StoredList
{
    StoredTensors stored;
    Container made;

    void add(DatasetFacts facts, ElementLocation location);
};

/// The reason of an unreadable dataset, from an error's sentence that may begin with "it: ".
[[nodiscard]] Unreadable unreadableBy(const std::string& problem);

/// A folder whose files of one ending hold a tensor each.
struct StoredFolder
{
    std::string path;
    std::string_view ending;
    /// The dataset's path for a file's name below the folder.
    std::function<std::string(const std::string& name)> pathFor;
    /// Facts and location of the elements of a regular file of that name and so many bytes. It may
    /// throw Error(Input), a sentence that begins with "it: ", which becomes the reason.
    std::function<void(const std::string& name, int descriptor, std::uint64_t bytes,
                       DatasetFacts& facts, ElementLocation& location)>
        describe;
};

/// Opens the folder: each file is a dataset, and what is wrong with one is its own reason. A folder
/// of batches ("0001/conv1" or "conv1/0001") is turned into tensors of batches, where
/// `list.stored.mergeNumbered` says so. Sorted by path in natural order.
void addStoredFiles(const StoredFolder& folder, const DumpOptions& options,
                    const Progress& progress, StoredList& list);

/// The same of the single file of that name.
void addStoredFile(const std::string& name, const StoredFolder& folder, StoredList& list);

/// The path of a file that says something on a folder's files: in it, or in one of the two folders
/// above. `matches` is asked with paths of regular files, in their natural order; links are not
/// followed.
[[nodiscard]] std::optional<std::string>
fileAtOrAbove(const std::string& folder,
              const std::function<bool(const std::string& path)>& matches);

}  // namespace calibscope
