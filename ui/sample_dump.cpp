#include "ui/sample_dump.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace calibscope {

QString sampleDumpPath()
{
    const QDir programs(QCoreApplication::applicationDirPath());
    // Installed: bin beside share. Built: .build/<preset>/bin in the source tree.
    for (const char* place :
         {"../share/calibscope/sample/sample.h5", "../../../resources/sample/sample.h5"}) {
        const QFileInfo file(programs.filePath(QString::fromLatin1(place)));
        if (file.isReadable())
            return file.canonicalFilePath();
    }
    return {};
}

}  // namespace calibscope
