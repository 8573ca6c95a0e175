// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/message_log.h"
#include "ui/document/session_keeper.h"
#include "ui/document/window_dumps.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/actions.h"

#include <QObject>
#include <QString>

#include <vector>

namespace calibscope {

class DumpChoice;
class TensorPanel;

/// The window's dumps as one session: lists them, opens and saves the file, asks before something
/// is lost, offers what was left by a program that did not end properly.
class SessionController : public QObject
{
    Q_OBJECT

public:
    /// The bar belongs to `window`, which gives it a place. All must outlive this; `layoutNow` and
    /// `autosaveFolder` as for SessionKeeper.
    SessionController(Document& document, WindowDumps& dumps, MessageLog& log, Actions& actions,
                      SessionKeeper::LayoutNow layoutNow, const QString& autosaveFolder,
                      QWidget& window);

    [[nodiscard]] SessionKeeper& keeper() { return m_keeper; }
    [[nodiscard]] MessageBar& bar() const { return *m_bar; }
    /// The choice of the shown dump stands above the list.
    void addChoiceTo(TensorPanel& list);

    void askForFile();
    /// Its dumps in place of those that are open, if what is not saved of these may go.
    void open(const QString& path);
    void save();
    void saveAs();
    /// Asks where something would be lost; true: it is saved, or may go.
    [[nodiscard]] bool mayLose();
    void offerRecovery();
    /// A note on the dump's file for the window's title.
    void setTitleNote(const QString& note);

Q_SIGNALS:
    /// A session file was opened or saved.
    void fileUsed(const QString& path);
    /// Its part next to its dumps.
    void layoutTaken(const calibscope::SessionLayout& layout);

private:
    void listDumps();
    void showTitle();
    void proposeFolder();
    void say(const QString& sentence, const std::vector<MessageBar::Remedy>& remedies = {},
             MessageBar::Kind kind = MessageBar::Kind::Warning);
    void sayChangedSince(const QString& changes, bool hasGrown);
    void sayOthers(const QString& path);
    void sayMissing();
    void take(const SessionDocument& session);
    void offer(std::vector<Autosave::Leftover> leftovers);

    Document& m_document;
    WindowDumps& m_dumps;
    MessageLog& m_log;
    Actions& m_actions;
    QWidget& m_window;
    SessionKeeper m_keeper;
    MessageBar* m_bar;
    DumpChoice* m_dumpChoice = nullptr;
    QString m_titleNote;
    QString m_folder;            ///< proposed last
    bool m_isAboutDump = false;  ///< what the bar says
};

}  // namespace calibscope
