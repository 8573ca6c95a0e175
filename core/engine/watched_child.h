// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// Work in a child process that its parent watches: what crashes or hangs there ends with a
/// sentence here.
namespace calibscope::engine {

/// A short text that one process writes and another reads; what does not fit is cut.
class SharedText
{
public:
    /// May be called by several threads; one that finds another at it leaves the text as it is.
    void set(std::string_view text);
    /// After the writer's end too, wherever that caught it.
    [[nodiscard]] std::string text() const;

private:
    static constexpr std::size_t mostBytes = 1000;
    struct Text
    {
        std::atomic<std::size_t> length = 0;
        std::atomic<char> bytes[mostBytes] = {};
    };
    std::atomic<bool> m_isBeingSet = false;
    std::atomic<unsigned> m_current = 0;  ///< of the two; the other one is for the next
    Text m_texts[2];
};

/// The child's reports to its parent, in memory of both.
struct Pulse
{
    std::atomic<std::uint64_t> steps = 0;
    std::atomic<bool> isOpening = false;  ///< a file is being opened, not computed with
    std::atomic<bool> isWriting = false;  ///< all is read: only the output is waited for
    SharedText file;                      ///< that is being read; empty: none yet
    SharedText place;                     ///< in it: a dataset, a tensor
};

/// When the parent gives up.
struct ChildLimits
{
    /// Without a step while a file is opened, where the child computes; 0: never gives up.
    std::chrono::milliseconds patience{10000};
    /// As often that long where it does not compute, or is past the opening: a search on a
    /// histogram has no steps, a disk may sleep. Ten times that for one that is ready to compute
    /// and gets no processor.
    unsigned furtherPatience = 6;
    /// The child may wait for whoever reads what it writes into a pipe or the like.
    bool mayWaitForReader = false;
};

/// How the child ended.
struct ChildEnd
{
    enum class Kind {
        Exited,     ///< `code` is its exit code
        Signalled,  ///< `code` is the signal
        Looping,    ///< was killed: it computed without a step
        Waiting,    ///< was killed: it did nothing
    };
    Kind kind = Kind::Exited;
    int code = 0;
    std::int64_t process = 0;  ///< the id that it had
    bool wasOpening = false;
    std::string file;  ///< what it read last
    std::string place;
};

/// Whether it is a signal by which a process ends that does what it must not.
[[nodiscard]] bool isCrash(int signal);

/// A parent's view of a child that makes no step.
struct ChildSilence
{
    std::chrono::milliseconds lasted{0};    ///< since its last step
    std::chrono::milliseconds computed{0};  ///< processor time that it got in that time
    double readyShare = 0.0;                ///< of the looks at it that found it isReadyToCompute()
    bool isOpening = false;                 ///< as in Pulse
    bool isWriting = false;
};

/// Why a silent child is to be given up; nothing while it is not. One that has computed for half of
/// the patience loops. One that has not waits; but for one that was ready to compute most of the
/// time and got no processor, which has ten times the further patience.
[[nodiscard]] std::optional<ChildEnd::Kind> verdictOn(const ChildLimits& limits,
                                                      const ChildSilence& silence);

/// Whether a thread of a process computes, or could if only a processor were free. False where the
/// system does not tell.
[[nodiscard]] bool isReadyToCompute(std::int64_t process);

/// Runs `work` in a child of this process, which must have one thread, and waits for its end. The
/// child ends when `work` comes back, with that exit code and without what a program does behind
/// main(): `work` throws nothing and has written all it has to write. Signals that ask this process
/// to end are handed on to the child; a child does not outlive this process. Where there can be no
/// child, `work` runs here. `besides` is called here when there is a child: it may begin threads.
[[nodiscard]] ChildEnd runWatched(const ChildLimits& limits, const std::function<int(Pulse&)>& work,
                                  const std::function<void()>& besides = {});

/// Ends the process without what a program does behind main(): closing a damaged dump has crashed
/// more often than reading it.
[[noreturn]] void endProcess(int code);

}  // namespace calibscope::engine
