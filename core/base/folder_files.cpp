// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/folder_files.h"

#include "core/base/cache_folder.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/base/natural_order.h"
#include "core/base/whole_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace calibscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostFiles = 1'000'000;
constexpr std::size_t mostLookedAt = 10'000;

bool isHidden(const fs::path& path)
{
    return path.filename().native().starts_with('.');
}

/// Calls `visit` with each file of such a name below the folder, until it returns false; nothing,
/// with the reason, where the folder can't be read.
std::error_code visitFiles(const std::string& folder,
                           const std::function<bool(const fs::directory_entry&)>& visit)
{
    std::error_code failure;
    std::error_code ignored;
    for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        if (isHidden(entry->path())) {
            entry.disable_recursion_pending();
            continue;
        }
        if (!entry->is_directory(ignored) && !visit(*entry))
            return {};
    }
    return failure;
}

/// The files of the dumps that are there.
std::vector<FolderFile> filesOfList(const std::string& list, const std::function<void()>& step)
{
    std::vector<FolderFile> files;
    for (const ListedDump& dump : listedDumps(list)) {
        if (step)
            step();
        FolderFile file{.name = dump.name};
        if (::stat(dump.path.c_str(), &file.status) != 0)
            continue;
        if (!S_ISDIR(file.status.st_mode)) {
            files.push_back(std::move(file));
            continue;
        }
        for (FolderFile& below : folderDumpFiles(dump.path, step)) {
            below.name.insert(0, dump.name + "/");
            files.push_back(std::move(below));
        }
    }
    return files;
}

}  // namespace

std::string userListsFolder()
{
    const fs::path folder = userDataFolder();
    return folder.empty() ? std::string() : (folder / "lists").string();
}

std::string writtenDumpList(std::vector<std::string> dumps)
{
    std::ranges::sort(dumps, naturallyBeforeWithCase);
    std::string text;
    for (const std::string& dump : dumps)
        text += dump + "\n";
    constexpr std::size_t digits = 6;
    const fs::path folder = userListsFolder();
    const std::string name = fs::path(dumps.at(0)).stem().string() + "+" +
                             std::to_string(dumps.size() - 1) + "-" +
                             hexText(sha256(text)).substr(0, digits) + std::string(dumpListEnding);
    try {
        fs::create_directories(folder);
        writeWholeFile((folder / name).string(), text);
    } catch (const std::system_error& error) {
        throw Error(Fault::Output, "{}: the list of the dumps can't be written: {}",
                    (folder / name).string(), error.what());
    }
    return (folder / name).string();
}

std::vector<ListedDump> listedDumps(const std::string& list)
{
    constexpr std::size_t mostDumps = 256;
    constexpr std::size_t longestList = std::size_t{1} << 20U;
    const auto fail = [&](const std::string& what) {
        throw Error(Fault::Input, list + ": " + what);
    };
    std::error_code failure;
    std::ifstream file(list, std::ios::binary);
    if (!fs::is_regular_file(list, failure) || !file)
        fail("the list can't be read");
    if (fs::file_size(list, failure) > longestList)
        fail("is no list of dumps: it has more than a MiB");
    const fs::path folder = fs::path(list).parent_path();
    const std::string around = folder.empty() ? "." : folder.string();
    const bool isOwn = !userListsFolder().empty() && leadsInto(list, userListsFolder());
    std::vector<ListedDump> dumps;
    for (std::string line; std::getline(file, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (line.empty() || line.starts_with('#'))
            continue;
        if (line.find('\0') != std::string::npos)
            fail("is no list of dumps: it is not text");
        const std::string path = (folder / line).string();
        if (isDumpList(path))
            fail("names another list, " + line + "; name its dumps");
        if (dumps.size() == mostDumps)
            fail("names more than " + std::to_string(mostDumps) +
                 " dumps; calib profile makes one file of any number");
        dumps.push_back(
            {.name = line,
             .path = path,
             .isOutside = !isOwn && fs::exists(path, failure) && !leadsInto(path, around)});
    }
    if (dumps.empty())
        fail("names no dumps; it has the path of one on each line");
    return dumps;
}

bool isFolderDumpName(std::string_view name)
{
    constexpr std::array<std::string_view, 4> endings{".npy", ".raw", ".safetensors",
                                                      ".safetensors.index.json"};
    return std::ranges::any_of(endings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

bool leadsInto(const std::string& path, const std::string& folder)
{
    std::error_code failure;
    const fs::path own = fs::canonical(folder, failure);
    const fs::path target = failure ? fs::path() : fs::canonical(path, failure);
    return !failure && std::ranges::mismatch(own, target).in1 == own.end();
}

std::string_view folderDumpEnding(const std::string& folder)
{
    constexpr std::string_view split = ".safetensors";
    constexpr std::string_view array = ".npy";
    constexpr std::string_view raw = ".raw";
    std::error_code failure;
    if (isDumpList(folder) && fs::is_regular_file(folder, failure))
        return dumpListEnding;
    if (!fs::is_directory(folder, failure))
        return {};
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (entry->path().native().ends_with(split) && !isHidden(entry->path()))
            return split;
    bool hasArrays = false;
    bool hasRawFiles = false;
    std::size_t seen = 0;
    (void)visitFiles(folder, [&](const fs::directory_entry& entry) {
        hasArrays = entry.path().native().ends_with(array);
        hasRawFiles = hasRawFiles || entry.path().native().ends_with(raw);
        return !hasArrays && ++seen < mostLookedAt;
    });
    return hasArrays ? array : hasRawFiles ? raw : std::string_view();
}

std::vector<FolderFile> folderDumpFiles(const std::string& folder,
                                        const std::function<void()>& step)
{
    if (isDumpList(folder) && !fs::is_directory(folder))
        return filesOfList(folder, step);
    std::error_code ignored;
    const std::size_t prefix = fs::path(folder).native().size();
    std::vector<FolderFile> files;
    const std::error_code failure = visitFiles(folder, [&](const fs::directory_entry& entry) {
        const std::string& path = entry.path().native();
        FolderFile file;
        if (!isFolderDumpName(path) || ::stat(path.c_str(), &file.status) != 0 ||
            S_ISDIR(file.status.st_mode))
            return true;
        if (step)
            step();
        if (files.size() == mostFiles)
            throw Error(Fault::Input, folder + ": holds more than a million files of tensors");
        file.name = path.substr(path.find_first_not_of('/', prefix));
        file.isOutside = entry.is_symlink(ignored) && !leadsInto(path, folder);
        files.push_back(std::move(file));
        return true;
    });
    if (failure)
        throw Error(Fault::Input, folder + ": the folder can't be read: " + failure.message());
    std::ranges::sort(files, naturallyBefore, &FolderFile::name);
    return files;
}

std::string listingSha256(const std::string& folder)
{
    Sha256 digest;
    for (const FolderFile& file : folderDumpFiles(folder))
        digest.add(file.name + '\0' + std::to_string(file.status.st_size) + '\n');
    return hexText(digest.finish());
}

}  // namespace calibscope
