#include "ui/document/session_file.h"

#include "core/base/error.h"
#include "ui/document/whole_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

namespace calibscope {

namespace {

constexpr qint64 mostBytes = qint64{1} << 30;

[[noreturn]] void fail(const QString& path, const QString& reason)
{
    throw Error(Fault::Input, QCoreApplication::translate("SessionFile", "%1 could not be read: %2")
                                  .arg(path, reason)
                                  .toStdString());
}

}  // namespace

bool isSessionFile(const QString& path)
{
    return path.endsWith(sessionSuffix, Qt::CaseInsensitive);
}

SessionDocument readSession(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        fail(path, file.errorString());
    if (file.size() > mostBytes)
        fail(path, QCoreApplication::translate("SessionFile", "it is too large for a session"));
    return sessionFromJson(file.readAll().toStdString(),
                           QFileInfo(path).absoluteFilePath().toStdString());
}

void writeSession(const SessionDocument& document, const QString& path)
{
    writeWhole(path, sessionJson(document, QFileInfo(path).absolutePath().toStdString()));
}

}  // namespace calibscope
