// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/running_window.h"

#include <QApplication>
#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QLocalSocket>
#include <QStandardPaths>

#include <utility>

namespace calibscope {

namespace {

constexpr int milliseconds = 2000;
constexpr qint64 longestRequest = 1 << 20;
constexpr char takenOver = '+';

QByteArray bytesOf(const HandedFiles& request)
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_4);
    stream << QStringLiteral(CALIBSCOPE_VERSION) << request.files << request.allowExternal
           << request.isOne;
    return bytes;
}

}  // namespace

QString RunningWindow::usualAddress()
{
    // A nested display or another home folder is another desk.
    const QByteArray desk =
        qgetenv("WAYLAND_DISPLAY") + '\n' + qgetenv("DISPLAY") + '\n' +
        QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation).toLocal8Bit();
    const QByteArray digest = QCryptographicHash::hash(desk, QCryptographicHash::Sha256).toHex();
    return QDir(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation))
        .filePath(QStringLiteral("calibscope-") + QString::fromLatin1(digest.left(16)));
}

bool RunningWindow::take(const QString& address, const HandedFiles& request)
{
    QLocalSocket socket;
    socket.connectToServer(address);
    if (!socket.waitForConnected(milliseconds))
        return false;
    socket.write(bytesOf(request));
    char answer = 0;
    return socket.waitForBytesWritten(milliseconds) && socket.waitForReadyRead(milliseconds) &&
           socket.getChar(&answer) && answer == takenOver;
}

RunningWindow::RunningWindow(const QString& address, std::function<void(const HandedFiles&)> open)
    : m_open(std::move(open))
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    QObject::connect(&m_server, &QLocalServer::newConnection, &m_server, [this] {
        while (QLocalSocket* const caller = m_server.nextPendingConnection()) {
            QObject::connect(caller, &QLocalSocket::disconnected, caller, &QObject::deleteLater);
            QObject::connect(caller, &QLocalSocket::readyRead, caller,
                             [this, caller] { answer(*caller); });
        }
    });
    // A server with these options takes the place of another one's socket.
    QLocalSocket probe;
    probe.connectToServer(address);
    if (!probe.waitForConnected(milliseconds)) {
        QLocalServer::removeServer(address);
        m_server.listen(address);
    }
}

void RunningWindow::answer(QLocalSocket& caller)
{
    if (caller.bytesAvailable() > longestRequest)
        return caller.abort();
    QDataStream stream(&caller);
    stream.setVersion(QDataStream::Qt_6_4);
    stream.startTransaction();
    QString version;
    HandedFiles request;
    stream >> version >> request.files >> request.allowExternal >> request.isOne;
    if (!stream.commitTransaction())
        return;
    // Below a question that may close this window nothing is opened: the caller opens its own.
    if (version != QStringLiteral(CALIBSCOPE_VERSION) || QApplication::activeModalWidget())
        return caller.abort();
    caller.putChar(takenOver);
    caller.flush();
    caller.disconnectFromServer();
    m_open(request);
}

}  // namespace calibscope
