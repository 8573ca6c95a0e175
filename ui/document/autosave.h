// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/session_document.h"
#include "ui/document/session_files.h"

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace calibscope {

/// Keeps a copy of the session in the user's folder, a moment after each change, for as long as it
/// has what is saved nowhere else. A lock beside it tells whether its program still runs: a copy
/// without one is left over from a program that did not end properly.
class Autosave : public QObject
{
    Q_OBJECT

public:
    /// `session` gives the session as it is now. Nothing is saved while the folder is empty.
    Autosave(SessionFiles& files, QString folder, std::function<SessionDocument()> session,
             QObject* parent = nullptr);

    /// The folder of the user's for it.
    [[nodiscard]] static QString standardFolder();

    /// Something changed.
    void keepSoon();
    void keepNow();
    /// All is saved, or given up: the copy goes.
    void drop();

    struct Leftover
    {
        QString path;
        SessionDocument session;
    };
    /// Looks for copies of programs that are gone, the newest first. They are this program's then:
    /// no other one finds them while it runs.
    void findLeftovers(std::function<void(const std::vector<Leftover>&)> told);
    void removeLeftover(const QString& path);

Q_SIGNALS:
    void kept(const QString& path);
    void failed(const QString& sentence);

private:
    [[nodiscard]] QString path() const;

    SessionFiles& m_files;
    QString m_folder;
    std::function<SessionDocument()> m_session;
    QTimer m_quiet;
    std::shared_ptr<QLockFile> m_lock;  ///< touched beside the UI thread only
    /// Of leftovers that this program took.
    std::shared_ptr<std::vector<std::unique_ptr<QLockFile>>> m_taken;
    bool m_isKept = false;
};

}  // namespace calibscope
