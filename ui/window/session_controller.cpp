// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session_controller.h"

#include "ui/document/decisions.h"
#include "ui/document/output_folder.h"
#include "ui/document/session_document.h"
#include "ui/document/unsaved_work.h"
#include "ui/panels/dump_choice.h"
#include "ui/panels/tensor_panel.h"
#include "ui/plot/number_label.h"
#include "ui/plot/table_menu.h"
#include "ui/queries/addresses.h"
#include "ui/theme/plain_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace calibscope {

using Kind = MessageLog::Kind;

namespace {

/// The first of them.
QString fewOf(const std::vector<std::string>& paths)
{
    constexpr std::size_t most = 3;
    QStringList few;
    for (std::size_t place = 0; place < std::min(most, paths.size()); ++place)
        few << QString::fromStdString(paths[place]);
    if (paths.size() > most)
        few << SessionController::tr("and %1 more").arg(countLabel(paths.size() - most));
    return few.join(QStringLiteral(", "));
}

}  // namespace

SessionController::SessionController(Document& document, WindowDumps& dumps, MessageLog& log,
                                     Actions& actions, SessionKeeper::LayoutNow layoutNow,
                                     const QString& autosaveFolder, QWidget& window)
    : m_document(document),
      m_dumps(dumps),
      m_log(log),
      m_actions(actions),
      m_window(window),
      m_keeper(document, dumps, std::move(layoutNow), autosaveFolder),
      m_bar(new MessageBar(&window))
{
    connect(&m_keeper, &SessionKeeper::changed, this, &SessionController::showTitle);
    connect(&m_keeper, &SessionKeeper::opened, this, &SessionController::take);
    connect(&m_keeper, &SessionKeeper::saved, this, [this](const QString& path) {
        m_log.add(Kind::Note, tr("Session saved as %1.").arg(path));
        Q_EMIT fileUsed(path);
    });
    const auto complain = [this](const QString& sentence) {
        m_log.add(Kind::Problem, sentence);
        say(sentence, {}, MessageBar::Kind::Problem);
    };
    connect(&m_keeper, &SessionKeeper::failed, this, complain);
    connect(&m_keeper, &SessionKeeper::changedByAnother, this, &SessionController::sayOthers);
    connect(&m_keeper.autosave(), &Autosave::failed, this, complain);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.before.compared.path != m_document.workbench().compared.path)
            showTitle();
    });
    connect(&dumps, &WindowDumps::changed, this, &SessionController::listDumps);
    connect(&dumps, &WindowDumps::changedSince, this, &SessionController::sayChangedSince);
    connect(&document, &Document::dumpChanged, this, &SessionController::sayMissing);
    connect(&document, &Document::dumpChanged, this, &SessionController::proposeFolder);
    connect(&m_keeper, &SessionKeeper::changed, this, &SessionController::proposeFolder);
}

void SessionController::addChoiceTo(TensorPanel& list)
{
    m_dumpChoice = new DumpChoice(&list);
    list.setHead(*m_dumpChoice);
    connect(m_dumpChoice, &DumpChoice::chosen, this,
            [this](int place) { m_dumps.show(static_cast<std::size_t>(place)); });
    listDumps();
}

void SessionController::say(const QString& sentence,
                            const std::vector<MessageBar::Remedy>& remedies, MessageBar::Kind kind)
{
    m_isAboutDump = false;
    m_bar->say(sentence, remedies, kind);
}

void SessionController::sayChangedSince(const QString& changes, bool hasGrown)
{
    QString sentence = (hasGrown ? tr("%1 was being recorded when the session was saved, and has "
                                      "grown since: %2. Decisions on its tensors were restored.")
                                 : tr("%1 has changed since the session was saved: %2. Decisions "
                                      "on its tensors were restored; check whether they still "
                                      "apply."))
                           .arg(QFileInfo(m_document.path()).fileName(), changes);
    if (const std::vector<std::string> lost = lostDecisions(m_document); !lost.empty())
        sentence += u' ' + countText(lost.size(), tr("One of them has no tensor any more: %2."),
                                     tr("%1 of them have no tensor any more: %2."))
                               .arg(fewOf(lost));
    m_log.add(Kind::Warning, sentence);
    say(sentence, {{tr("&Keep"), [] {}}});
    m_isAboutDump = true;
}

