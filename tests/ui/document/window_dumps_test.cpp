// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/window_dumps.h"

#include "tests/support/catch.h"
#include "tests/support/tested_document.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

namespace window_dumps_test {

using namespace calibscope;
using namespace calibscope::test;

namespace {

struct TestedDumps : TestedDocument
{
    WindowDumps dumps{document};

    void open(const QString& path)
    {
        dumps.open(path, {});
        answerOpen();
    }
    void answerOpen(const FileIdentity& identity = {})
    {
        protocol::DumpOpened opened = someDump();
        opened.identity = identity;
        FakeEngine::answer(waited.opens, opened);
    }
};

FileIdentity identityOf(const std::string& hash)
{
    return {.path = {}, .bytes = 1, .modified = "then", .sha256 = {}, .headerSha256 = hash};
}

}  // namespace

TEST_CASE("who comes back to a dump finds selection, decisions and steps as they were")
{
    TestedDumps test;
    test.open("/a.h5");
    test.document.select(b);
    edits::setPinned(test.document, {b}, true);
    (void)acceptCandidate(test.document, {b}, "percentile");
    test.open("/b.h5");
    CHECK(test.document.selected() == -1);
    CHECK(test.document.workbench().pins.empty());
    CHECK_FALSE(test.document.history().canUndo());
    edits::setPinned(test.document, {a}, true);
    test.dumps.step(1);
    CHECK(test.document.path() == "/a.h5");
    test.answerOpen();
    CHECK(test.document.selected() == b);
    CHECK(edits::isPinned(test.document, b));
    CHECK_FALSE(edits::isPinned(test.document, a));
    test.document.undo();
    CHECK_FALSE(decisionOf(test.document, b));
    test.document.undo();
    CHECK_FALSE(edits::isPinned(test.document, b));
    test.document.redo();
    CHECK(edits::isPinned(test.document, b));
    test.dumps.show(1);
    test.answerOpen();
    CHECK(edits::isPinned(test.document, a));
}

TEST_CASE("how things are shown is the same for all dumps, whatever is undone in one of them")
{
    TestedDumps test;
    test.open("/a.h5");
    edits::setBaseline(test.document, "min-max");
    edits::setPinned(test.document, {a}, true);
    test.open("/b.h5");
    CHECK(test.document.workbench().baseline == "min-max");
    edits::setBaseline(test.document, "entropy");
    test.dumps.step(-1);
    test.answerOpen();
    CHECK(test.document.workbench().baseline == "entropy");
    test.document.undo();
    CHECK_FALSE(edits::isPinned(test.document, a));
    CHECK(test.document.workbench().baseline == "entropy");
    CHECK_FALSE(test.document.history().canUndo());  // the other step was about the baseline alone
}

TEST_CASE("a dump that is open already is shown, not opened twice")
{
    TestedDumps test;
    test.open("/a.h5");
    edits::setPinned(test.document, {a}, true);
    test.open("/b.h5");
    test.open("/a.h5");
    CHECK(test.dumps.count() == 2);
    CHECK(edits::isPinned(test.document, a));
}

TEST_CASE("a sweep runs again on a dump that is shown again, unless it was stopped")
{
    TestedDumps test;
    test.open("/a.h5");
    test.document.questions().startMatrix(true);
    test.open("/b.h5");
    CHECK_FALSE(test.document.questions().sweep());
    test.dumps.step(1);
    CHECK_FALSE(test.document.questions().sweep());  // not before it is open
    test.answerOpen();
    CHECK(test.document.questions().sweep() == true);
    CHECK(test.document.questions().matrix().isRunning());
    test.document.questions().matrix().stop();
    test.open("/b.h5");
    test.open("/a.h5");
    CHECK_FALSE(test.document.questions().sweep());
}

TEST_CASE("closing a dump shows another one, closing the last one none")
{
    TestedDumps test;
    test.open("/a.h5");
    test.open("/b.h5");
    test.dumps.closeShown();
    CHECK(test.document.path() == "/a.h5");
    test.answerOpen();
    test.dumps.closeShown();
    CHECK(test.dumps.count() == 0);
    CHECK(test.document.dumpState() == Document::DumpState::None);
}

TEST_CASE("whose opening is cancelled goes, and the one before is shown again")
{
    TestedDumps test;
    test.open("/a.h5");
    test.dumps.open("/b.h5", {});
    test.document.questions().stopReading();
    CHECK(test.dumps.count() == 1);
    QCoreApplication::processEvents();
    CHECK(test.document.path() == "/a.h5");
    CHECK(test.document.dumpState() == Document::DumpState::Opening);
}

TEST_CASE("what could not be opened and is in no session is not kept")
{
    TestedDumps test;
    test.open("/a.h5");
    test.dumps.open("/no dump.txt", {});
    const QSignalSpy complaints(&test.dumps, &WindowDumps::couldNotOpen);
    FakeEngine::fail(test.waited.opens, "is not an HDF5 file");
    CHECK(test.dumps.count() == 1);
    CHECK(test.dumps.isGoingBack());  // the window shows no failure
    QCoreApplication::processEvents();
    CHECK_FALSE(test.dumps.isGoingBack());
    CHECK(test.document.path() == "/a.h5");
    REQUIRE(complaints.count() == 1);
    CHECK(complaints.front().front().toString() == "/no dump.txt");
    CHECK(complaints.front().back().toString().contains("is not an HDF5 file"));
    test.answerOpen();
    CHECK(test.document.dumpState() == Document::DumpState::Open);
}

TEST_CASE("where nothing else is open, what could not be opened stays to be seen")
{
    TestedDumps test;
    test.dumps.open("/no dump.txt", {});
    FakeEngine::fail(test.waited.opens, "is not an HDF5 file");
    CHECK_FALSE(test.dumps.isGoingBack());
    CHECK(test.document.dumpState() == Document::DumpState::Failed);
}

TEST_CASE("dumps that wait are not read")
{
    TestedDumps test;
    test.dumps.open("/a.h5", {});
    test.dumps.add({"/b.h5", "/c.h5"});
    CHECK(test.dumps.count() == 3);
    CHECK(test.dumps.shown() == 0U);
    CHECK(test.waited.opens.size() == 1);
}

TEST_CASE("a dump that changed since it was left is told, with what changed")
{
    TestedDumps test;
    const QSignalSpy changes(&test.dumps, &WindowDumps::changedSince);
    test.dumps.replaceAll({{.path = "/a.h5", .identity = identityOf("ab")},
                           {.path = "/b.h5", .identity = identityOf("ab")}},
                          1);
    CHECK(test.document.path() == "/b.h5");
    test.answerOpen(identityOf("cd"));
    REQUIRE(changes.count() == 1);
    CHECK(changes.front().front().toString() == "header");
    test.dumps.step(1);
    test.answerOpen(identityOf("ab"));
    CHECK(changes.count() == 1);
}

TEST_CASE("a recording that was left while it ran has grown since, or is another one")
{
    TestedDumps test;
    const QSignalSpy changes(&test.dumps, &WindowDumps::changedSince);
    protocol::DumpOpened recording = someDump();
    recording.isGrowing = true;
    recording.identity = identityOf("ab");
    recording.identity.bytes = 100;
    test.dumps.open("/a.h5", {});
    FakeEngine::answer(test.waited.opens, recording);
    test.open("/b.h5");
    test.dumps.step(1);
    recording.identity.bytes = 200;
    FakeEngine::answer(test.waited.opens, recording);
    REQUIRE(changes.count() == 1);
    CHECK(changes.back() == QVariantList{"size from 100 to 200 bytes, header unchanged", true});
    test.dumps.step(1);
    test.answerOpen();
    test.dumps.step(1);
    test.answerOpen(identityOf("ab"));  // of one byte
    REQUIRE(changes.count() == 2);
    CHECK(changes.back().back() == false);
}

TEST_CASE("a dump that is found at another place keeps what was decided on it")
{
    TestedDumps test;
    HeldDump moved{.path = "/gone.h5", .identity = identityOf("ab")};
    moved.workbench.pins = {"/a"};
    test.dumps.replaceAll({moved}, 0);
    FakeEngine::fail(test.waited.opens, "is gone");
    test.dumps.relocateShown("/found.h5");
    CHECK(test.document.path() == "/found.h5");
    test.answerOpen(identityOf("ab"));
    CHECK(edits::isPinned(test.document, a));
    CHECK(test.dumps.count() == 1);
}

namespace {

const FileIdentity was{.path = "/a.h5",
                       .bytes = 12345,
                       .modified = "2024-01-02T03:04:05Z",
                       .sha256 = {},
                       .headerSha256 = "ab"};

}  // namespace

TEST_CASE("a file that is as it was has no changes, wherever it is now")
{
    FileIdentity is = was;
    is.path = "/elsewhere/b.h5";
    CHECK(identityChanges(was, is).isEmpty());
}

TEST_CASE("what changed of a file is told: size, time, header")
{
    FileIdentity is = was;
    is.modified = "2025-01-02T03:04:05Z";
    CHECK(identityChanges(was, is) ==
          "time from 2024-01-02T03:04:05Z to 2025-01-02T03:04:05Z, header unchanged");
    is.headerSha256 = "cd";
    is.bytes = 7;
    CHECK(
        identityChanges(was, is) ==
        "size from 12\u202f345 to 7 bytes, time from 2024-01-02T03:04:05Z to 2025-01-02T03:04:05Z, "
        "header");
}

TEST_CASE("of a file that was not read before nothing is known to have changed")
{
    CHECK(identityChanges({}, was).isEmpty());
    CHECK(identityChanges(was, {}).isEmpty());
}

namespace {

OpenDumps threeDumps()
{
    OpenDumps dumps;
    for (const char* path : {"/a", "/b", "/c"})
        dumps.show({.path = path});
    return dumps;
}

}  // namespace

TEST_CASE("a further dump is shown, one that is open is shown as it was left")
{
    OpenDumps dumps = threeDumps();
    CHECK(dumps.shown() == 2U);
    HeldDump left = dumps.all()[2];
    left.selected = "/conv";
    dumps.keepShown(left);
    dumps.show({.path = "/a"});
    CHECK(dumps.shown() == 0U);
    dumps.show({.path = "/c", .selected = "/other"});
    CHECK(dumps.all().size() == 3);
    CHECK(dumps.all()[*dumps.shown()].selected == "/conv");
}

TEST_CASE("the neighbours of a dump go round, and a single one has none")
{
    OpenDumps dumps = threeDumps();
    CHECK(dumps.neighbour(1) == 0U);
    CHECK(dumps.neighbour(-1) == 1U);
    dumps.show(std::size_t{0});
    CHECK(dumps.neighbour(-1) == 2U);
    dumps.removeShown();
    dumps.removeShown();
    CHECK_FALSE(dumps.neighbour(1));
    CHECK_FALSE(OpenDumps().neighbour(1));
}

TEST_CASE("in place of a dump that goes the next one is shown, of the last the one before")
{
    OpenDumps dumps = threeDumps();
    dumps.removeShown();
    CHECK(dumps.all()[*dumps.shown()].path == "/b");
    dumps.show(std::size_t{0});
    dumps.removeShown();
    CHECK(dumps.all()[*dumps.shown()].path == "/b");
    dumps.removeShown();
    CHECK_FALSE(dumps.shown());
    dumps.removeShown();
    CHECK(dumps.all().empty());
}

}  // namespace window_dumps_test
