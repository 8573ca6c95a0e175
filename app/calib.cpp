#include "app/calib/subcommands.h"
#include "core/base/error.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

namespace {

using namespace calibscope;

int complain(const std::string& sentence, int code)
{
    std::fprintf(stderr, "calib: %s\n", sentence.c_str());
    return code;
}

/// Help and version go to standard output and are no failure; all else is the user's command line.
int exitAfterParsing(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
        return app.exit(error);
    return complain(std::string(error.what()) + "; calib --help lists what there is",
                    exitCode(Fault::Usage));
}

}  // namespace

int main(int argc, char** argv)
{
    CLI::App app("Scales of calibration algorithms for recorded activations and weights", "calib");
    app.set_version_flag("--version", "calib " CALIBSCOPE_VERSION);
    app.require_subcommand(1);
    cli::Action action;
    cli::addInfo(app, action);
    cli::addStats(app, action);
    cli::addHistogram(app, action);
    cli::addScales(app, action);
    cli::addServe(app, action);
    try {
        app.parse(argc, argv);
        return action();
    } catch (const CLI::ParseError& error) {
        return exitAfterParsing(app, error);
    } catch (const Error& error) {
        return complain(error.what(), exitCode(error.fault()));
    } catch (const std::bad_alloc&) {
        return complain("out of memory; close other programs or choose fewer tensors with --tensor",
                        exitCode(Fault::Input));
    } catch (const std::exception& error) {
        return complain(std::string("internal error: ") + error.what(), exitCode(Fault::Input));
    }
}
