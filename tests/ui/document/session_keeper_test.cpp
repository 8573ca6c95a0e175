// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/session_keeper.h"

#include "tests/support/tested_document.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/session_document.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>

namespace session_keeper_test {

using namespace calibscope;
using namespace calibscope::test;

struct KeptSession : TestedDocument
{
    QTemporaryDir folder;
    WindowDumps dumps{document};
    SessionKeeper keeper{document, dumps, [] { return SessionLayout{.page = "channels"}; },
                         folder.filePath("unsaved")};
    QString file = folder.filePath("s.calsession");

    void open(const QString& path)
    {
        dumps.open(path, {});
        answerOpen();
    }
    void answerOpen()
    {
        protocol::DumpOpened opened = someDump();
        opened.identity = {
            .path = "as given", .bytes = 7, .modified = "then", .sha256 = {}, .headerSha256 = "ab"};
        FakeEngine::answer(waited.opens, opened);
    }
    void save()
    {
        keeper.save(file);
        keeper.finish();
    }
    QStringList autosaves() const
    {
        return QDir(folder.filePath("unsaved")).entryList({"*.calsession"});
    }
};

TEST_CASE("a session is saved with all its dumps, and opened again as it was")
{
    KeptSession test;
    test.open("/a.h5");
    test.document.select(a);
    (void)acceptCandidate(test.document, {a}, "percentile", "fine");
    test.open("/b.h5");
    test.document.select(b);
    edits::setManualRange(test.document, 0.5, true);
    edits::setBaseline(test.document, "min-max");
    test.save();
    CHECK(test.keeper.path() == test.file);
    CHECK_FALSE(test.keeper.isModified());

    KeptSession other;
    QSignalSpy opened(&other.keeper, &SessionKeeper::opened);
    other.keeper.open(test.file);
    other.keeper.finish();
    CHECK(opened.count() == 1);
    CHECK(other.document.path() == "/b.h5");
    CHECK(other.document.workbench().baseline == "min-max");
    other.answerOpen();
    CHECK(other.document.selected() == b);
    CHECK(edits::manualRange(other.document) == Range{-0.5, 0.5});
    CHECK_FALSE(other.keeper.isModified());
    CHECK_FALSE(other.document.history().canUndo());
    other.dumps.step(-1);
    other.answerOpen();
    REQUIRE(decisionOf(other.document, a));
    CHECK(decisionOf(other.document, a)->remark == "fine");
    CHECK_FALSE(other.keeper.isModified());
    CHECK(other.keeper.session().dumps == test.keeper.session().dumps);
    CHECK(other.keeper.session().dumps[1].identity.headerSha256 == "ab");
}

TEST_CASE("what is decided modifies a session, undoing it and looking around do not")
{
    KeptSession test;
    test.open("/a.h5");
    CHECK_FALSE(test.keeper.isModified());
    test.document.select(a);
    test.save();
    test.document.select(b);
    edits::setZoom(test.document, "browse", {.x = Range{0.0, 1.0}, .y = {}});
    CHECK_FALSE(test.keeper.isModified());
    edits::setPinned(test.document, {a}, true);
    CHECK(test.keeper.isModified());
    test.document.undo();
    CHECK_FALSE(test.keeper.isModified());
    test.open("/b.h5");
    CHECK(test.keeper.isModified());
}

TEST_CASE("without a file only what would have to be decided again is to be saved")
{
    KeptSession test;
    test.open("/a.h5");
    edits::setDisplay(test.document, {.isLogX = true});
    CHECK_FALSE(test.keeper.isModified());
    edits::setPinned(test.document, {a}, true);
    CHECK(test.keeper.isModified());
    test.open("/b.h5");
    CHECK(test.keeper.isModified());  // of the dump that is not shown
    test.dumps.closeShown();
    test.answerOpen();
    test.dumps.closeShown();
    CHECK_FALSE(test.keeper.isModified());
}

TEST_CASE("what can't be read or written is told and changes nothing")
{
    KeptSession test;
    QSignalSpy failed(&test.keeper, &SessionKeeper::failed);
    test.open("/a.h5");
    test.keeper.open("/nowhere/s.calsession");
    test.keeper.finish();
    test.keeper.save("/nowhere/s.calsession");
    test.keeper.finish();
    REQUIRE(failed.count() == 2);
    CHECK(failed[0].front().toString() ==
          "/nowhere/s.calsession could not be read: No such file or directory");
    CHECK(failed[1].front().toString() ==
          "/nowhere/s.calsession could not be written: No such file or directory");
    CHECK(test.document.path() == "/a.h5");
    CHECK(test.keeper.path().isEmpty());
}

TEST_CASE("unsaved work is kept beside, until it is saved")
{
    KeptSession test;
    QSignalSpy kept(&test.keeper.autosave(), &Autosave::kept);
    test.open("/a.h5");
    test.save();
    edits::setPinned(test.document, {a}, true);
    CHECK(QTest::qWaitFor([&] { return kept.count() == 1; }, 10000));
    REQUIRE(test.autosaves().size() == 1);
    const SessionDocument copy =
        readSession(test.folder.filePath("unsaved/" + test.autosaves().front()));
    CHECK(copy.autosaveOf == test.file.toStdString());
    CHECK(copy.dumps[0].own.pins == std::set<std::string>{"/a"});
    test.save();
    test.keeper.finish();
    CHECK(test.autosaves().isEmpty());
    CHECK(readSession(test.file).autosaveOf.empty());
}

TEST_CASE("what was left over goes on as the session that it was, not saved yet")
{
    KeptSession test;
    Autosave::Leftover leftover{.path = test.folder.filePath("old.calsession"), .session = {}};
    leftover.session.dumps.resize(1);
    leftover.session.dumps[0].identity.path = "/a.h5";
    leftover.session.dumps[0].own.pins = {"/b"};
    leftover.session.autosaveOf = "/mine.calsession";
    writeSession(leftover.session, leftover.path);
    test.keeper.restore(leftover);
    test.keeper.finish();
    CHECK(test.keeper.path() == "/mine.calsession");
    CHECK(test.keeper.isModified());
    test.answerOpen();
    CHECK(edits::isPinned(test.document, b));
    CHECK_FALSE(QFile::exists(leftover.path));
    CHECK(test.autosaves().size() == 1);
}

TEST_CASE("a session that another window has saved since is not overwritten unasked")
{
    KeptSession one;
    one.open("/a.h5");
    one.save();
    KeptSession other;
    other.keeper.open(one.file);
    other.keeper.finish();
    other.answerOpen();
    (void)acceptCandidate(other.document, {b}, "percentile", "of the other");
    other.keeper.save(one.file);
    other.keeper.finish();
    REQUIRE_FALSE(other.keeper.isModified());

    (void)acceptCandidate(one.document, {a}, "percentile", "mine");
    QSignalSpy changed(&one.keeper, &SessionKeeper::changedByAnother);
    one.save();
    CHECK(changed.count() == 1);
    CHECK(one.keeper.isModified());
    CHECK(readSession(one.file).dumps[0].own.decisions.contains("/b"));
    CHECK_FALSE(readSession(one.file).dumps[0].own.decisions.contains("/a"));

    one.keeper.save(one.file, SessionKeeper::Others::Replace);
    one.keeper.finish();
    CHECK(changed.count() == 1);
    CHECK_FALSE(one.keeper.isModified());
    CHECK(readSession(one.file).dumps[0].own.decisions.contains("/a"));
    // And again, without a question: it is ours now.
    edits::setPinned(one.document, {a}, true);
    one.save();
    CHECK(changed.count() == 1);
    CHECK_FALSE(one.keeper.isModified());
}

TEST_CASE("a session file that is gone or only touched is saved without a question")
{
    KeptSession test;
    test.open("/a.h5");
    test.save();
    QSignalSpy changed(&test.keeper, &SessionKeeper::changedByAnother);
    REQUIRE(::utimensat(AT_FDCWD, test.file.toStdString().c_str(), nullptr, 0) == 0);
    edits::setPinned(test.document, {a}, true);
    test.save();
    QFile::remove(test.file);
    edits::setPinned(test.document, {b}, true);
    test.save();
    CHECK(changed.count() == 0);
    CHECK(QFile::exists(test.file));
    // One that can't be read any more is somebody else's.
    QFile::remove(test.file);
    REQUIRE(QDir().mkpath(test.file));
    edits::setPinned(test.document, {b}, false);
    test.save();
    CHECK(changed.count() == 1);
    CHECK(QFileInfo(test.file).isDir());
}

TEST_CASE("a restored copy knows which state of the file it goes on from")
{
    KeptSession test;
    test.open("/a.h5");
    test.save();
    edits::setPinned(test.document, {a}, true);
    test.keeper.autosave().keepNow();
    test.keeper.finish();
    REQUIRE(test.autosaves().size() == 1);
    const QString copy = test.folder.filePath("unsaved/") + test.autosaves()[0];
    const Autosave::Leftover leftover{copy, readSession(copy)};
    CHECK(leftover.session.autosaveOfSha256.size() == 32);
    SessionDocument others = readSession(test.file);
    others.dumps[0].own.pins = {"/b"};

    for (const bool isChanged : {false, true}) {
        if (isChanged)
            writeSession(others, test.file);
        KeptSession next;
        QSignalSpy changed(&next.keeper, &SessionKeeper::changedByAnother);
        next.keeper.restore(leftover);
        next.keeper.finish();
        next.keeper.save(test.file);
        next.keeper.finish();
        CHECK(changed.count() == (isChanged ? 1 : 0));
    }
}

TEST_CASE("a session can't give itself the right to read other files")
{
    KeptSession test;
    SessionDocument hostile;
    hostile.dumps.resize(1);
    hostile.dumps[0].identity.path = "/e.h5";
    hostile.dumps[0].allowsExternal = true;
    writeSession(hostile, test.file);
    test.keeper.open(test.file);
    test.keeper.finish();
    CHECK_FALSE(test.document.allowsExternal());
    REQUIRE_FALSE(test.waited.opens.empty());
    CHECK_FALSE(test.waited.opens.back().request.allowExternal);
    test.answerOpen();
    CHECK_FALSE(test.keeper.isModified());
    // The user gives it, and that session may keep it.
    test.document.reloadWithExternal();
    test.answerOpen();
    test.save();
    CHECK(readSession(test.file).dumps[0].allowsExternal);
    test.keeper.open(test.file);
    test.keeper.finish();
    CHECK(test.document.allowsExternal());

    // The same bytes at another place are another session, and another user has no right.
    const QString copy = test.folder.filePath("copy.calsession");
    REQUIRE(QFile::copy(test.file, copy));
    test.keeper.open(copy);
    test.keeper.finish();
    CHECK_FALSE(test.document.allowsExternal());
    KeptSession other;
    other.keeper.open(test.file);
    other.keeper.finish();
    CHECK_FALSE(other.document.allowsExternal());
}

TEST_CASE("copies of unsaved work are the user's alone to read")
{
    KeptSession test;
    test.open("/a.h5");
    edits::setPinned(test.document, {a}, true);
    test.keeper.autosave().keepNow();
    test.keeper.finish();
    REQUIRE(test.autosaves().size() == 1);
    const auto owner = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
    CHECK(QFile::permissions(test.folder.filePath("unsaved/") + test.autosaves()[0]) == owner);
    CHECK((QFile::permissions(test.folder.filePath("unsaved")) &
           (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther)) == 0);
}

}  // namespace session_keeper_test
