// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/engine/engine_loop.h"
#include "core/engine/engine_parts.h"
#include "core/engine/process_guard.h"
#include "core/engine/program_host.h"
#include "core/engine/watched_child.h"
#include "core/report/tables/output.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace calibscope::cli {

namespace {

struct ServeOptions
{
    std::uint64_t memoryMib = 160;
    std::uint64_t addressSpaceMib = 0;  ///< 0: as the budget needs it
    std::string cacheFolder;            ///< empty: nothing is kept
    std::uint64_t cacheMib = usualCacheBytes >> 20U;
    std::string programFolder;      ///< empty: no programs are run
    std::uint64_t idleSeconds = 0;  ///< 0: it waits
    bool status = false;
};

std::string cacheFolderOf(const std::string& given)
{
    return given == "auto" ? userCacheFolder().string() : given;
}

std::optional<engine::CacheOptions> cacheOf(const ServeOptions& options)
{
    if (options.cacheFolder.empty())
        return std::nullopt;
    if (const std::string problem = cacheFolderProblem(options.cacheFolder); !problem.empty()) {
        sayOnStderr("calib: " + problem);
        return std::nullopt;
    }
    return engine::CacheOptions{.folder = options.cacheFolder,
                                .mostBytes = options.cacheMib << 20U,
                                .version = engine::programState()};
}

engine::GuardOptions guardsOf(const ServeOptions& options)
{
    // Of a log, where standard error is a file.
    constexpr std::uint64_t leastFileBytes = std::uint64_t{16} << 20;
    engine::GuardOptions guards;
    if (!options.cacheFolder.empty())
        guards.writable = {options.cacheFolder};
    const std::uint64_t given = options.addressSpaceMib << 20U;
    guards.memoryBytes = given > 0 ? given : engine::memoryLimitFor(options.memoryMib << 20U);
    guards.addressSpaceBytes = given > 0 ? given : engine::addressSpaceFor(guards.memoryBytes);
    guards.fileBytes = std::max(options.cacheMib << 20U, leastFileBytes);
    guards.goesFirst = true;
    return guards;
}

int showGuards(const ServeOptions& options)
{
    // Made before a terminal or file is out of reach.
    Output output("");
    output.write(engine::guardText(engine::guardProcess(guardsOf(options))));
    output.finish();
    return 0;
}

int serveRequests(const ServeOptions& options)
{
    if (options.status)
        return showGuards(options);
    (void)std::signal(SIGPIPE, SIG_IGN);  // a client that is gone is seen where it is written to
    (void)std::signal(SIGXFSZ, SIG_IGN);  // a file that is too long is a write that fails
    const engine::OwnPipes pipes = engine::takeStandardPipes();
    const std::uint64_t memoryBytes = options.memoryMib << 20U;
    engine::EngineOptions engineOptions{
        .memoryBytes = memoryBytes, .abandon = [] { ::_exit(0); }, .cache = cacheOf(options)};
    engine::EngineParts parts = engine::dumpFileParts(memoryBytes);
    std::optional<engine::ProgramHost> programs;
    if (!options.programFolder.empty()) {
        programs.emplace(engine::ProgramRights{.folder = options.programFolder});
        parts.programs = [&programs](const Progress& progress) {
            return programs->asking(progress);
        };
    }
    if (options.idleSeconds > 0)
        engineOptions.idle = std::chrono::seconds(options.idleSeconds);
    engine::EngineLoop engine(pipes.input, pipes.output, std::move(parts),
                              std::move(engineOptions));
    // The cache's folder is there now, and no dump was opened yet.
    static_cast<void>(engine::guardProcess(guardsOf(options)));
    engine.run();
    engine::endProcess(0);
}

}  // namespace

Command serveCommand()
{
    const auto options = std::make_shared<ServeOptions>();
    Command command{.name = "serve",
                    .help = "Answer the application's requests over standard input and output"};
    command.add({.names = "--memory",
                 .target = &options->memoryMib,
                 .help = "budget for profiles and values, in MiB",
                 .showsDefault = true,
                 .range = OptionRange{16, 1 << 20}});
    command.add({.names = "--address-space",
                 .target = &options->addressSpaceMib,
                 .help = "memory that may be taken, in MiB (default: the budget, 352 more and a "
                         "stack for each processor)",
                 .range = OptionRange{128, 1 << 24}});
    command.add({.names = "--cache",
                 .target = &options->cacheFolder,
                 .help = "folder for results cached between runs; auto: the user's own (default: "
                         "none)"});
    command.add({.names = "--cache-size",
                 .target = &options->cacheMib,
                 .help = "limit of that folder's size, in MiB",
                 .showsDefault = true,
                 .range = OptionRange{1, 1 << 20}});
    command.add({.names = "--programs",
                 .target = &options->programFolder,
                 .help = "folder of your own programs that may be run as calibrators (default: "
                         "none)"});
    command.add({.names = "--idle",
                 .target = &options->idleSeconds,
                 .help = "end after so many seconds without a byte from the application (default: "
                         "never)",
                 .range = OptionRange{1, 86400}});
    command.add({.names = "--status",
                 .target = &options->status,
                 .help = "Print the guards that this system has around the engine, and end"});
    command.run = [options] {
        options->cacheFolder = cacheFolderOf(options->cacheFolder);
        return serveRequests(*options);
    };
    return command;
}

}  // namespace calibscope::cli
