// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/autosave.h"
#include "ui/document/external_rights.h"
#include "ui/document/session_document.h"
#include "ui/document/session_files.h"
#include "ui/document/window_dumps.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <string>

namespace calibscope {

/// The session of a window as a file: opens and saves it, knows what is not saved yet, and keeps
/// that from being lost.
class SessionKeeper : public QObject
{
    Q_OBJECT

public:
    /// A window's part of a session, next to its dumps.
    using LayoutNow = std::function<SessionLayout()>;

    /// `autosaveFolder` empty: nothing is kept that the user did not save. Beside it is the file of
    /// the ExternalRights.
    SessionKeeper(Document& document, WindowDumps& dumps, LayoutNow layoutNow,
                  const QString& autosaveFolder, QObject* parent = nullptr);

    /// Opens its dumps in place of those that are open. What was not saved is lost: ask first.
    void open(const QString& path);
    enum class Others {
        Keep,     ///< the file is not written where it is no longer what was read or written here
        Replace,  ///< it is: the user was asked
    };
    /// The session goes into that file from now on.
    void save(const QString& path, Others others = Others::Keep);

    /// Absolute; empty: it was not saved yet.
    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] bool isModified() const;
    /// Reading or writing: opened(), saved() or failed() will come.
    [[nodiscard]] bool isBusy() const { return m_pending > 0; }
    void finish() { m_files.finish(); }

    [[nodiscard]] SessionDocument session() const;
    /// As the file has it; empty: it was not saved yet.
    [[nodiscard]] const SessionDocument& savedSession() const { return m_saved; }
    [[nodiscard]] Autosave& autosave() { return m_autosave; }
    /// For further files that are written beside the UI thread.
    [[nodiscard]] SessionFiles& files() { return m_files; }
    /// Goes on with what a program left that did not end properly.
    void restore(const Autosave::Leftover& leftover);

Q_SIGNALS:
    void opened(const calibscope::SessionDocument& session);
    void saved(const QString& path);
    /// The file was not written: another window or program has since it was read here.
    void changedByAnother(const QString& path);
    void failed(const QString& sentence);
    /// Which file it is, or whether something is not saved.
    void changed();

private:
    void show(const SessionDocument& session);
    void takeSaved(const SessionDocument& session, const QString& path, const std::string& sha256);
    void forgetFile();
    void noteChange();
    void look();

    Document& m_document;
    WindowDumps& m_dumps;
    LayoutNow m_layoutNow;
    SessionFiles m_files;
    Autosave m_autosave;
    ExternalRights m_rights;
    QString m_path;
    std::string m_sha256;     ///< of that file as it was read or written here; empty: not known
    SessionDocument m_saved;  ///< as it is in the file
    QTimer m_looking;
    int m_pending = 0;
};

}  // namespace calibscope
