// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibscope/subcommands.h"
#include "app/manual.h"

int main(int argc, char** argv)
{
    using namespace calibscope::window;
    calibscope::Command program = windowCommand();
    program.subcommands = {reportCommand(), snapshotCommand()};
    calibscope::addManual(program);
    return calibscope::runProgram(program, argc, argv);
}
