// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "ui/queries/engine_request.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>

#include <optional>

class QTimer;

namespace calibscope {

/// Tells when the file that is open becomes another one or goes. A recording that is being written
/// changes all the time: it is reported once it has been left alone for a moment.
///
/// Of a file on another machine, and of a folder or a list that is open as a whole, the engine is asked every
/// 30 s. An answer that does not come tells nothing.
///
/// One that is followed is reported while it changes, every 2 s at most, and asked for as often.
class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);
    /// `engine`, which must outlive it, knows the files of other machines.
    explicit FileWatch(Engine& engine, QObject* parent = nullptr);

    /// From now on this file as it is now, one on another machine as it was when it was opened;
    /// empty: none.
    void watch(const QString& path, const FileIdentity& opened = {});
    /// Looks at once: not every file system tells of changes.
    void check();
    /// Holds for all that is watched from now on.
    void setFollowed(bool isFollowed);

Q_SIGNALS:
    void changed();
    void disappeared();

private:
    struct State
    {
        bool exists = false;
        qint64 bytes = 0;
        QDateTime modified;
        bool operator==(const State&) const = default;
    };

    [[nodiscard]] State stateNow() const;
    void checkSoon();
    void askEngine();
    void takeAnswer(const protocol::IdentifiedFile& found);

    QFileSystemWatcher m_watcher;
    QTimer* m_quiet;
    bool m_isFollowed = false;
    QElapsedTimer m_reported;  ///< since the latest change that was reported
    QString m_path;
    bool m_isAsked = false;  ///< the engine knows better
    State m_known;

    Engine* m_engine = nullptr;
    EngineRequest m_asked;
    QTimer* m_asking;
    std::optional<FileIdentity> m_opened;  ///< of what is asked; none: it is gone
};

}  // namespace calibscope
