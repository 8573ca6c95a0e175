// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/file_watch.h"

#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

namespace file_watch_test {

using namespace calibscope;
using calibscope::test::becomesQuiet;

constexpr int patienceMs = 5000;

struct Watched
{
    Watched()
    {
        write("one");
        watch.watch(path);
    }
    void write(const QByteArray& text)
    {
        QFile file(path);
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    QTemporaryDir folder;
    QString path = folder.filePath("a.h5");
    FileWatch watch;
    QSignalSpy changes{&watch, &FileWatch::changed};
    QSignalSpy losses{&watch, &FileWatch::disappeared};
};

TEST_CASE("a file that is written anew is told, once for several writes")
{
    Watched test;
    test.write("one and two");
    test.write("one, two and three");
    REQUIRE(QTest::qWaitFor([&] { return test.changes.count() > 0; }, patienceMs));
    REQUIRE(becomesQuiet(test.watch));
    CHECK(test.changes.count() == 1);
    CHECK(test.losses.count() == 0);
}

TEST_CASE("a file that is removed is told, and its return too")
{
    Watched test;
    REQUIRE(QFile::remove(test.path));
    REQUIRE(QTest::qWaitFor([&] { return test.losses.count() == 1; }, patienceMs));
    CHECK(test.changes.count() == 0);
    test.write("one");
    CHECK(QTest::qWaitFor([&] { return test.changes.count() == 1; }, patienceMs));
}

TEST_CASE("a file that another one replaces is told")
{
    Watched test;
    QFile other(test.folder.filePath("b.h5"));
    REQUIRE(other.open(QIODevice::WriteOnly));
    other.write("another one");
    other.close();
    REQUIRE(QFile::remove(test.path));
    REQUIRE(other.rename(test.path));
    CHECK(QTest::qWaitFor([&] { return test.changes.count() == 1; }, patienceMs));
}

TEST_CASE("looking at an unchanged file, or at none, tells nothing")
{
    Watched test;
    test.watch.check();
    test.watch.watch({});
    test.write("another text");
    test.watch.check();
    REQUIRE(becomesQuiet(test.watch));
    CHECK(test.changes.count() == 0);
    CHECK(test.losses.count() == 0);
}

TEST_CASE("a file that is followed is reported while it is written all the time")
{
    Watched test;
    test.watch.setFollowed(true);
    QByteArray text = "one";
    QTimer writer;
    QObject::connect(&writer, &QTimer::timeout, &writer, [&] { test.write(text += " more"); });
    writer.start(10);
    CHECK(QTest::qWaitFor([&] { return test.changes.count() >= 2; }, patienceMs));
    CHECK(test.losses.count() == 0);
}

TEST_CASE("of a file on another machine the engine is asked, and each change is told once")
{
    using calibscope::test::FakeEngine;
    FakeEngine engine;
    FileWatch watch(engine);
    QSignalSpy changes(&watch, &FileWatch::changed);
    QSignalSpy losses(&watch, &FileWatch::disappeared);
    const FileIdentity opened{
        .path = "ssh://h/a.h5", .bytes = 10, .modified = "m", .headerSha256 = "x"};
    watch.watch("ssh://h/a.h5", opened);
    CHECK(engine.identifications.empty());
    const auto answer = [&](std::optional<FileIdentity> identity) {
        watch.check();
        REQUIRE(engine.identifications.size() == 1);
        CHECK(engine.identifications.front().request.path == "ssh://h/a.h5");
        FakeEngine::answer(engine.identifications, protocol::IdentifiedFile{std::move(identity)});
    };
    answer(opened);
    CHECK(changes.count() == 0);
    FileIdentity other = opened;
    other.headerSha256 = "y";
    answer(other);
    answer(other);
    CHECK(changes.count() == 1);
    answer(std::nullopt);
    answer(std::nullopt);
    CHECK(losses.count() == 1);
    answer(opened);
    CHECK(changes.count() == 2);

    // A connection that is lost tells nothing of the file.
    watch.check();
    watch.check();
    REQUIRE(engine.identifications.size() == 1);
    FakeEngine::fail(engine.identifications, "lost");
    CHECK(changes.count() == 2);
    CHECK(losses.count() == 1);
    watch.watch({});
    watch.check();
    CHECK(engine.identifications.empty());
}

TEST_CASE("of a folder that is open as a whole the engine is asked, too")
{
    using calibscope::test::FakeEngine;
    const QTemporaryDir folder;
    FakeEngine engine;
    FileWatch watch(engine);
    QSignalSpy changes(&watch, &FileWatch::changed);
    const FileIdentity opened{
        .path = folder.path().toStdString(), .bytes = 10, .modified = "m", .headerSha256 = "x"};
    watch.watch(folder.path(), opened);
    watch.check();
    REQUIRE(engine.identifications.size() == 1);
    FileIdentity other = opened;
    other.modified = "n";
    FakeEngine::answer(engine.identifications, protocol::IdentifiedFile{other});
    CHECK(changes.count() == 1);
    // A file that is added is seen at once.
    QFile added(folder.filePath("a.npy"));
    REQUIRE(added.open(QIODevice::WriteOnly));
    CHECK(QTest::qWaitFor([&] { return engine.identifications.size() == 1; }, patienceMs));
}

}  // namespace file_watch_test
