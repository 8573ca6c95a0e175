// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/file_watch.h"

#include "core/base/folder_files.h"
#include "ui/queries/addresses.h"

#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int askedEveryMs = 30000;
constexpr int quietMs = 400;
constexpr int followedEveryMs = 2000;
constexpr int batchMs = 100;  // for the tensors of a batch, which come one after the other

}  // namespace

FileWatch::FileWatch(Engine& engine, QObject* parent) : FileWatch(parent)
{
    m_engine = &engine;
}

FileWatch::FileWatch(QObject* parent)
    : QObject(parent), m_quiet(new QTimer(this)), m_asking(new QTimer(this))
{
    m_asking->setInterval(askedEveryMs);
    connect(m_asking, &QTimer::timeout, this, &FileWatch::askEngine);
    m_quiet->setSingleShot(true);
    connect(m_quiet, &QTimer::timeout, this, &FileWatch::check);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &FileWatch::checkSoon);
    // A file that is replaced by renaming another one is seen in its folder only.
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &FileWatch::checkSoon);
    connect(this, &FileWatch::changed, this, [this] { m_reported.start(); });
}

void FileWatch::setFollowed(bool isFollowed)
{
    m_isFollowed = isFollowed;
    m_asking->setInterval(isFollowed ? followedEveryMs : askedEveryMs);
}

void FileWatch::checkSoon()
{
    if (!m_isFollowed)
        return m_quiet->start(quietMs);  // counted from the latest change
    const qint64 since = m_reported.isValid() ? m_reported.elapsed() : followedEveryMs;
    if (!m_quiet->isActive())
        m_quiet->start(static_cast<int>(std::max<qint64>(followedEveryMs - since, batchMs)));
}

void FileWatch::watch(const QString& path, const FileIdentity& opened)
{
    m_quiet->stop();
    m_asking->stop();
    m_asked.drop();
    if (const QStringList former = m_watcher.files() + m_watcher.directories(); !former.isEmpty())
        m_watcher.removePaths(former);
    m_path = path;
    m_isAsked = isFarAway(path) || (m_engine != nullptr &&
                                    (QFileInfo(path).isDir() || isDumpList(path.toStdString())));
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
