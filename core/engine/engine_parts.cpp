// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_parts.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/dump/dump_file.h"
#include "core/dump/file_check.h"

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace calibscope::engine {

namespace {

/// The coarsest time stamps that are in use, those of FAT.
constexpr std::time_t coarsestSeconds = 2;

std::optional<struct stat> statusOf(const char* path)
{
    struct stat status
    {
    };
    return ::stat(path, &status) == 0 ? std::optional{status} : std::nullopt;
}

/// The time of change of the inode can't be set back, as rsync and cp -p do with the other.
std::string stateText(const struct stat& status)
{
    return fmt::format("device {}, inode {}, {} bytes, {}.{:09} s, {}.{:09} s", status.st_dev,
                       status.st_ino, status.st_size,
                       static_cast<std::int64_t>(status.st_mtim.tv_sec), status.st_mtim.tv_nsec,
                       static_cast<std::int64_t>(status.st_ctim.tv_sec), status.st_ctim.tv_nsec);
}

}  // namespace

std::string fileState(const std::string& path)
{
    const std::optional<struct stat> status = statusOf(path.c_str());
    std::error_code failure;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
    if (!status || failure || !S_ISREG(status->st_mode) || isDumpList(path))
        return {};  // a named pipe would be waited for; of a folder or list nothing is stored
    if (status->st_mtim.tv_sec + coarsestSeconds >= std::time(nullptr))
        return {};
    try {
        return absolute.lexically_normal().string() + '\0' + stateText(*status) + '\0' +
               headerSha256(path);
    } catch (const Error&) {
        return {};
    }
}

std::string programState()
{
    const std::optional<struct stat> status = statusOf("/proc/self/exe");
    return CALIBSCOPE_VERSION + (status ? ", " + stateText(*status) : std::string());
}

EngineParts dumpFileParts(std::uint64_t memoryBytes)
{
    const auto openFile = [memoryBytes](const std::string& path, bool allowExternal,
                                        const Progress& progress) {
        // What lies in other files may change without this one.
        const std::string state = allowExternal ? std::string() : fileState(path);
        const std::shared_ptr<const DumpFile> file = DumpFile::open(
            path,
            {.memoryBytes = memoryBytes, .allowExternal = allowExternal, .allowGrowing = true},
            progress);
        std::error_code failure;
        FileIdentity identity = file->identity();
        identity.headerSha256 = headerSha256(path);
        return std::make_shared<const OpenDump>(OpenDump{
            .identity = std::move(identity),
            .attributes = file->attributes(),
            .warnings = file->warnings(),
            .rules = file->rules(),
            .tensors = file->tensors(),
            .feeds = file->feeds(),
            .source =
                [file](const TensorInfo& understood, std::uint64_t firstBatches) {
                    return file->source(understood, firstBatches);
                },
            .boxes = [file](const TensorInfo& understood,
                            bool isFirstLook) { return file->boxes(understood, isFirstLook); },
            .firstSample = [file] { return file->firstSample().value_or(0); },
            .dataFiles = file->dataFiles(),
            .state = file->dataFiles().empty() && fileState(path) == state ? state : std::string(),
            .isGrowing = file->isGrowing(),
            // Of a folder each file is held against its own state when it is read.
            .isAppendedTo = file->isGrowing() || std::filesystem::is_directory(path, failure)});
    };
    const auto identify = [](const std::string& path, std::span<const std::string> dataFiles) {
        return checkedIdentity(path, dataFiles);
    };
    return {.identify = identify, .open = openFile, .analyse = analyse, .state = fileState};
}

}  // namespace calibscope::engine
