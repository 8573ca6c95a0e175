// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cache_folder.h"

#include "core/base/whole_file.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace calibscope {

namespace {

namespace fs = std::filesystem;

/// After so long nobody is writing it any more.
constexpr std::chrono::hours longestWriting{1};

bool isUnfinished(const fs::path& file)
{
    return file.extension().string().starts_with(partMark);
}

/// What the variable holds, if that is an absolute path: others are to be left aside (XDG Base
/// Directory Specification).
fs::path absoluteFrom(const char* variable)
{
    const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    fs::path path = text != nullptr ? text : "";
    return path.is_absolute() ? path : fs::path();
}

/// The program's folder where that variable says, else below that one of the home.
fs::path ownFolder(const char* variable, const char* inHome)
{
    if (const fs::path folder = absoluteFrom(variable); !folder.empty())
        return folder / "calibscope";
    const fs::path home = absoluteFrom("HOME");
    return home.empty() ? fs::path() : home / inHome / "calibscope";
}

/// Another process may have removed it already.
void removeQuietly(const fs::path& path)
{
    std::error_code ignored;
    fs::remove(path, ignored);
}

}  // namespace

fs::path userCacheFolder()
{
    return ownFolder("XDG_CACHE_HOME", ".cache");
}

fs::path userDataFolder()
{
    return ownFolder("XDG_DATA_HOME", ".local/share");
}

std::string cacheFolderProblem(const fs::path& folder)
{
    // A separator at the end would have a link followed.
    const fs::path place = folder.has_filename() ? folder : folder.parent_path();
    struct stat status = {};
    if (::lstat(place.c_str(), &status) != 0)
        return {};
    const auto told = [&](const std::string& why) {
        return "the cache folder " + place.string() + " is not used: " + why;
    };
    if (S_ISLNK(status.st_mode))
        return told("it is a link");
    if (!S_ISDIR(status.st_mode))
        return told("it is not a folder");
    if (status.st_uid != ::geteuid())
        return told("it belongs to another user");
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return told("others may write to it; chmod 700 makes it yours alone");
    return {};
}

std::vector<CacheFile> cacheFiles(const fs::path& folder)
{
    std::vector<CacheFile> files;
    std::error_code failure;
    for (auto entry = fs::directory_iterator(folder, failure);
         !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        const fs::path whole = isUnfinished(*entry) ? entry->path().stem() : entry->path();
        if (whole.extension() != cacheFileEnding)
            continue;
        std::error_code vanished;
        if (!fs::is_regular_file(entry->symlink_status(vanished)))
            continue;
        CacheFile file{.path = entry->path(), .bytes = entry->file_size(vanished), .used = {}};
        if (!vanished)
            file.used = entry->last_write_time(vanished);
        if (!vanished)
            files.push_back(std::move(file));
    }
    std::ranges::sort(files, std::ranges::greater{}, &CacheFile::used);
    return files;
}

std::uint64_t cachedBytes(const fs::path& folder)
{
    std::uint64_t bytes = 0;
    for (const CacheFile& file : cacheFiles(folder))
        bytes += file.bytes;
    return bytes;
}

void trimCache(const fs::path& folder, std::uint64_t mostBytes)
{
    std::uint64_t bytes = 0;
    for (const CacheFile& file : cacheFiles(folder)) {
        if (file.bytes > mostBytes - bytes)
            removeQuietly(file.path);
        else
            bytes += file.bytes;
    }
}

void clearCache(const fs::path& folder)
{
    for (const CacheFile& file : cacheFiles(folder))
        removeQuietly(file.path);
}

void keepOnly(const fs::path& folder, std::string_view beginning)
{
    const auto old = fs::file_time_type::clock::now() - longestWriting;
    for (const CacheFile& file : cacheFiles(folder)) {
        const std::string name = file.path.filename().string();
        if (isUnfinished(file.path) ? file.used < old : !name.starts_with(beginning))
            removeQuietly(file.path);
    }
}

}  // namespace calibscope
