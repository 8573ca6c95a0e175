#pragma once

#include "ui/document/autosave.h"
#include "ui/document/session_document.h"
#include "ui/document/session_files.h"
#include "ui/document/window_dumps.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>

namespace calibscope {

/// The session of a window as a file: opens and saves it, knows what is not saved yet, and keeps
/// that from being lost.
class SessionKeeper : public QObject
{
    Q_OBJECT

public:
    /// What a window gives and takes beside its dumps.
    using LayoutNow = std::function<SessionLayout()>;

    /// `autosaveFolder` empty: nothing is kept that the user did not save.
    SessionKeeper(Document& document, WindowDumps& dumps, LayoutNow layoutNow,
                  const QString& autosaveFolder, QObject* parent = nullptr);

    /// Opens its dumps in place of those that are open. What was not saved is lost: ask first.
    void open(const QString& path);
    /// The session goes into that file from now on.
    void save(const QString& path);

    /// Absolute; empty: it was not saved yet.
    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] bool isModified() const;
    /// Reading or writing: opened(), saved() or failed() will come.
    [[nodiscard]] bool isBusy() const { return m_pending > 0; }
    void finish() { m_files.finish(); }

    [[nodiscard]] SessionDocument session() const;
    [[nodiscard]] Autosave& autosave() { return m_autosave; }
    /// For further files that are written beside the UI thread.
    [[nodiscard]] SessionFiles& files() { return m_files; }
    /// Goes on with what a program left that did not end properly.
    void restore(const Autosave::Leftover& leftover);

Q_SIGNALS:
    void opened(const calibscope::SessionDocument& session);
    void saved(const QString& path);
    void failed(const QString& sentence);
    /// Which file it is, or whether something is not saved.
    void changed();

private:
    void show(const SessionDocument& session);
    void noteChange();
    void look();

    Document& m_document;
    WindowDumps& m_dumps;
    LayoutNow m_layoutNow;
    SessionFiles m_files;
    Autosave m_autosave;
    QString m_path;
    SessionDocument m_saved;  ///< as it is in the file
    QTimer m_looking;
    int m_pending = 0;
};

}  // namespace calibscope
