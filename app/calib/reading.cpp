// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/reading.h"

#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "core/base/error.h"
#include "core/base/whole_file.h"
#include "core/engine/process_guard.h"
#include "core/recipes/own_files.h"
#include "core/recipes/stand_in.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace calibscope::cli {

namespace {

using engine::ChildEnd;
namespace fs = std::filesystem;

constexpr std::array crashSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};

/// The output where it is, or will be.
fs::path placeOf(const std::string& outputPath)
{
    std::error_code failure;
    // Of a bare name that is not there yet weakly_canonical() tells no folder.
    const fs::path found = fs::weakly_canonical(fs::absolute(outputPath, failure), failure);
    return failure ? fs::path(outputPath) : found;
}

bool isOfItsOwnKind(const std::string& outputPath)
{
    std::error_code ignored;
    return !outputPath.empty() && fs::exists(outputPath, ignored) &&
           !fs::is_regular_file(outputPath, ignored);
}

engine::GuardOptions guardOptions(const ReadingLimits& limits, const WritablePlaces& places)
{
    engine::GuardOptions options;
    options.writable = places.folders;
    if (!places.outputPath.empty()) {
        options.writable.push_back(placeOf(places.outputPath).parent_path().string());
        options.writable.push_back(places.outputPath);
    }
    const std::uint64_t given = limits.addressSpaceMib << 20U;
    options.memoryBytes = given > 0 ? given : engine::memoryLimitFor(DumpOptions{}.memoryBytes);
    options.addressSpaceBytes = given > 0 ? given : engine::addressSpaceFor(options.memoryBytes);
    return options;
}

/// The user's own folder, what is given by hand, and what else is allowed.
engine::ProgramRights programRights(const ReadingLimits& limits)
{
    engine::ProgramRights rights{
        .folder = ownProgramFolder().string(), .files = {}, .all = limits.allowPrograms};
    if (limits.calibrators != nullptr)
        for (const std::string& text : *limits.calibrators)
            if (const auto [id, given] = idAndSettings(text);
                id == programId && given.contains("file"))
                rights.files.push_back(placeOf(given.at("file")).string());
    return rights;
}

/// Nothing where there is no program that may be asked.
std::unique_ptr<engine::ProgramHost> programHost(const ReadingLimits& limits)
{
    engine::ProgramRights rights = programRights(limits);
    const bool hasAny = limits.calibrators != nullptr &&
                        (rights.all || !rights.files.empty() || !ownPrograms().empty());
    return hasAny ? std::make_unique<engine::ProgramHost>(std::move(rights)) : nullptr;
}

int workUnderGuard(const ReadingLimits& limits, const engine::GuardOptions& options,
                   engine::Pulse& pulse, const std::function<int(const Reading&)>& work)
{
    // Told by the parent, whoever has a handler here (a sanitizer).
    for (const int signal : crashSignals)
        (void)std::signal(signal, SIG_DFL);
    return answeringFailures("calib", [&] {
        try {
            const std::unique_ptr<engine::ProgramHost> programs = programHost(limits);
            static_cast<void>(engine::guardProcess(options));
            return work(Reading(pulse, programs.get()));
        } catch (const std::bad_alloc&) {
            const std::string file = pulse.file.text();
            throw Error(Fault::Input,
                        "{}it takes more memory than the {} MiB that are allowed; if it is to be "
                        "trusted, raise them with --address-space",
                        file.empty() ? "" : file + ": ", options.memoryBytes >> 20U);
        }
    });
}

/// While one lives a file is being opened.
class Opening
{
public:
    explicit Opening(engine::Pulse& pulse) : m_pulse(pulse) { m_pulse.isOpening = true; }
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;
    ~Opening()
    {
        m_pulse.isOpening = false;
        m_pulse.place.set("");
    }

private:
    engine::Pulse& m_pulse;
};

std::string placeText(const ChildEnd& end)
{
    if (end.file.empty())
        return {};
    return end.file + (end.place.empty() ? "" : ":" + end.place) + ": ";
}

[[noreturn]] void failAfterSignal(const ChildEnd& end, const WritablePlaces& places)
{
    const std::string name = ::strsignal(end.code);
    if (end.code == SIGKILL)
        throw Error(Fault::Input,
                    "{}its reader was killed, perhaps out of memory; close other programs and "
                    "try again",
                    placeText(end));
    if (std::ranges::count(crashSignals, end.code) == 0) {
        // As asked from outside: this program ends as it would without a child.
        if (places.beforeEnd)
            places.beforeEnd();
        (void)std::signal(end.code, SIG_DFL);
        (void)::raise(end.code);
        ::_exit(128 + end.code);
    }
    if (end.file.empty())
        throw Error(Fault::Input, "crashed ({})", name);
    throw Error(Fault::Input,
                "{}its reader crashed ({}); the file may be damaged: copy or record it again; or "
                "memory has ended: raise it with --address-space",
                placeText(end), name);
}

