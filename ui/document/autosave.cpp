// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/autosave.h"

#include "ui/document/session_document.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <exception>
#include <utility>

namespace calibscope {

namespace {

constexpr int quietMs = 2000;

QString lockOf(const QString& path)
{
    return path + QStringLiteral(".lock");
}

std::unique_ptr<QLockFile> lockFor(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(lockOf(path));
    lock->setStaleLockTime(0);  // a program may run for weeks
    return lock;
}

}  // namespace

Autosave::Autosave(SessionFiles& files, QString folder, std::function<SessionDocument()> session,
                   QObject* parent)
    : QObject(parent),
      m_files(files),
      m_folder(std::move(folder)),
      m_session(std::move(session)),
      m_taken(std::make_shared<std::vector<std::unique_ptr<QLockFile>>>())
{
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(quietMs);
    connect(&m_quiet, &QTimer::timeout, this, &Autosave::keepNow);
    m_lock = lockFor(path());
}

QString Autosave::standardFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
           QStringLiteral("/unsaved");
}

/// Differs from that of any program that ran at another time.
QString Autosave::path() const
{
    static const QString start =
        QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-hhmmss-zzz"));
    return QStringLiteral("%1/%2-%3%4")
        .arg(m_folder, start, QString::number(QCoreApplication::applicationPid()), sessionSuffix);
}

void Autosave::keepSoon()
{
    if (!m_folder.isEmpty() && !m_quiet.isActive())
        m_quiet.start();  // else who never pauses would never be saved
}

void Autosave::keepNow()
{
    m_quiet.stop();
    if (m_folder.isEmpty())
        return;
    m_isKept = true;
    m_files.run([folder = m_folder, lock = m_lock] {
        QDir().mkpath(folder);
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        if (!lock->isLocked())
            (void)lock->tryLock(0);
    });
    m_files.write(m_session(), path(), {.isPrivate = true},
                  [this](const SessionFiles::Written& written) {
                      if (written.failure.isEmpty())
                          Q_EMIT kept(path());
                      else
                          Q_EMIT failed(written.failure);
                  });
}

void Autosave::drop()
{
    m_quiet.stop();
    if (!std::exchange(m_isKept, false))
        return;
    m_files.run([lock = m_lock, path = path()] {
        QFile::remove(path);
        lock->unlock();
    });
}

void Autosave::findLeftovers(std::function<void(const std::vector<Leftover>&)> told)
{
    if (m_folder.isEmpty())
        return;
    const auto found = std::make_shared<std::vector<Leftover>>();
    m_files.run(
        [found, taken = m_taken, folder = m_folder, own = path()] {
            const QFileInfoList files = QDir(folder).entryInfoList(
                {QStringLiteral("*") + sessionSuffix}, QDir::Files, QDir::Time);
            for (const QFileInfo& file : files) {
                std::unique_ptr<QLockFile> lock = lockFor(file.absoluteFilePath());
                if (file.absoluteFilePath() == own || !lock->tryLock(0))
                    continue;
                taken->push_back(std::move(lock));
                try {
                    found->push_back(
                        {file.absoluteFilePath(), readSession(file.absoluteFilePath())});
                } catch (const std::exception&) {
                    // of a newer version: that one will find it
                    taken->pop_back();
                }
            }
        },
        [found, told = std::move(told)] {
            if (!found->empty())
                told(*found);
        });
}

void Autosave::removeLeftover(const QString& path)
{
    m_files.run([path, taken = m_taken] {
        QFile::remove(path);
        std::erase_if(*taken, [&path](const std::unique_ptr<QLockFile>& lock) {
            return lock->fileName() == lockOf(path);
        });
    });
}

}  // namespace calibscope
