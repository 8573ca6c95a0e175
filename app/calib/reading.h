// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "core/base/progress.h"
#include "core/dump/dump_file.h"
#include "core/engine/program_host.h"
#include "core/engine/watched_child.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// How subcommands read dumps: in a child process under guard (core/engine/process_guard.h), which
/// this one watches. What crashes, hangs or takes too much memory there ends here with a sentence
/// and exit code 3.
namespace calibscope::cli {

/// --timeout and --address-space, which every subcommand that reads a dump has.
struct ReadingLimits
{
    std::uint64_t timeoutSeconds = 10;
    std::uint64_t addressSpaceMib = 0;  ///< 0: as the budget for values needs it
    bool allowPrograms = false;         ///< of the user's own, named by a file, too
    /// Arguments of --calibrator, where the command has it: programs among them are run.
    const std::vector<std::string>* calibrators = nullptr;

    /// Behind the command's other options.
    void declare(Command& command);
};

/// The child's work, as far as its parent is to know of it.
class Reading
{
public:
    explicit Reading(engine::Pulse& pulse, engine::ProgramHost* programs = nullptr);

    /// Opens a dump; from now on it is the file that is read. Throws as DumpFile::open().
    [[nodiscard]] std::shared_ptr<const DumpFile> open(const std::string& path,
                                                       const DumpOptions& options) const;
    /// The same of one that was opened before, or that another process has opened: warns of
    /// nothing.
    [[nodiscard]] std::shared_ptr<const DumpFile> openAgain(const std::string& path,
                                                            const DumpOptions& options) const;
    /// From now on that tensor of a file is read. May be called by several threads.
    void at(const std::string& file, const std::string& path) const;
    /// From now on nothing is read any more, and the output may take as long as its disk does.
    void ends() const { m_pulse.isWriting = true; }
    /// For all that takes long: without its steps the parent gives up.
    [[nodiscard]] const Progress& progress() const { return m_progress; }
    /// Has programs of the user's own asked, those that may be run.
    [[nodiscard]] const AskProgram& ask() const { return m_ask; }

private:
    engine::Pulse& m_pulse;
    Progress m_progress;
    AskProgram m_ask;
};

/// What work under guard may write, beside standard output.
struct WritablePlaces
{
    std::string outputPath;                 ///< a file; empty: none
    std::vector<std::string> folders = {};  ///< in which it makes files
    /// Called where a signal from outside ends the program, before it does.
    std::function<void()> beforeEnd = {};
};

/// What a parent does besides, where its child is one of several that share work (core/mpi).
struct BesidesChild
{
    std::function<void()> begin;    ///< when there is a child
    std::function<void()> inChild;  ///< there, before its guards are up
    /// The exit code, where it is not the child's: `failed` tells the last sentence of a child that
    /// was ended, and answers its code.
    std::function<int(const engine::ChildEnd&, const std::function<int()>& failed)> end;
};

/// The exit code of work that reads dumps and writes there.
[[nodiscard]] int readUnderGuard(const ReadingLimits& limits, const WritablePlaces& places,
                                 const BesidesChild& besides,
                                 const std::function<int(const Reading&)>& work);
[[nodiscard]] int readUnderGuard(const ReadingLimits& limits, const WritablePlaces& places,
                                 const std::function<int(const Reading&)>& work);

/// The same of work that writes to that file, or to standard output where it has no name.
[[nodiscard]] int readUnderGuard(const ReadingLimits& limits, const std::string& outputPath,
                                 const std::function<int(const Reading&)>& work);

/// What a command runs that has these options: its `work(options, reading)`, by readUnderGuard().
template <class Options, class Work>
[[nodiscard]] std::function<int()> underGuard(std::shared_ptr<Options> options, Work work)
{
    return [options = std::move(options), work] {
        return readUnderGuard(options->opening.limits, options->output.path,
                              [&](const Reading& reading) { return work(*options, reading); });
    };
}

}  // namespace calibscope::cli
