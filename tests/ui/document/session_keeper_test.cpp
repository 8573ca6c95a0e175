#include "ui/document/session_keeper.h"

#include "tests/support/tested_document.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/session_document.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace calibscope;
using namespace calibscope::test;

namespace {

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

}  // namespace

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