/// What was decided in the other window is in that file alone.
void SessionController::sayOthers(const QString& path)
{
    const QString sentence =
        tr("%1 was not saved: another window or program has changed it since it was opened here. "
           "To replace it loses what was accepted there.")
            .arg(path);
    m_log.add(Kind::Warning, sentence);
    say(sentence,
        {{tr("Rep&lace"), [this, path] { m_keeper.save(path, SessionKeeper::Others::Replace); }},
         {tr("&Save as..."), [this] { saveAs(); }}});
}

/// The actions of the menu are made anew, after the two that always are there.
void SessionController::listDumps()
{
    QMenu& menu = m_actions.menu(Menu::Dumps);
    for (QAction* action : menu.actions())
        if (action->data().isValid() || action->isSeparator()) {
            menu.removeAction(action);
            action->deleteLater();
        }
    menu.addSeparator();
    for (std::size_t place = 0; place < m_dumps.count(); ++place) {
        const QString path = m_dumps.pathOf(place);
        const QString mnemonic = place < 9 ? QStringLiteral("&%1  ").arg(place + 1) : QString();
        QAction* action = menu.addAction(mnemonic + menuText(QFileInfo(path).fileName()), this,
                                         [this, place] { m_dumps.show(place); });
        action->setData(path);
        action->setStatusTip(path);
        action->setCheckable(true);
        action->setChecked(place == m_dumps.shown());
    }
    m_actions.menu(Menu::Dumps).menuAction()->setEnabled(m_dumps.count() > 0);
    QStringList paths;
    for (std::size_t place = 0; place < m_dumps.count(); ++place)
        paths += m_dumps.pathOf(place);
    m_dumpChoice->setDumps(paths, static_cast<int>(m_dumps.shown().value_or(0)));
    showTitle();
}

void SessionController::setTitleNote(const QString& note)
{
    m_titleNote = note;
    showTitle();
}

/// Pictures and tables, too, go next to the session or the dump.
void SessionController::proposeFolder()
{
    if (const QString folder = outputFolder(m_keeper.path(), m_document.path()); folder != m_folder)
        setSaveFolder(m_folder = folder);
}

void SessionController::showTitle()
{
    QStringList dumps{m_document.path()};
    if (const std::string& second = m_document.workbench().compared.path; !second.empty())
        dumps += QString::fromStdString(second);
    QString title = dumpTitles(dumps).join(tr(" and "));
    if (!m_titleNote.isEmpty())
        title = tr("%1 (%2)").arg(title, m_titleNote);
    if (!m_keeper.path().isEmpty())
        title = title.isEmpty() ? QFileInfo(m_keeper.path()).fileName()
                                : tr("%1 – %2").arg(title, QFileInfo(m_keeper.path()).fileName());
    if (!m_keeper.path().isEmpty())
        title += QStringLiteral("[*]");
    m_window.setWindowTitle(title);
    m_window.setWindowModified(!m_keeper.path().isEmpty() && m_keeper.isModified());
}

