// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/remote_machines.h"

#include "tests/support/catch.h"

#include <QSignalSpy>

namespace remote_machines_test {

using namespace calibscope;

TEST_CASE(
    "the command line of ssh: nothing of the address can be an option, each word is one there")
{
    const EngineProgram plain = programAt(parseLocation("ssh://cluster/a b.h5"), "calib", true);
    CHECK(plain.program == "ssh");
    CHECK(plain.arguments == QStringList{"-T", "-C", "-o", "BatchMode=yes", "-o",
                                         "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3",
                                         "--", "cluster", "calib", "serve", "--idle", "300",
                                         "--cache", "auto"});
    CHECK(plain.host == "cluster");
    CHECK(plain.command == "calib");

    const EngineProgram full = programAt(parseLocation("ssh://anna@[fe80::1]:2222/a.h5"),
                                         "module load calibscope; exec calib", false);
    CHECK(full.arguments.mid(8) == QStringList{"-p", "2222", "--", "anna@fe80::1",
                                               "module load calibscope; exec calib", "serve",
                                               "--idle", "300"});
    CHECK(full.host == "anna@[fe80::1]:2222");
}

TEST_CASE("a machine that nobody named is asked about once, and again after a refusal")
{
    RemoteMachines machines;
    QSignalSpy questions(&machines, &RemoteMachines::questioned);
    QSignalSpy decisions(&machines, &RemoteMachines::decided);
    using Standing = RemoteMachines::Standing;
    CHECK(machines.standingOf("h") == Standing::Asked);
    CHECK(machines.standingOf("h") == Standing::Asked);
    CHECK(questions.count() == 1);
    machines.refuse("h");
    REQUIRE(decisions.count() == 1);
    CHECK_FALSE(decisions[0][1].toBool());
    CHECK(machines.standingOf("h") == Standing::Asked);
    CHECK(questions.count() == 2);
    machines.allow("h");
    CHECK(machines.standingOf("h") == Standing::Allowed);
    CHECK(machines.standingOf("user@h") == Standing::Asked);  // another user is another machine
    CHECK(machines.known().allowed == QStringList{"h"});
}

TEST_CASE("where nobody can be asked, nothing is connected to that was not allowed")
{
    RemoteMachines machines({.allowed = {"known"}, .commands = {}});
    CHECK(machines.standingOf("known") == RemoteMachines::Standing::Allowed);
    CHECK(machines.standingOf("other") == RemoteMachines::Standing::Refused);
}

TEST_CASE("a command is of one machine, and the usual one is not remembered")
{
    RemoteMachines machines;
    const QSignalSpy changes(&machines, &RemoteMachines::changed);
    CHECK(machines.commandOn("h") == "calib");
    machines.setCommand("h", " srun -n1 calib ");
    CHECK(machines.commandOn("h") == "srun -n1 calib");
    CHECK(machines.commandOn("g") == "calib");
    machines.setCommand("h", "srun -n1 calib");
    CHECK(changes.count() == 1);
    machines.setCommand("h", "");
    CHECK(machines.commandOn("h") == "calib");
    CHECK(machines.known().commands.isEmpty());
}

}  // namespace remote_machines_test
