#include "ui/document/session_file.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/document/session_samples.h"

#include <QDir>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>

using namespace calibscope;
using test::TemporaryFolder;

namespace {

QStringList filesIn(const TemporaryFolder& folder)
{
    return QDir(QString::fromStdString(folder.path().string())).entryList(QDir::Files);
}

/// Files of this process grow no larger while it lives: as on a full disk.
struct FullDisk
{
    FullDisk()
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &former);
        const rlimit none{.rlim_cur = 16, .rlim_max = former.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &none);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &former); }
    rlimit former{};
};

}  // namespace

TEST_CASE("a written session is read again, and nothing else is left")
{
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.file("s.calsession"));
    writeSession({}, path);
    const SessionDocument session = test::someSession();
    writeSession(session, path);
    CHECK(readSession(path) == session);
    CHECK(filesIn(folder) == QStringList{"s.calsession"});
    CHECK(isSessionFile(path));
    CHECK_FALSE(isSessionFile("/dumps/calsession.h5"));
}

TEST_CASE("a full disk leaves the former session and says why")
{
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.file("s.calsession"));
    writeSession({}, path);
    {
        const FullDisk full;
        CHECK_THROWS_WITH(writeSession(test::someSession(), path),
                          path.toStdString() + " could not be written: File too large");
    }
    CHECK(readSession(path) == SessionDocument{});
    CHECK(filesIn(folder) == QStringList{"s.calsession"});
}

TEST_CASE("a folder that is not there or can't be written is named, with the reason")
{
    CHECK_THROWS_WITH(writeSession({}, "/nowhere/s.calsession"),
                      "/nowhere/s.calsession could not be written: No such file or directory");
    CHECK_THROWS_WITH(writeSession({}, "/proc/s.calsession"),
                      Catch::StartsWith("/proc/s.calsession could not be written: "));
}

TEST_CASE("a session that can't be read is named, with the reason")
{
    CHECK_THROWS_WITH(readSession("/nowhere/s.calsession"),
                      "/nowhere/s.calsession could not be read: No such file or directory");
    const TemporaryFolder folder;
    test::writeBytes(folder.file("s.calsession"), "\x89HDF");
    CHECK_THROWS_WITH(readSession(QString::fromStdString(folder.file("s.calsession"))),
                      folder.file("s.calsession") +
                          ": is not valid JSON; it may be damaged or cut off");
}