void SessionController::askForFile()
{
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Open session"), folderHere(m_document.path()),
                                     tr("Sessions (*.calsession);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void SessionController::open(const QString& path)
{
    if (mayLose())
        m_keeper.open(path);
}

/// What a session file or a copy of one says beside its dumps.
void SessionController::take(const SessionDocument& session)
{
    m_isAboutDump = false;
    if (!m_keeper.path().isEmpty()) {
        Q_EMIT fileUsed(m_keeper.path());
        m_log.add(Kind::Note, tr("Session %1 opened.").arg(m_keeper.path()));
    }
    Q_EMIT layoutTaken(session.layout);
}

void SessionController::save()
{
    if (m_keeper.path().isEmpty())
        saveAs();
    else
        m_keeper.save(m_keeper.path());
}

void SessionController::saveAs()
{
    const QFileInfo dump(m_document.path());
    // A session names its dumps by their places beside it.
    const QString proposed =
        m_keeper.path().isEmpty()
            ? outputFolder({}, m_document.path()) + u'/' + dump.completeBaseName() + sessionSuffix
            : m_keeper.path();
    QString path = QFileDialog::getSaveFileName(&m_window, tr("Save session"), proposed,
                                                tr("Sessions (*.calsession)"));
    if (path.isEmpty())
        return;
    if (!isSessionFile(path))
        path += sessionSuffix;
    m_keeper.save(path);
}

bool SessionController::mayLose()
{
    m_keeper.finish();
    if (!m_keeper.isModified())
        return true;
    const QString unsaved =
        unsavedWork(m_keeper.savedSession(), m_keeper.session()).join(QStringLiteral(", "));
    const auto answer = ask(&m_window, QMessageBox::Question, tr("Save the session?"),
                            tr("Save the session? Not saved: %1.").arg(unsaved),
                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel,
                            QMessageBox::Save, QStringLiteral("saveQuestion"));
    if (answer == QMessageBox::Save) {
        save();
        m_keeper.finish();
    }
    return answer == QMessageBox::Discard ||
           (answer == QMessageBox::Save && !m_keeper.isModified());
}

void SessionController::offerRecovery()
{
    m_keeper.autosave().findLeftovers(
        [this](const std::vector<Autosave::Leftover>& found) { offer(found); });
}

/// One after the other, the newest first.
void SessionController::offer(std::vector<Autosave::Leftover> leftovers)
{
    if (leftovers.empty())
        return;
    const Autosave::Leftover leftover = leftovers.front();
    QStringList names;
    std::size_t decisions = 0;
    for (const SessionDump& dump : leftover.session.dumps) {
        names += QFileInfo(QString::fromStdString(dump.identity.path)).fileName();
        decisions += static_cast<std::size_t>(dump.own.decisions.size());
    }
    const QString found = decisions == 0
                              ? tr("no decision")
                              : countText(decisions, tr("1 decision"), tr("%1 decisions"));
    const QString time =
        QLocale().toString(QFileInfo(leftover.path).lastModified(), QLocale::ShortFormat);
    say(tr("Calibscope quit unexpectedly. Its session of %1 with %2 was saved %3.")
            .arg(names.join(QStringLiteral(", ")), found, time),
        {{tr("Resto&re"),
          [this, leftover] {
              if (mayLose())
                  m_keeper.restore(leftover);
          }},
         {tr("D&iscard"),
          [this, leftovers, found]() mutable {
              if (ask(&m_window, QMessageBox::Question, tr("Discard the session?"),
                      tr("Discard the session with %1? There is no other copy of what was not "
                         "saved.")
                          .arg(found),
                      QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel,
                      QStringLiteral("discardQuestion")) == QMessageBox::Discard) {
                  m_keeper.autosave().removeLeftover(leftovers.front().path);
                  leftovers.erase(leftovers.begin());
              }
              offer(std::move(leftovers));
          }}},
        MessageBar::Kind::Note);
}

/// A dump that was there when the session was saved can be looked for; the others open meanwhile.
void SessionController::sayMissing()
{
    if (m_document.dumpState() == Document::DumpState::Opening &&
        std::exchange(m_isAboutDump, false))
        m_bar->hide();
    const std::optional<std::size_t> shown = m_dumps.shown();
    const bool isOfSession = shown && (!m_keeper.path().isEmpty() ||
                                       !m_dumps.all()[*shown].identity.headerSha256.empty());
    if (m_document.dumpState() != Document::DumpState::Failed || !isOfSession)
        return;
    const QString others = m_dumps.count() < 2
                               ? QString()
                               : tr(" The other dumps can be shown with File > Switch dump.");
    say(tr("%1 of this session could not be opened.").arg(m_document.path()) + others,
        {{tr("&Locate..."),
          [this] {
              const QString path = QFileDialog::getOpenFileName(
                  &m_window, tr("Locate %1").arg(QFileInfo(m_document.path()).fileName()),
                  QFileInfo(m_keeper.path()).absolutePath());
              if (!path.isEmpty())
                  m_dumps.relocateShown(path);
          }}},
        MessageBar::Kind::Problem);
    m_isAboutDump = true;
}

}  // namespace calibscope
