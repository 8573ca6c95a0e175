// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The folder where the engine keeps what it computed of dumps from one run to the next. It is the
/// user's own, and everything in it can be computed again.
namespace calibscope {

/// What such a folder takes unless something else is said.
constexpr std::uint64_t usualCacheBytes = std::uint64_t{512} << 20;

/// $XDG_CACHE_HOME/calibscope, or ~/.cache/calibscope where that is not set or no absolute path;
/// empty without a home. It need not exist.
[[nodiscard]] std::filesystem::path userCacheFolder();

/// $XDG_DATA_HOME/calibscope, or ~/.local/share/calibscope, likewise: what the window keeps for its
/// user.
[[nodiscard]] std::filesystem::path userDataFolder();

/// Why a folder is not to be used as the cache, as a sentence; empty: it may be, also where it is
/// not there yet. A link leads to a place that another may choose, and into a folder that others
/// may write to they can put answers: the digests of its files tell damage, not malice.
[[nodiscard]] std::string cacheFolderProblem(const std::filesystem::path& folder);

/// How the names of the cache's own files end; one that is not whole yet has a partName() of such a
/// name. Files of other names are not touched.
constexpr std::string_view cacheFileEnding = ".kept";

struct CacheFile
{
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type used;  ///< written or read last
};

/// The cache's own files, the latest used first; none where there is no such folder.
[[nodiscard]] std::vector<CacheFile> cacheFiles(const std::filesystem::path& folder);
[[nodiscard]] std::uint64_t cachedBytes(const std::filesystem::path& folder);

/// Removes the files that were not used for longest, until the others have at most that many bytes
/// together. What can't be removed stays.
void trimCache(const std::filesystem::path& folder, std::uint64_t mostBytes);
void clearCache(const std::filesystem::path& folder);

/// Removes the files whose names do not begin so, and what a writer that is no more left
/// unfinished.
void keepOnly(const std::filesystem::path& folder, std::string_view beginning);

}  // namespace calibscope
