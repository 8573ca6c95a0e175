#include "core/engine/file_state.h"

#include "core/base/error.h"
#include "core/dump/file_sha256.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <system_error>

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

std::string stampOf(const struct stat& status)
{
    return fmt::format("{} bytes, {}.{:09} s", status.st_size,
                       static_cast<std::int64_t>(status.st_mtim.tv_sec), status.st_mtim.tv_nsec);
}

}  // namespace

std::string fileState(const std::string& path)
{
    const std::optional<struct stat> status = statusOf(path.c_str());
    std::error_code failure;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
    if (!status || failure || status->st_mtim.tv_sec + coarsestSeconds >= std::time(nullptr))
        return {};
    try {
        return absolute.lexically_normal().string() + '\0' + stampOf(*status) + '\0' +
               headerSha256(path);
    } catch (const Error&) {
        return {};
    }
}

std::string programState()
{
    const std::optional<struct stat> status = statusOf("/proc/self/exe");
    return CALIBSCOPE_VERSION + (status ? ", " + stampOf(*status) : std::string());
}

}  // namespace calibscope::engine