[[noreturn]] void failAfterSilence(const ChildEnd& end, const ReadingLimits& limits,
                                   unsigned patience)
{
    const std::string remedy =
        "; it is damaged, or very large: then raise the limit with --timeout SECONDS";
    if (end.kind == ChildEnd::Kind::Waiting)
        throw Error(Fault::Input,
                    "{}its reader has waited for {} s, perhaps for a disk or a network; try again, "
                    "or raise the limit with --timeout SECONDS",
                    placeText(end), limits.timeoutSeconds * patience);
    throw Error(Fault::Input, "{}no step for {} s while it was {}{}", placeText(end),
                limits.timeoutSeconds * (end.wasOpening ? 1 : patience),
                end.wasOpening ? "opened" : "read", remedy);
}

/// What the child had written of its output when it was ended from outside.
void removePart(const std::string& outputPath, const ChildEnd& end)
{
    if (outputPath.empty())
        return;
    const std::string part =
        placeOf(outputPath).string() + std::string(partMark) + std::to_string(end.process);
    ::unlink(part.c_str());
}

}  // namespace

void ReadingLimits::declare(Command& command)
{
    constexpr std::int64_t longest = 1000000;
    command.add({.names = "--timeout",
                 .target = &timeoutSeconds,
                 .help = "Give up after so many seconds without progress (0: never)",
                 .type = "SECONDS",
                 .showsDefault = true,
                 .range = OptionRange{0, longest}});
    command.add({.names = "--address-space",
                 .target = &addressSpaceMib,
                 .help = "Memory that may be taken (default: some 500 MiB)",
                 .type = "MIB",
                 .range = OptionRange{128, 1 << 24}});
    const auto given = std::ranges::find(command.options, "--calibrator", &CommandOption::names);
    if (given == command.options.end())
        return;
    calibrators = std::get<std::vector<std::string>*>(given->target);
    command.add(
        {.names = "--allow-programs",
         .target = &allowPrograms,
         .help = "Also run programs of your own that a recipe or session names with a path"});
}

Reading::Reading(engine::Pulse& pulse, engine::ProgramHost* programs)
    : m_pulse(pulse),
      m_progress({},
                 [&pulse](std::uint64_t, std::uint64_t, std::string_view what) {
                     ++pulse.steps;
                     if (pulse.isOpening && !what.empty())
                         pulse.place.set(what);
                 }),
      m_ask(programs != nullptr ? programs->asking(m_progress) : AskProgram())
{}

std::shared_ptr<const DumpFile> Reading::open(const std::string& path,
                                              const DumpOptions& options) const
{
    std::shared_ptr<const DumpFile> dump = openAgain(path, options);
    for (const std::string& warning : warningsOfNoTensor(*dump))
        warn(path + ":" + warning);
    return dump;
}

std::shared_ptr<const DumpFile> Reading::openAgain(const std::string& path,
                                                   const DumpOptions& options) const
{
    at(path, "");
    const Opening opening(m_pulse);
    return DumpFile::open(path, options, m_progress);
}

void Reading::at(const std::string& file, const std::string& path) const
{
    ++m_pulse.steps;
    m_pulse.file.set(file);
    m_pulse.place.set(path);
}

int readUnderGuard(const ReadingLimits& limits, const std::string& outputPath,
                   const std::function<int(const Reading&)>& work)
{
    return readUnderGuard(limits, WritablePlaces{.outputPath = outputPath}, work);
}

int readUnderGuard(const ReadingLimits& limits, const WritablePlaces& places,
                   const std::function<int(const Reading&)>& work)
{
    return readUnderGuard(limits, places, BesidesChild{}, work);
}

int readUnderGuard(const ReadingLimits& limits, const WritablePlaces& places,
                   const BesidesChild& besides, const std::function<int(const Reading&)>& work)
{
    const engine::ChildLimits childLimits{.patience = std::chrono::seconds(limits.timeoutSeconds),
                                          .mayWaitForReader = isOfItsOwnKind(places.outputPath)};
    const engine::GuardOptions guards = guardOptions(limits, places);
    const ChildEnd end = engine::runWatched(
        childLimits,
        [&](engine::Pulse& pulse) {
            if (besides.inChild)
                besides.inChild();
            return workUnderGuard(limits, guards, pulse, work);
        },
        besides.begin);
    const auto failed = [&]() -> int {
        if (end.kind == ChildEnd::Kind::Exited)
            return end.code;
        removePart(places.outputPath, end);
        if (end.kind == ChildEnd::Kind::Signalled)
            failAfterSignal(end, places);
        failAfterSilence(end, limits, childLimits.furtherPatience);
    };
    return besides.end ? besides.end(end, failed) : failed();
}

}  // namespace calibscope::cli
