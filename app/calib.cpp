#include "app/calib/subcommands.h"

int main(int argc, char** argv)
{
    using namespace calibscope::cli;
    return calibscope::runProgram(
        {.name = "calib",
         .help = "Scales of calibration algorithms for recorded activations and weights",
         .subcommands = {infoCommand(), statsCommand(), histogramCommand(), scalesCommand(),
                         compareCommand(), namesCommand(), importCommand(), exportCommand(),
                         materializeCommand(), checkCommand(), checkDumpCommand(), explainCommand(),
                         pythonCommand(), describeCommand(), serveCommand()}},
        argc, argv);
}
