#include "ui/session_file/session_file.h"

#include "core/base/error.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace calibscope {

namespace {

constexpr qint64 mostBytes = qint64{1} << 30;

[[noreturn]] void fail(Fault fault, const char* sentence, const QString& path,
                       const QString& reason)
{
    throw Error(
        fault,
        QCoreApplication::translate("SessionFile", sentence).arg(path, reason).toStdString());
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
        fail(Fault::Input, QT_TRANSLATE_NOOP("SessionFile", "%1 could not be read: %2"), path,
             file.errorString());
    if (file.size() > mostBytes)
        fail(Fault::Input, QT_TRANSLATE_NOOP("SessionFile", "%1 could not be read: %2"), path,
             QCoreApplication::translate("SessionFile", "it is too large for a session"));
    return sessionFromJson(file.readAll().toStdString(),
                           QFileInfo(path).absoluteFilePath().toStdString());
}

void writeSession(const SessionDocument& document, const QString& path)
{
    const std::string json = sessionJson(document, QFileInfo(path).absolutePath().toStdString());
    QSaveFile file(path);
    const bool isWritten =
        file.open(QIODevice::WriteOnly) &&
        file.write(json.data(), static_cast<qint64>(json.size())) == std::ssize(json) &&
        file.commit();
    if (!isWritten)
        fail(Fault::Output, QT_TRANSLATE_NOOP("SessionFile", "%1 could not be written: %2"), path,
             file.errorString());
}

}  // namespace calibscope
