// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cache_folder.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace calibscope::engine {

struct CacheOptions
{
    std::filesystem::path folder;
    std::uint64_t mostBytes = usualCacheBytes;  ///< of all files together
    std::string version;  ///< what another version wrote is not found, and removed
};

/// Byte strings by key that outlive the process, each in a file of its own. Several processes may
/// use one folder at a time: a file is written under another name first and then renamed.
///
/// A file holds its own length, the version, the key, the content, and the SHA-256 of all of that:
/// one that was cut off, changed, or is none of ours is not found, and removed. What can't be read
/// or written is no error but not there.
class CacheFiles
{
public:
    /// Removes what is of other versions or too much.
    explicit CacheFiles(CacheOptions options);

    /// The entry under that key, which counts as used by this.
    [[nodiscard]] std::optional<std::string> find(std::string_view key) const;
    /// Replaces what is cached under that key. More than a sixteenth of the limit is
    /// too much for one key: nothing is cached then. Removes what was not used for longest.
    void keep(std::string_view key, std::string_view content);

private:
    [[nodiscard]] std::filesystem::path fileOf(std::string_view key) const;
    /// Bytes that one process may add before it looks at how much there is.
    [[nodiscard]] std::uint64_t addedAtOnce() const { return m_options.mostBytes / 16; }
    void trim();

    CacheOptions m_options;
    std::string m_beginning;         ///< of the names of this version's files
    std::uint64_t m_addedBytes = 0;  ///< since there was looked
};

}  // namespace calibscope::engine
