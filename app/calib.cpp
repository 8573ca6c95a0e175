#include "app/calib/subcommands.h"
#include "app/run_program.h"

#include <CLI/CLI.hpp>

int main(int argc, char** argv)
{
    using namespace calibscope;
    CLI::App app("Scales of calibration algorithms for recorded activations and weights", "calib");
    app.set_version_flag("--version", "calib " CALIBSCOPE_VERSION);
    app.require_subcommand(1);
    cli::Action action;
    cli::addInfo(app, action);
    cli::addStats(app, action);
    cli::addHistogram(app, action);
    cli::addScales(app, action);
    cli::addCompare(app, action);
    cli::addExplain(app, action);
    cli::addPython(app, action);
    cli::addDescribe(app, action);
    cli::addServe(app, action);
    return runProgram(app, argc, argv, action);
}
