#include "ui/window/sample_dump.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace calibscope {

QString sampleDumpPath()
{
    const QDir programs(QCoreApplication::applicationDirPath());
    const QFileInfo file(programs.filePath(QStringLiteral("../share/calibscope/sample/sample.h5")));
    return file.isReadable() ? file.canonicalFilePath() : QString();
}

}  // namespace calibscope
