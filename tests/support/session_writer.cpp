// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what the window writes, over and over, for extra/faults.py and extra/kills.py: to be
// stopped in the middle, or on a full disk. session_writer WHAT ROUNDS VARIANT TARGET
#include "core/base/error.h"
#include "core/base/whole_file.h"
#include "tests/ui/document/session_samples.h"
#include "ui/document/decision_export.h"
#include "ui/document/session_files.h"

#include <QCoreApplication>
#include <QFile>

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace calibscope;

namespace {

constexpr int notWritten = 4;  // as calib and calibscope end then

[[noreturn]] void fail(const std::string& sentence)
{
    static_cast<void>(std::fprintf(stderr, "session_writer: %s\n", sentence.c_str()));
    std::exit(notWritten);
}

/// Some hundred kilobytes: a write takes long enough to be met.
SessionDocument longSession(const std::string& variant)
{
    SessionDocument session;
    SessionDump& dump = session.dumps.emplace_back();
    dump.identity.path = "/dumps/model.h5";
    dump.own = test::busyWorkbench();
    for (int tensor = 0; tensor < 3000; ++tensor)
        dump.own.pins.insert("/layer." + std::to_string(tensor) + variant);
    return session;
}

std::vector<std::vector<Cell>> manyDecisions(const std::string& variant)
{
    const std::vector<Cell> row(decisionColumns().size(), Cell{variant});
    return std::vector<std::vector<Cell>>(3000, row);
}

/// As the window saves a session, or keeps a copy of unsaved work.
void writeSessions(const std::string& variant, int rounds, const QString& target, bool isCopy)
{
    SessionFiles files;
    for (int round = 0; round < rounds; ++round) {
        SessionFiles::Written found;
        files.write(longSession(variant), target, {.isPrivate = isCopy},
                    [&found](const SessionFiles::Written& written) { found = written; });
        files.finish();
        if (!found.failure.isEmpty())
            fail(found.failure.toStdString());
    }
}

/// As the window exports decisions.
void writeDecisions(const std::string& variant, int rounds, const QString& target)
{
    const std::string table = decisionTable(manyDecisions(variant), TableFormat::Csv);
    for (int round = 0; round < rounds; ++round)
        try {
            writeWhole(target, table);
        } catch (const Error& error) {
            fail(error.what());
        }
}

}  // namespace

int main(int argc, char** argv)
{
    removePartsOnStop();  // as calibscope does
    const QCoreApplication application(argc, argv);
    if (argc != 5)
        fail("WHAT ROUNDS VARIANT TARGET");
    const std::string what = argv[1];
    const int rounds = std::atoi(argv[2]);
    const QString target = QFile::decodeName(argv[4]);
    if (QFile::encodeName(target) != argv[4])
        fail("the path is not text, and no window can have it");
    if (what == "decisions")
        writeDecisions(argv[3], rounds, target);
    else
        writeSessions(argv[3], rounds, target, what == "copy");
    return 0;
}
