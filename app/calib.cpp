// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/subcommands.h"
#include "app/completion.h"
#include "app/manual.h"

int main(int argc, char** argv)
{
    using namespace calibscope::cli;
    calibscope::Command program{
        .name = "calib",
        .help = "Scales of calibration algorithms for recorded activations and weights",
        .subcommands = {
            infoCommand(),        statsCommand(),    histogramCommand(), scalesCommand(),
            profileCommand(),     mergeCommand(),    compareCommand(),   samplesCommand(),
            extremesCommand(),    layersCommand(),   improveCommand(),   diagnoseCommand(),
            namesCommand(),       importCommand(),   convertCommand(),   exportCommand(),
            materializeCommand(), checkCommand(),    checkDumpCommand(), explainCommand(),
            formatsCommand(),     encodeCommand(),   shootoutCommand(),  rateCommand(),
            pythonCommand(),      describeCommand(), serveCommand()}};
    calibscope::addCompletion(program);
    calibscope::addManual(program);
    return calibscope::runProgram(program, argc, argv);
}
