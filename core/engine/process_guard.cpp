// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/process_guard.h"

#include "core/engine/call_filter.h"
#include "core/engine/file_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// Of preset coverage.
// NOLINTNEXTLINE(readability-identifier-naming): it is the compiler's
extern "C" void __gcov_dump(void) __attribute__((weak));

namespace calibscope::engine {

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// Their shadow memory alone takes terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool canLimitMemory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool canLimitMemory = false;
#else
constexpr bool canLimitMemory = true;
#endif
#else
constexpr bool canLimitMemory = true;
#endif

using Resource = decltype(RLIMIT_CORE);

/// Lowers a limit; one that is lower already stays. False where the system refuses.
bool lowerLimit(Resource resource, rlim_t most)
{
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0)
        return false;
    limit.rlim_max = std::min(limit.rlim_max, most);
    limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
    return ::setrlimit(resource, &limit) == 0;
}

std::string reason()
{
    return std::generic_category().message(errno);
}

Guard limitGuard(const std::string& name, Resource resource, std::uint64_t most,
                 const std::string& detail)
{
    const bool isOn = lowerLimit(resource, most);
    return {.name = name, .isOn = isOn, .detail = isOn ? detail : reason()};
}

Guard memoryGuard(const std::string& name, Resource resource, std::uint64_t bytes)
{
    if (!canLimitMemory)
        return {
            .name = name, .isOn = false, .detail = "this build has a sanitizer, which needs it"};
    if (bytes == 0)
        return {.name = name, .isOn = false, .detail = "no limit"};
    return limitGuard(name, resource, bytes, fmt::format("at most {} MiB", bytes / mebibyte));
}

/// What was allowed before, if the user raised it: each dump and each source of a virtual dataset
/// takes one.
Guard openFilesGuard()
{
    constexpr rlim_t usual = 1024;
    rlimit limit{};
    const rlim_t before = ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : usual;
    const rlim_t most = std::max(before, usual);
    return limitGuard("open files", RLIMIT_NOFILE, most,
                      most == RLIM_INFINITY ? "no limit" : fmt::format("at most {}", most));
}

Guard privilegeGuard()
{
    const bool isOn = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    return {.name = "privileges", .isOn = isOn, .detail = isOn ? "no new ones" : reason()};
}

Guard priorityGuard(bool goesFirst)
{
    Guard guard{.name = "out of memory", .isOn = false, .detail = "as other programs"};
    if (!goesFirst)
        return guard;
    const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    guard.isOn = file >= 0 && ::write(file, "1000", 4) == 4;
    guard.detail = guard.isOn ? "ended before other programs" : reason();
    if (file >= 0)
        ::close(file);
    return guard;
}

}  // namespace

std::vector<Guard> guardProcess(const GuardOptions& options)
{
    std::vector<Guard> guards;
    // Before files can no longer be written.
    guards.push_back(priorityGuard(options.goesFirst));
    guards.push_back(memoryGuard("memory", RLIMIT_DATA, options.memoryBytes));
    guards.push_back(memoryGuard("address space", RLIMIT_AS, options.addressSpaceBytes));
    guards.push_back(openFilesGuard());
    if (options.fileBytes > 0)
        guards.push_back(limitGuard("file size", RLIMIT_FSIZE, options.fileBytes,
                                    fmt::format("at most {} MiB", options.fileBytes / mebibyte)));
    // An image of all values on disk helps nobody.
    guards.push_back(limitGuard("core dumps", RLIMIT_CORE, 0, "none"));
    guards.push_back(privilegeGuard());
    if (__gcov_dump == nullptr)  // coverage is written beside the objects
        guards.push_back(guardFiles(options.writable));
    guards.push_back(guardCalls());
    return guards;
}

std::string guardText(const std::vector<Guard>& guards)
{
    std::string text;
    for (const Guard& guard : guards)
        text +=
            fmt::format("{:<14} {:<3} {}\n", guard.name, guard.isOn ? "on" : "off", guard.detail);
    return text;
}

std::uint64_t memoryLimitFor(std::uint64_t budgetBytes)
{
    constexpr std::uint64_t besides = 352 * mebibyte;
    constexpr std::uint64_t usualStack = 8 * mebibyte;
    rlimit stack{};
    const bool isTold = ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
    const std::uint64_t perThread = (isTold ? stack.rlim_cur : usualStack) + 2 * mebibyte;
    return budgetBytes + besides + std::max(std::thread::hardware_concurrency(), 1U) * perThread;
}

std::uint64_t addressSpaceFor(std::uint64_t memoryBytes)
{
    constexpr std::uint64_t programs = 512 * mebibyte;
    constexpr std::uint64_t arena = 128 * mebibyte;  // twice 64, of which one half is given back
    return memoryBytes + programs + std::max(std::thread::hardware_concurrency(), 1U) * arena;
}

}  // namespace calibscope::engine
