// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/file_rules.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace calibscope::engine {

namespace {

// linux/landlock.h of the distributions in use is older than their kernels. Its calls have the
// same numbers on every processor.
constexpr long createRuleset = 444;
constexpr long addRule = 445;
constexpr long restrictSelf = 446;
constexpr unsigned askForVersion = 1;
constexpr int pathBeneath = 1;

constexpr std::uint64_t execute = 1U << 0U;
constexpr std::uint64_t writeFile = 1U << 1U;
constexpr std::uint64_t removeFile = 1U << 5U;
constexpr std::uint64_t makeRegular = 1U << 8U;
constexpr std::uint64_t truncateFile = 1U << 14U;  // from version 3 on
/// What changes files, without reading (bits 2 and 3): of the first version bits 1 and 4 to 12.
constexpr std::uint64_t changesOfFirst = writeFile | 0x1ff0U;

struct Ruleset
{
    std::uint64_t files;
    std::uint64_t network;
    std::uint64_t scopes;
};

struct [[gnu::packed]] BeneathRule
{
    std::uint64_t allowed;
    std::int32_t folder;
};

struct RulesetSize
{
    Ruleset rules;
    std::size_t bytes;  ///< as the kernel's version knows it
};

RulesetSize rulesOf(long version)
{
    Ruleset rules{.files = execute | changesOfFirst, .network = 0, .scopes = 0};
    if (version >= 2)
        rules.files |= 1U << 13U;  // files from one folder to another
    if (version >= 3)
        rules.files |= truncateFile;
    if (version >= 5)
        rules.files |= 1U << 15U;  // commands to devices
    if (version >= 4)
        rules.network = 3;  // TCP, to bind and to connect
    if (version >= 6)
        rules.scopes = 3;  // abstract sockets and signals of others
    return {.rules = rules,
            .bytes = sizeof(std::uint64_t) * (version >= 6   ? 3U
                                              : version >= 4 ? 2U
                                                             : 1U)};
}

/// False where the path is not there.
bool allow(int ruleset, const std::string& path, std::uint64_t handled)
{
    const int place = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (place < 0)
        return false;
    struct stat status
    {
    };
    const bool isFolder = ::fstat(place, &status) == 0 && S_ISDIR(status.st_mode);
    const std::uint64_t wanted =
        writeFile | truncateFile | (isFolder ? removeFile | makeRegular : 0U);
    const BeneathRule rule{.allowed = wanted & handled, .folder = place};
    const bool isAdded = ::syscall(addRule, ruleset, pathBeneath, &rule, 0) == 0;
    ::close(place);
    return isAdded;
}

Guard off(const std::string& detail)
{
    return {.name = "files", .isOn = false, .detail = detail};
}

}  // namespace

Guard guardFiles(const std::vector<std::string>& writable)
{
    const long version = ::syscall(createRuleset, nullptr, 0, askForVersion);
    if (version < 1)
        return off("this kernel has no Landlock");
    const RulesetSize wanted = rulesOf(version);
    const auto ruleset = static_cast<int>(::syscall(createRuleset, &wanted.rules, wanted.bytes, 0));
    if (ruleset < 0)
        return off("Landlock: " + std::generic_category().message(errno));
    std::string places;
    for (const std::string& path : writable)
        if (allow(ruleset, path, wanted.rules.files))
            places += (places.empty() ? "" : ", ") + path;
    const bool isOn = ::syscall(restrictSelf, ruleset, 0) == 0;
    const int failure = errno;
    ::close(ruleset);
    if (!isOn)
        return off("Landlock: " + std::generic_category().message(failure));
    return {.name = "files",
            .isOn = true,
            .detail = fmt::format("written {} (Landlock {})",
                                  places.empty() ? "nowhere" : "in " + places + " only", version)};
}

}  // namespace calibscope::engine
