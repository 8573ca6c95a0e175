// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/window_dumps.h"
#include "ui/queries/file_watch.h"
#include "ui/queries/remote_machines.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

class QDropEvent;
class QMenu;

namespace calibscope {

class Actions;
class MessageController;
class Preferences;
class SessionController;
class StartPage;
class StateNotice;

/// Path of the bundled sample dump, share/calibscope beside the folder of the application; empty if
/// it is not there.
[[nodiscard]] QString sampleDumpPath();

/// How the window comes by its file: dialog, recent files, what is dropped, the pages that are
/// shown without one. Tells when the file changes or goes.
class FileController : public QObject
{
    Q_OBJECT

public:
    /// The page shown while no dump is open, and when one could not be opened.
    struct Pages
    {
        StartPage& start;
        StateNotice& failure;
    };

    /// Dumps on other machines: which these are, and who knows their files.
    struct FarSide
    {
        RemoteMachines& machines;
        Engine& engine;
    };

    /// All must outlive this.
    FileController(Document& document, WindowDumps& dumps, SessionController& sessions,
                   Preferences& preferences, MessageController& messages, const Pages& pages,
                   const FarSide& farSide, QWidget& window);
    /// Inserts the recent files into the menu File.
    void addRecentTo(const Actions& actions);

    /// A dump, beside those that are open, or a session in place of them. Its machine is one that
    /// the user named.
    void open(const QString& path, const Document::OpenOptions& options = {});
    enum class Together {
        AsUsual,  ///< two files of one kind are compared, others are one dump
        AsOne,
        Each,
    };
    /// Files that were chosen at once. A model among recordings is that of Deploy. Other than AsUsual
    /// is what the user chose.
    void openTogether(const QStringList& paths, const Document::OpenOptions& options = {},
                      Together together = Together::AsUsual);
    /// The dump that was opened last, if the user wants that at a start.
    void openLast();
    [[nodiscard]] bool hasSample() const { return !m_sample.isEmpty(); }
    void openSample() { open(m_sample); }
    void askForFile();
    void askForFolder();
    /// A file of another machine.
    void askElsewhere() { Q_EMIT elsewhereWanted(); }
    /// Asks first if something of it would be lost.
    void closeShown();

    /// Opens what is dropped; with Shift one file is compared with the open dump.
    void drop(QDropEvent& event);
    [[nodiscard]] static bool takes(const QDropEvent& event);

    /// Lists it first among the recent files.
    void remember(const QString& path);
    /// Names the dump that is being opened, where a failure is explained.
    void sayOpening();
    /// Shows why the dump could not be opened.
    void sayFailed();
    /// Looks at once whether the file has changed.
    void check() { m_watch.check(); }
    /// The open dump is read anew whenever it was written to, until another one is shown or its
    /// writer has closed it.
    void setFollowing(bool isFollowing);
    [[nodiscard]] bool isFollowing() const { return !m_followed.isEmpty(); }
    /// The title says so and how much there is, or that there will be more.
    void showFollowing();

Q_SIGNALS:
    /// A file of another machine is to be chosen.
    void elsewhereWanted();
    /// The shown dump is to be compared with that one; empty: with none.
    void secondDropped(const QString& path);
    /// The dumps that are being opened are of that model.
    void modelGiven(const QString& path);
    /// Scales of another tool are to be shown beside the open dump's tensors.
    void scalesDropped(const QString& path);
    void followingChanged();

private:
    void openAsOne(const QStringList& paths, const Document::OpenOptions& options);
    void offer(const QString& sentence, const QStringList& paths,
               const Document::OpenOptions& options, Together other);
    void showRecent();
    void greyMissing(const QStringList& missing);
    void sayNotOpened(const QString& path, const QString& problem);
    void watchShown();
    void sayChanged(bool isGone);
    void sayFrugal();
    [[nodiscard]] bool isGrowing() const;
    void sayGrowing();
    void catchUpIfDue();
    void takeCaughtUp(bool isRead);
    void endIfComplete();

    Document& m_document;
    WindowDumps& m_dumps;
    SessionController& m_sessions;
    Preferences& m_preferences;
    MessageController& m_messages;
    Pages m_pages;
    FarSide m_farSide;
    QWidget& m_window;
    FileWatch m_watch;
    QTimer m_unreported;         ///< of a growing file that nobody follows: there are more batches
    bool m_hasReported = false;  ///< of them
    QString m_followed;          ///< path; empty: none
    bool m_isDue = false;        ///< it was written to since it was read
    bool m_hasGrown = false;
    QMenu* m_recent;
    QString m_sample = sampleDumpPath();
};

}  // namespace calibscope
