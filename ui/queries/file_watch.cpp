// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/file_watch.h"

#include "ui/queries/addresses.h"

#include <QFileInfo>
#include <QTimer>

#include <utility>

namespace calibscope {

FileWatch::FileWatch(Engine& engine, QObject* parent) : FileWatch(parent)
{
    m_engine = &engine;
}

FileWatch::FileWatch(QObject* parent)
    : QObject(parent), m_quiet(new QTimer(this)), m_asking(new QTimer(this))
{
    constexpr int askedEveryMs = 30000;
    m_asking->setInterval(askedEveryMs);
    connect(m_asking, &QTimer::timeout, this, &FileWatch::askEngine);
    constexpr int quietMs = 400;
    m_quiet->setSingleShot(true);
    m_quiet->setInterval(quietMs);
    connect(m_quiet, &QTimer::timeout, this, &FileWatch::check);
    const auto checkSoon = qOverload<>(&QTimer::start);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, m_quiet, checkSoon);
    // A file that is replaced by renaming another one is seen in its folder only.
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, m_quiet, checkSoon);
}

void FileWatch::watch(const QString& path, const FileIdentity& opened)
{
    m_quiet->stop();
    m_asking->stop();
    m_asked.drop();
    if (const QStringList former = m_watcher.files() + m_watcher.directories(); !former.isEmpty())
        m_watcher.removePaths(former);
    m_path = path;
    m_isAsked = isFarAway(path) || (m_engine != nullptr && QFileInfo(path).isDir());
    if (m_isAsked) {
        m_opened = opened;
        m_asking->start();
    }
    if (isFarAway(path))
        return;
    m_known = stateNow();
    if (m_known.exists)
        m_watcher.addPaths({path, QFileInfo(path).absolutePath()});
}

FileWatch::State FileWatch::stateNow() const
{
    const QFileInfo info(m_path);
    if (m_path.isEmpty() || !info.exists())
        return {};
    return {.exists = true, .bytes = info.size(), .modified = info.lastModified()};
}

void FileWatch::check()
{
    if (m_path.isEmpty())
        return;
    if (m_isAsked)
        return askEngine();
    const State now = stateNow();
    const State former = std::exchange(m_known, now);
    if (now == former)
        return;
    if (now.exists && !m_watcher.files().contains(m_path))
        m_watcher.addPath(m_path);  // a new file under the old name is not watched by itself
    if (now.exists)
        Q_EMIT changed();
    else
        Q_EMIT disappeared();
}

void FileWatch::askEngine()
{
    if (m_engine == nullptr || m_asked.isAtWork())
        return;
    m_asked.ask(*m_engine, protocol::IdentifyRequest{.path = m_path.toStdString()},
                [this](const Answer<protocol::IdentifiedFile>& answer) {
                    if (answer.value)
                        takeAnswer(*answer.value);
                });
}

void FileWatch::takeAnswer(const protocol::IdentifiedFile& found)
{
    const auto isSame = [](const FileIdentity& one, const FileIdentity& other) {
        return one.bytes == other.bytes && one.modified == other.modified &&
               one.headerSha256 == other.headerSha256;
    };
    const std::optional<FileIdentity> former = std::exchange(m_opened, found.identity);
    if (m_opened.has_value() == former.has_value() && (!m_opened || isSame(*m_opened, *former)))
        return;
    if (m_opened)
        Q_EMIT changed();
    else
        Q_EMIT disappeared();
}

}  // namespace calibscope
