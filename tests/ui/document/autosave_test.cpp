// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/autosave.h"

#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/ui/document/session_samples.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

namespace autosave_test {

using namespace calibscope;

struct Kept
{
    QTemporaryDir folder;
    SessionFiles files;
    Autosave autosave{files, folder.path(), [] { return test::someSession(); }};

    QStringList sessions() const { return QDir(folder.path()).entryList({"*.calsession"}); }
    std::vector<Autosave::Leftover> leftovers()
    {
        std::vector<Autosave::Leftover> result;
        autosave.findLeftovers([&](const auto& found) { result = found; });
        files.finish();
        return result;
    }
};

/// What another program left when it was killed: its lock names a process that is gone.
void leaveBehind(const QString& folder)
{
    const pid_t child = ::fork();
    if (child == 0) {
        QLockFile lock(folder + "/old.calsession.lock");
        lock.setStaleLockTime(0);
        (void)lock.tryLock(0);
        std::_Exit(0);  // as by SIGKILL nothing is tidied up
    }
    ::waitpid(child, nullptr, 0);
    test::writeBytes((folder + "/old.calsession").toStdString(),
                     sessionJson(test::someSession(), folder.toStdString()));
}

TEST_CASE("what is not saved is kept, and goes when it is saved or given up")
{
    Kept kept;
    const QSignalSpy told(&kept.autosave, &Autosave::kept);
    kept.autosave.keepSoon();
    CHECK(kept.sessions().isEmpty());
    CHECK(QTest::qWaitFor([&] { return told.count() == 1; }, 10000));
    REQUIRE(kept.sessions().size() == 1);
    kept.autosave.drop();
    kept.files.finish();
    CHECK(QDir(kept.folder.path()).entryList(QDir::Files).isEmpty());
}

TEST_CASE("a copy of a program that runs is not a leftover, one of a program that is gone is")
{
    Kept running;
    running.autosave.keepNow();
    running.files.finish();
    leaveBehind(running.folder.path());
    const std::vector<Autosave::Leftover> found = running.leftovers();
    REQUIRE(found.size() == 1);
    CHECK(found[0].path.endsWith("/old.calsession"));
    CHECK(found[0].session == test::someSession());
    CHECK(running.sessions().size() == 2);
    running.autosave.removeLeftover(found[0].path);
    running.files.finish();
    CHECK(running.sessions().size() == 1);
    CHECK(running.leftovers().empty());
}

TEST_CASE("what can't be read as a session is left alone")
{
    Kept kept;
    test::writeBytes(kept.folder.filePath("odd.calsession").toStdString(), "{");
    CHECK(kept.leftovers().empty());
    CHECK(kept.sessions() == QStringList{"odd.calsession"});
}

TEST_CASE("a folder that can't be written is told")
{
    SessionFiles files;
    Autosave autosave(files, "/proc/nowhere", [] { return SessionDocument(); });
    const QSignalSpy failed(&autosave, &Autosave::failed);
    autosave.keepNow();
    files.finish();
    REQUIRE(failed.count() == 1);
    CHECK(failed.front().front().toString().contains("could not be written"));
}

}  // namespace autosave_test
