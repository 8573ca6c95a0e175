// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/output_folder.h"

#include "ui/queries/addresses.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace calibscope {

QString outputFolder(const QString& sessionPath, const QString& dumpPath)
{
    QStringList folders;
    for (const QString& path : {sessionPath, dumpPath})
        if (!path.isEmpty() && !isFarAway(path))
            folders += QFileInfo(path).absolutePath();
    folders += QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    for (const QString& folder : folders)
        if (const QFileInfo info(folder); info.isDir() && info.isWritable())
            return info.absoluteFilePath();
    return QDir::homePath();
}

}  // namespace calibscope
