#include "app/run_program.h"

#include "core/base/error.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

namespace calibscope {

namespace {

int complain(const CLI::App& app, const std::string& sentence, int code)
{
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), sentence.c_str());
    return code;
}

/// Help and version go to standard output and are no failure; all else is the user's command line.
int exitAfterParsing(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
        return app.exit(error);
    return complain(
        app, std::string(error.what()) + "; " + app.get_name() + " --help lists what there is",
        exitCode(Fault::Usage));
}

}  // namespace

int runProgram(CLI::App& app, int argc, char** argv, const std::function<int()>& action)
{
    try {
        app.parse(argc, argv);
        return action();
    } catch (const CLI::ParseError& error) {
        return exitAfterParsing(app, error);
    } catch (const Error& error) {
        return complain(app, error.what(), exitCode(error.fault()));
    } catch (const std::bad_alloc&) {
        return complain(app, "out of memory; close other programs or take a smaller dump",
                        exitCode(Fault::Input));
    } catch (const std::exception& error) {
        return complain(app, std::string("internal error: ") + error.what(),
                        exitCode(Fault::Input));
    }
}

}  // namespace calibscope
