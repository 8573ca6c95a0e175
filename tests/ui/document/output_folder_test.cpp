// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/output_folder.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <QDir>
#include <QFileInfo>

#include <filesystem>

namespace document_output_folder_test {

using namespace calibscope;
using calibscope::test::TemporaryFolder;

TEST_CASE("files go beside the session")
{
    const TemporaryFolder folder;
    const QString session = QString::fromStdString(folder.file("a.calsession"));
    CHECK(outputFolder(session, "/dump.h5") == QFileInfo(session).absolutePath());
}

TEST_CASE("without a session files go beside the dump")
{
    const TemporaryFolder folder;
    const QString dump = QString::fromStdString(folder.file("a.h5"));
    CHECK(outputFolder({}, dump) == QFileInfo(dump).absolutePath());
    CHECK(outputFolder("/nowhere/at/all/a.calsession", dump) == QFileInfo(dump).absolutePath());
}

TEST_CASE(
    "without a session, or where its folder is gone, files go to a folder that can be written")
{
    for (const QString& session : {QString(), QStringLiteral("/nowhere/at/all/a.calsession")}) {
        const QFileInfo folder(outputFolder(session, "ssh://host/dump.h5"));
        CHECK(folder.isDir());
        CHECK(folder.isWritable());
        CHECK_FALSE(folder.absoluteFilePath().startsWith("/nowhere"));
    }
}

}  // namespace document_output_folder_test
