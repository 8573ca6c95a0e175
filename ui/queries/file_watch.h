#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>

class QTimer;

namespace calibscope {

/// Tells when the file that is open becomes another one or goes. A recording that is being written
/// changes all the time: it is told once it has been left alone for a moment.
class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    /// From now on this file as it is now; empty: none.
    void watch(const QString& path);
    /// Looks at once: not every file system tells of changes.
    void check();

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

    QFileSystemWatcher m_watcher;
    QTimer* m_quiet;
    QString m_path;
    State m_known;
};

}  // namespace calibscope
