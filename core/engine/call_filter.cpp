// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/call_filter.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Written without libseccomp: a table and some thirty instructions, for which builds that users
// carry from machine to machine would need one more library.
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

}  // namespace

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

}  // namespace calibscope::engine
