#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/engine/engine_loop.h"
#include "core/engine/engine_parts.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace calibscope::cli {

namespace {

struct ServeOptions
{
    std::uint64_t memoryMib = 160;
    std::uint64_t addressSpaceMib = 0;  ///< 0: no limit
    std::string cacheFolder;            ///< empty: nothing is kept
    std::uint64_t cacheMib = usualCacheBytes >> 20U;
};

#if defined(__SANITIZE_ADDRESS__)
constexpr bool canLimitAddressSpace = false;  // its shadow memory alone takes terabytes
#else
constexpr bool canLimitAddressSpace = true;
#endif

void setLimit(decltype(RLIMIT_CORE) resource, rlim_t most)
{
    const rlimit limit{.rlim_cur = most, .rlim_max = most};
    if (::setrlimit(resource, &limit) != 0)
        throw Error(Fault::Usage,
                    std::string("serve: a limit can't be set: ") + std::strerror(errno));
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

int serveRequests(const ServeOptions& options)
{
    (void)std::signal(SIGPIPE, SIG_IGN);  // a client that is gone is seen where it is written to
    const engine::OwnPipes pipes = engine::takeStandardPipes();
    // A crash is the client's to report; an image of all values on disk helps nobody.
    setLimit(RLIMIT_CORE, 0);
    if (options.addressSpaceMib > 0 && canLimitAddressSpace)
        setLimit(RLIMIT_AS, static_cast<rlim_t>(options.addressSpaceMib) << 20U);
    const std::uint64_t memoryBytes = options.memoryMib << 20U;
    engine::EngineLoop engine(
        pipes.input, pipes.output, engine::dumpFileParts(memoryBytes),
        {.memoryBytes = memoryBytes, .abandon = [] { ::_exit(0); }, .cache = cacheOf(options)});
    engine.run();
    return 0;
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
                 .help = "limit of the process's address space, in MiB (default: none)",
                 .range = OptionRange{128, 1 << 24}});
    command.add({.names = "--cache",
                 .target = &options->cacheFolder,
                 .help = "folder for results cached between runs (default: none)"});
    command.add({.names = "--cache-size",
                 .target = &options->cacheMib,
                 .help = "limit of that folder's size, in MiB",
                 .showsDefault = true,
                 .range = OptionRange{1, 1 << 20}});
    command.run = [options] { return serveRequests(*options); };
    return command;
}

}  // namespace calibscope::cli
