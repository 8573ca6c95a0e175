// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/calibrators/own_program.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// Programs of the user's own, for a process under guard that may start none.
namespace calibscope::engine {

/// Which programs may be started.
struct ProgramRights
{
    std::string folder;              ///< those in it, by their bare names; empty: none
    std::vector<std::string> files;  ///< absolute paths
    bool all = false;                ///< any absolute path
};

/// When a program is given up.
struct ProgramLimits
{
    std::chrono::milliseconds patience{60000};  ///< in which it neither takes nor gives a byte
    std::size_t answerBytes = std::size_t{1} << 20U;
    std::uint64_t memoryBytes = std::uint64_t{4} << 30U;  ///< that it can write to (RLIMIT_DATA)
};

/// The end of a program.
struct ProgramEnd
{
    std::string how;    ///< "exit code 1", "signal 11 (...)"; empty: it did not end by itself
    std::string words;  ///< the end of what it wrote to standard error, as one line

    /// " (exit code 1); it wrote: ...", what is empty left out.
    [[nodiscard]] std::string text() const
    {
        return (how.empty() ? how : " (" + how + ")") +
               (words.empty() ? words : "; it wrote: " + words);
    }
};

class ProgramTalk;

/// Has programs started by a process that is forked off when this is constructed: to be done while
/// there is one thread, and before guardProcess(). That process reads no dump; it compares the
/// program's SHA-256 with the one that is asked for, and ends all programs with this process. A
/// program stays for further questions until it fails, is too slow or is stopped.
class ProgramHost
{
public:
    explicit ProgramHost(ProgramRights rights, ProgramLimits limits = {});
    ProgramHost(const ProgramHost&) = delete;
    ProgramHost& operator=(const ProgramHost&) = delete;
    ~ProgramHost();

    /// The line that it answers, as AskProgram; one question at a time, from any thread. `progress`
    /// may throw Cancelled, which ends the program. Throws Error(Usage), a sentence with the
    /// program's name and the end of what it wrote to standard error.
    [[nodiscard]] std::string ask(const ProgramQuestion& question, const Progress& progress);
    /// ask() with that progress, as long as this lives.
    [[nodiscard]] AskProgram asking(const Progress& progress);

private:
    using Key = std::pair<std::string, std::string>;  ///< file and SHA-256

    [[nodiscard]] std::string answered(const ProgramQuestion& question, const Progress& progress);
    [[nodiscard]] ProgramTalk& talkWith(const ProgramQuestion& question);
    ProgramEnd end(const Key& key);

    ProgramLimits m_limits;
    std::int64_t m_starter = -1;  ///< the process
    int m_line = -1;              ///< to it
    std::mutex m_mutex;
    std::map<Key, std::unique_ptr<ProgramTalk>> m_talks;
};

}  // namespace calibscope::engine
