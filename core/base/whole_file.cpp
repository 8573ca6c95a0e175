// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"

#include "core/base/error.h"
#include "core/base/held_signals.h"
#include "core/base/open_descriptor.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope {

namespace {

[[noreturn]] void throwReason(int errorNumber)
{
    throw std::system_error(errorNumber, std::generic_category());
}

std::string withoutLinks(const std::string& path)
{
    std::error_code failure;
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, failure);
    return failure ? path : resolved.string();
}

/// Not every file system can; those that can't are none to wait for.
bool reachesDisk(int descriptor)
{
    return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

constexpr std::array endingSignals{SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};

/// A part that a signal's handler may remove: static, of fixed size, never freed.
struct Part
{
    /// Taken: its thread is about to make it, and holds signals off until it has.
    enum State : int { Free, Taken, Ready };

    std::atomic<int> state = Free;
    ::pid_t process = 0;
    std::array<char, 4096> path{};
};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::array<Part, 32> parts;
std::atomic<bool> isEnding = false;  // from now on no part is made
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free);
static_assert(std::atomic<int>::is_always_lock_free);

/// A place in the list; behind it where there is none.
std::size_t takeSlot()
{
    for (std::size_t slot = 0; slot < parts.size(); ++slot) {
        int expected = Part::Free;
        if (parts[slot].state.compare_exchange_strong(expected, Part::Taken))
            return slot;
    }
    return parts.size();
}

/// The slot; behind the list for too long a name.
std::size_t notePart(std::size_t slot, const std::string& path)
{
    if (slot >= parts.size())
        return slot;
    Part& part = parts[slot];
    if (path.size() >= part.path.size()) {
        part.state = Part::Free;
        return parts.size();
    }
    *std::ranges::copy(path, part.path.begin()).out = '\0';
    part.process = ::getpid();
    part.state = Part::Ready;
    return slot;
}

void forgetPart(std::size_t slot)
{
    if (slot < parts.size())
        parts[slot].state = Part::Free;
}

/// Another thread that makes a part just now has it noted in a moment.
void waitUntilNoted(const Part& part)
{
    constexpr int mostMs = 1000;
    for (int waited = 0; waited < mostMs && part.state == Part::Taken; ++waited)
        static_cast<void>(::poll(nullptr, 0, 1));
}

extern "C" void removePartsAndEnd(int signal)
{
    isEnding = true;
    removeParts();
    // SA_RESETHAND has brought back what ends the process; it comes when this handler is left.
    static_cast<void>(::raise(signal));
}

[[noreturn]] void failToRead(const std::string& path, const std::string& why)
{
    throw Error(Fault::Input, "{} could not be read: {}", path, why);
}

std::string reasonText()
{
    return std::generic_category().message(errno);
}

}  // namespace

std::string partName(const std::string& target, int attempt)
{
    return target + std::string(partMark) + std::to_string(::getpid()) +
           (attempt == 0 ? "" : "-" + std::to_string(attempt));
}

WholeFile::WholeFile(const std::string& path, WholeFileOptions options)
    : m_options(options), m_target(options.followsLinks ? withoutLinks(path) : path)
{
    const int descriptor = makePart();
    struct stat former
    {
    };
    if (::stat(m_target.c_str(), &former) == 0 && S_ISREG(former.st_mode))
        static_cast<void>(::fchmod(descriptor, former.st_mode & 07777U));
    m_stream = ::fdopen(descriptor, "w");
    if (m_stream != nullptr)
        return;
    const int reason = errno;
    ::close(descriptor);
    ::unlink(m_part.c_str());
    forgetPart(m_slot);
    throwReason(reason);
}

/// A signal finds it noted or not there.
int WholeFile::makePart()
{
    constexpr int attempts = 100;
    const HeldSignals held(endingSignals);
    m_slot = takeSlot();
    // A handler that has not seen this slot taken has said so before.
    if (isEnding) {
        forgetPart(m_slot);
        for (;;)
            static_cast<void>(::pause());
    }
    int descriptor = -1;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        m_part = partName(m_target, attempt);
        descriptor = ::open(m_part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                            static_cast<mode_t>(m_options.permissions));
        if (descriptor >= 0 || errno != EEXIST)
            break;
    }
    if (descriptor < 0) {
        const int reason = errno;
        forgetPart(m_slot);
        throwReason(reason);
    }
    m_slot = notePart(m_slot, m_part);
    return descriptor;
}

WholeFile::~WholeFile()
{
    if (m_stream != nullptr)
        static_cast<void>(std::fclose(m_stream));  // nobody asked for what was written
    if (m_part.empty())
        return;
    ::unlink(m_part.c_str());
    forgetPart(m_slot);
}

void WholeFile::write(std::string_view bytes)
{
    if (std::fwrite(bytes.data(), 1, bytes.size(), m_stream) != bytes.size())
        throwReason(errno);
}

const std::string& WholeFile::part()
{
    if (std::fflush(m_stream) != 0)
        throwReason(errno);
    return m_part;
}

void WholeFile::finish()
{
    if (std::fflush(m_stream) != 0 || (m_options.isSynced && !reachesDisk(::fileno(m_stream))))
        throwReason(errno);
    std::FILE* const stream = m_stream;
    m_stream = nullptr;
    if (std::fclose(stream) != 0 || std::rename(m_part.c_str(), m_target.c_str()) != 0)
        throwReason(errno);
    m_part.clear();
    forgetPart(m_slot);
    if (m_options.isSynced)
        syncFolder(std::filesystem::path(m_target).parent_path().string());
}

void writeWholeFile(const std::string& path, std::string_view bytes, WholeFileOptions options)
{
    WholeFile file(path, options);
    file.write(bytes);
    file.finish();
}

void removeParts() noexcept
{
    const ::pid_t self = ::getpid();
    for (const Part& part : parts) {
        waitUntilNoted(part);
        if (part.state == Part::Ready && part.process == self)
            ::unlink(part.path.data());
    }
}

void removePartsOnStop()
{
    for (const int signal : endingSignals) {
        struct sigaction former = {};
        if (::sigaction(signal, nullptr, &former) != 0 || former.sa_handler != SIG_DFL)
            continue;
        struct sigaction action = {};
        action.sa_handler = removePartsAndEnd;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        ::sigaction(signal, &action, nullptr);
    }
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

std::string readWholeFile(const std::string& path, std::uint64_t mostBytes)
{
    const OpenDescriptor file(path);
    struct stat status = {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
        failToRead(path, reasonText());
    if (!S_ISREG(status.st_mode))
        failToRead(path, "it is not a regular file");
    std::string bytes;
    // The size may be reported as 0 (/proc), or change meanwhile.
    constexpr std::size_t blockBytes = std::size_t{64} << 10U;
    for (std::size_t have = 0; have <= mostBytes;) {
        bytes.resize(have + blockBytes);
        const ::ssize_t count = ::read(file.number(), bytes.data() + have, blockBytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            failToRead(path, reasonText());
        have += static_cast<std::size_t>(count);
        bytes.resize(have);
        if (count == 0)
            return bytes;
    }
    failToRead(path, "it has more than " + std::to_string(mostBytes) + " bytes");
}

void syncFolder(const std::string& folder) noexcept
{
    const OpenDescriptor opened(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened.isOpen())
        static_cast<void>(::fsync(opened.number()));
}

}  // namespace calibscope
