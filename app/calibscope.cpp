#include "app/calibscope/subcommands.h"
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
    std::fprintf(stderr, "calibscope: %s\n", sentence.c_str());
    return code;
}

/// Help and version go to standard output and are no failure; all else is the user's command line.
int exitAfterParsing(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
        return app.exit(error);
    return complain(std::string(error.what()) + "; calibscope --help lists what there is",
                    exitCode(Fault::Usage));
}

}  // namespace

int main(int argc, char** argv)
{
    CLI::App app("Inspect how calibration algorithms scale recorded activations and weights",
                 "calibscope");
    app.set_version_flag("--version", "calibscope " CALIBSCOPE_VERSION);
    app.require_subcommand(0, 1);
    window::Action action;
    window::declareWindow(app, action);
    window::declareReport(app, action);
    window::declareSnapshot(app, action);
    try {
        app.parse(argc, argv);
        return action();
    } catch (const CLI::ParseError& error) {
        return exitAfterParsing(app, error);
    } catch (const Error& error) {
        return complain(error.what(), exitCode(error.fault()));
    } catch (const std::bad_alloc&) {
        return complain("out of memory; close other programs or open a smaller dump",
                        exitCode(Fault::Input));
    } catch (const std::exception& error) {
        return complain(std::string("internal error: ") + error.what(), exitCode(Fault::Input));
    }
}
