// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/process_guard.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Of preset coverage.
// NOLINTNEXTLINE(readability-identifier-naming): it is the compiler's
extern "C" void __gcov_dump(void) __attribute__((weak));

namespace calibscope::engine {

namespace {

// A sanitizer looks at the process from another one, and starts a program that names its functions.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool hasSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool hasSanitizer = true;
#else
constexpr bool hasSanitizer = false;
#endif
#else
constexpr bool hasSanitizer = false;
#endif

#if defined(__x86_64__)
constexpr std::uint32_t ownProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t ownProcessor = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t ownProcessor = 0;  // whose calls have arguments elsewhere, perhaps
#endif

constexpr std::array refusedCalls
{
    // the network
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
        // programs and processes
        SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
        SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
        // owners and rights of files, which Landlock leaves alone; fchmod is for files just written
        SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
        SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_truncate,
        // the system
        SYS_acct, SYS_add_key, SYS_bpf, SYS_chroot, SYS_delete_module, SYS_finit_module,
        SYS_init_module, SYS_kexec_load, SYS_keyctl, SYS_memfd_create, SYS_mount,
        SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_perf_event_open, SYS_personality,
        SYS_pivot_root, SYS_quotactl, SYS_reboot, SYS_request_key, SYS_sethostname, SYS_setns,
        SYS_settimeofday, SYS_swapoff, SYS_swapon, SYS_syslog, SYS_umount2, SYS_unshare,
        SYS_userfaultfd,
#if defined(__x86_64__)
        SYS_chmod, SYS_chown, SYS_fork, SYS_lchown, SYS_vfork,
#endif
};

// The filter is written without libseccomp: a table and some thirty instructions, for which builds that users carry from
// machine to machine would need one more library.

/// Calls that are newer than some systems' headers: the same numbers on every processor.
constexpr std::array<std::uint32_t, 12> newerRefusedCalls{
    424,  // pidfd_send_signal
    425,  // io_uring_setup: what it does is not filtered
    426,  // io_uring_enter
    427,  // io_uring_register
    428,  // open_tree
    429,  // move_mount
    430,  // fsopen
    434,  // pidfd_open
    438,  // pidfd_getfd
    440,  // process_madvise
    442,  // mount_setattr
    452,  // fchmodat2
};
constexpr std::uint32_t cloneThree = 435;

constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;

/// The filter, instruction by instruction; each jump is over those right behind it.
class FilterProgram
{
public:
    void load(std::size_t offset)
    {
        m_code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
    }
    /// The lower half of an argument, where all that is asked about lies.
    void loadArgument(std::size_t index)
    {
        load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
    }
    void loadCall() { load(offsetof(seccomp_data, nr)); }
    void mask(std::uint32_t bits) { m_code.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)); }
    void answer(std::uint32_t action) { m_code.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }
    void answerIf(std::uint32_t value, std::uint32_t action)
    {
        skipUnless(value, 1);
        answer(action);
    }
    void answerIfAtLeast(std::uint32_t value, std::uint32_t action)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, 1));
        answer(action);
    }
    void skipIf(std::uint32_t value, std::uint8_t instructions)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, instructions, 0));
    }
    void skipUnless(std::uint32_t value, std::uint8_t instructions)
    {
        m_code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, instructions));
    }
    [[nodiscard]] sock_fprog program()
    {
        return {.len = static_cast<unsigned short>(m_code.size()), .filter = m_code.data()};
    }

private:
    std::vector<sock_filter> m_code;
};

/// Where the call is that one: its argument's bits decide.
void decideByBits(FilterProgram& filter, long call, std::size_t argument, std::uint32_t bits,
                  std::uint32_t value, std::array<std::uint32_t, 2> ifEqualElse)
{
    filter.skipUnless(static_cast<std::uint32_t>(call), 5);
    filter.loadArgument(argument);
    filter.mask(bits);
    filter.answerIf(value, ifEqualElse[0]);
    filter.answer(ifEqualElse[1]);
}

FilterProgram refusals()
{
    constexpr std::uint32_t allBits = ~std::uint32_t{0};
    constexpr std::array isAllowed{std::uint32_t{SECCOMP_RET_ALLOW}, refused};
    constexpr std::array isRefused{refused, std::uint32_t{SECCOMP_RET_ALLOW}};
    const auto own = static_cast<std::uint32_t>(::getpid());
    FilterProgram filter;
    filter.load(offsetof(seccomp_data, arch));
    filter.skipIf(ownProcessor, 1);
    filter.answer(SECCOMP_RET_KILL_PROCESS);
    filter.loadCall();
#if defined(__x86_64__)
    constexpr std::uint32_t otherNumbers = 0x40000000;  // the same calls once more (x32)
    filter.answerIfAtLeast(otherNumbers, unknown);
#endif
    for (const long call : refusedCalls)
        filter.answerIf(static_cast<std::uint32_t>(call), refused);
    for (const std::uint32_t call : newerRefusedCalls)
        filter.answerIf(call, refused);
    // Its flags lie where they can't be looked at; the C library then takes clone.
    filter.answerIf(cloneThree, unknown);
    decideByBits(filter, SYS_clone, 0, CLONE_THREAD, CLONE_THREAD, isAllowed);
    decideByBits(filter, SYS_kill, 0, allBits, own, isAllowed);
    decideByBits(filter, SYS_tgkill, 0, allBits, own, isAllowed);     // abort() is one to itself
    decideByBits(filter, SYS_ioctl, 1, allBits, TIOCSTI, isRefused);  // types into a terminal
    constexpr std::uint32_t writtenAndRun = PROT_WRITE | PROT_EXEC;
    decideByBits(filter, SYS_mmap, 2, writtenAndRun, writtenAndRun, isRefused);
#if defined(__x86_64__)
    // Elsewhere the loader itself changes what it has mapped.
    decideByBits(filter, SYS_mprotect, 2, PROT_EXEC, PROT_EXEC, isRefused);
    decideByBits(filter, SYS_pkey_mprotect, 2, PROT_EXEC, PROT_EXEC, isRefused);
#endif
    filter.answer(SECCOMP_RET_ALLOW);
    return filter;
}

Guard callsOff(const std::string& detail)
{
    return {.name = "system calls", .isOn = false, .detail = detail};
}

/// Refuses this process the calls of the system that reading and computing do not need (seccomp):
/// sockets, programs, further processes, signals to others, tracing, memory that is both written
/// and run. They fail with EPERM, so that a library which only tries goes on. Threads, files and
/// plugins work. Needs PR_SET_NO_NEW_PRIVS.
Guard guardCalls()
{
    if (hasSanitizer)
        return callsOff("this build has a sanitizer, which needs them");
    if (ownProcessor == 0)
        return callsOff("not written for this processor");
    FilterProgram filter = refusals();
    const sock_fprog program = filter.program();
    // For threads that a library may have started already, too.
    if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
        return callsOff("seccomp: " + std::generic_category().message(errno));
    return {.name = "system calls",
            .isOn = true,
            .detail = "no network, no programs, no other processes (seccomp)"};
}

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

/// Lets this thread, and those that it starts, write nowhere but there (Landlock). Needs
/// PR_SET_NO_NEW_PRIVS.
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

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

// A sanitizer's shadow memory alone takes terabytes.
constexpr bool canLimitMemory = !hasSanitizer;

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
