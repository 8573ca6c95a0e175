// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibscope/subcommands.h"

int main(int argc, char** argv)
{
    using namespace calibscope::window;
    calibscope::Command program = windowCommand();
    program.subcommands = {reportCommand(), snapshotCommand()};
    return calibscope::runProgram(program, argc, argv);
}
