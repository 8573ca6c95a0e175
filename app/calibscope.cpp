#include "app/calibscope/subcommands.h"
#include "app/run_program.h"

#include <CLI/CLI.hpp>

int main(int argc, char** argv)
{
    using namespace calibscope;
    CLI::App app("Inspect how calibration algorithms scale recorded activations and weights",
                 "calibscope");
    app.set_version_flag("--version", "calibscope " CALIBSCOPE_VERSION);
    app.require_subcommand(0, 1);
    window::Action action;
    window::declareWindow(app, action);
    window::declareReport(app, action);
    window::declareSnapshot(app, action);
    return runProgram(app, argc, argv, action);
}
