#include "ui/queries/file_watch.h"

#include <QFileInfo>
#include <QTimer>

#include <utility>

namespace calibscope {

FileWatch::FileWatch(QObject* parent) : QObject(parent), m_quiet(new QTimer(this))
{
    constexpr int quietMs = 400;
    m_quiet->setSingleShot(true);
    m_quiet->setInterval(quietMs);
    connect(m_quiet, &QTimer::timeout, this, &FileWatch::check);
    const auto checkSoon = qOverload<>(&QTimer::start);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, m_quiet, checkSoon);
    // A file that is replaced by renaming another one is seen in its folder only.
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, m_quiet, checkSoon);
}

void FileWatch::watch(const QString& path)
{
    m_quiet->stop();
    if (const QStringList former = m_watcher.files() + m_watcher.directories(); !former.isEmpty())
        m_watcher.removePaths(former);
    m_path = path;
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

}  // namespace calibscope
