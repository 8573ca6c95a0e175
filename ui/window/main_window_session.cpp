// What MainWindow does with its dumps and the session that they are.
#include "ui/document/card_choice.h"
#include "ui/document/session_document.h"
#include "ui/panels/dump_choice.h"
#include "ui/panels/tensor_panel.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>

#include <utility>

namespace calibscope {

using Kind = MessageLog::Kind;

void MainWindow::connectSessionFile()
{
    connect(&m_actions[ActionId::NextDump], &QAction::triggered, this, [this] { m_dumps.step(1); });
    connect(&m_actions[ActionId::PreviousDump], &QAction::triggered, this,
            [this] { m_dumps.step(-1); });
    connect(&m_actions[ActionId::OpenSession], &QAction::triggered, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("Open session"), QFileInfo(m_session.path()).absolutePath(),
            tr("Sessions (*.calsession);;All files (*)"));
        if (!path.isEmpty())
            openSession(path);
    });
    connect(&m_actions[ActionId::SaveSession], &QAction::triggered, this, &MainWindow::saveSession);
    connect(&m_actions[ActionId::SaveSessionAs], &QAction::triggered, this,
            &MainWindow::saveSessionAs);
    connect(&m_keeper, &SessionKeeper::changed, this, &MainWindow::showTitle);
    connect(&m_keeper, &SessionKeeper::opened, this, &MainWindow::takeSession);
    connect(&m_keeper, &SessionKeeper::saved, this, [this](const QString& path) {
        m_log.add(Kind::Note, tr("Document saved as %1.").arg(path));
        m_preferences.addRecentFile(path);
        showRecentFiles();
    });
    const auto complain = [this](const QString& sentence) {
        m_log.add(Kind::Problem, sentence);
        m_isAboutDump = false;
        m_sessionBar->say(sentence);
    };
    connect(&m_keeper, &SessionKeeper::failed, this, complain);
    connect(&m_keeper.autosave(), &Autosave::failed, this, complain);
    connect(&m_dumps, &WindowDumps::changed, this, &MainWindow::listDumps);
    connect(&m_dumps, &WindowDumps::changedSince, this, [this](const QString& changes) {
        const QString sentence = tr("%1 has changed since the session was saved: %2. Decisions on "
                                    "its tensors were restored; check whether they still apply.")
                                     .arg(QFileInfo(m_session.path()).fileName(), changes);
        m_log.add(Kind::Warning, sentence);
        m_isAboutDump = true;
        m_sessionBar->say(sentence, {{tr("Keep"), [] {}}});
    });
    connect(&m_session, &Document::dumpChanged, this, &MainWindow::sayDumpMissing);
    connect(m_dumpChoice, &DumpChoice::chosen, this,
            [this](int place) { m_dumps.show(static_cast<std::size_t>(place)); });
    listDumps();
}

/// The actions of the menu are made anew, after the two that always are there.
void MainWindow::listDumps()
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
        QAction* action = menu.addAction(mnemonic + QFileInfo(path).fileName(), this,
                                         [this, place] { m_dumps.show(place); });
        action->setData(path);
        action->setStatusTip(path);
        action->setCheckable(true);
        action->setChecked(place == m_dumps.shown());
    }
    const bool areSeveral = m_dumps.count() > 1;
    for (const ActionId id : {ActionId::NextDump, ActionId::PreviousDump})
        m_actions[id].setEnabled(areSeveral);
    m_actions.menu(Menu::Dumps).menuAction()->setEnabled(m_dumps.count() > 0);
    QStringList paths;
    for (std::size_t place = 0; place < m_dumps.count(); ++place)
        paths += m_dumps.pathOf(place);
    m_dumpChoice->setDumps(paths, static_cast<int>(m_dumps.shown().value_or(0)));
    for (const ActionId id : {ActionId::SaveSession, ActionId::SaveSessionAs})
        m_actions[id].setEnabled(m_dumps.count() > 0);
    showTitle();
}

void MainWindow::showTitle()
{
    QString title = QFileInfo(m_session.path()).fileName();
    if (!m_titleNote.isEmpty())
        title = tr("%1 (%2)").arg(title, m_titleNote);
    if (!m_keeper.path().isEmpty())
        title = title.isEmpty() ? QFileInfo(m_keeper.path()).fileName()
                                : tr("%1 – %2").arg(title, QFileInfo(m_keeper.path()).fileName());
    if (!m_keeper.path().isEmpty())
        title += QStringLiteral("[*]");
    setWindowTitle(title);
    setWindowModified(!m_keeper.path().isEmpty() && m_keeper.isModified());
}

SessionLayout MainWindow::layoutNow()
{
    return {.page = workspaceId(m_tensorWorkspace).toStdString(),
            .docks = dockState().toStdString(),
            .card = cardsOf(m_session).chosen(),
            .filter = m_tensorPanel->query().toStdString()};
}

void MainWindow::openSession(const QString& path)
{
    if (mayLoseSession())
        m_keeper.open(path);
}

/// What a session file or a copy of one says beside its dumps.
void MainWindow::takeSession(const SessionDocument& document)
{
    m_isAboutDump = false;
    if (!m_keeper.path().isEmpty()) {
        m_preferences.addRecentFile(m_keeper.path());
        showRecentFiles();
        m_log.add(Kind::Note, tr("Document %1 opened.").arg(m_keeper.path()));
    }
    const auto page = parseWorkspace(QString::fromStdString(document.layout.page));
    m_tensorWorkspace = page.value_or(m_tensorWorkspace);
    setDockState(QByteArray::fromStdString(document.layout.docks));
    cardsOf(m_session).choose(document.layout.card);
    m_tensorPanel->setQuery(QString::fromStdString(document.layout.filter));
}

void MainWindow::saveSession()
{
    if (m_keeper.path().isEmpty())
        saveSessionAs();
    else
        m_keeper.save(m_keeper.path());
}

void MainWindow::saveSessionAs()
{
    const QFileInfo dump(m_session.path());
    const QString proposed = m_keeper.path().isEmpty() ? dump.absolutePath() + u'/' +
                                                             dump.completeBaseName() + sessionSuffix
                                                       : m_keeper.path();
    QString path = QFileDialog::getSaveFileName(this, tr("Save session"), proposed,
                                                tr("Sessions (*.calsession)"));
    if (path.isEmpty())
        return;
    if (!isSessionFile(path))
        path += sessionSuffix;
    m_keeper.save(path);
}

/// Asks where something would be lost; true: it is saved, or may go.
bool MainWindow::mayLoseSession()
{
    m_keeper.finish();
    if (!m_keeper.isModified())
        return true;
    const QString asked = tr("Save the session?");
    QMessageBox question(QMessageBox::Question, asked, asked,
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    question.setInformativeText(tr("Decisions on the tensors are not saved."));
    question.setObjectName(QStringLiteral("saveQuestion"));
    question.setDefaultButton(QMessageBox::Save);
    const int answer = question.exec();
    if (answer == QMessageBox::Save) {
        saveSession();
        m_keeper.finish();
    }
    return answer == QMessageBox::Discard ||
           (answer == QMessageBox::Save && !m_keeper.isModified());
}

void MainWindow::offerRecovery()
{
    m_keeper.autosave().findLeftovers(
        [this](const std::vector<Autosave::Leftover>& found) { offerLeftovers(found); });
}

/// One after the other, the newest first.
void MainWindow::offerLeftovers(std::vector<Autosave::Leftover> leftovers)
{
    if (leftovers.empty())
        return;
    const Autosave::Leftover leftover = leftovers.front();
    leftovers.erase(leftovers.begin());
    QStringList names;
    for (const SessionDump& dump : leftover.document.dumps)
        names += QFileInfo(QString::fromStdString(dump.identity.path)).fileName();
    const QString time =
        QLocale().toString(QFileInfo(leftover.path).lastModified(), QLocale::ShortFormat);
    m_isAboutDump = false;
    m_sessionBar->say(tr("Calibscope quit unexpectedly. Its session of %1 was saved %2.")
                          .arg(names.join(QStringLiteral(", ")), time),
                      {{tr("Restore"),
                        [this, leftover] {
                            if (mayLoseSession())
                                m_keeper.restore(leftover);
                        }},
                       {tr("Discard"), [this, leftover, rest = std::move(leftovers)] {
                            m_keeper.autosave().removeLeftover(leftover.path);
                            offerLeftovers(rest);
                        }}});
}

/// A dump that was there when the session was saved can be looked for; the others open meanwhile.
void MainWindow::sayDumpMissing()
{
    if (m_session.dumpState() == Document::DumpState::Opening &&
        std::exchange(m_isAboutDump, false))
        m_sessionBar->hide();
    const std::optional<std::size_t> shown = m_dumps.shown();
    const bool isOfSession = shown && (!m_keeper.path().isEmpty() ||
                                       !m_dumps.all()[*shown].identity.headerSha256.empty());
    if (m_session.dumpState() != Document::DumpState::Failed || !isOfSession)
        return;
    m_isAboutDump = true;
    const QString others = m_dumps.count() < 2
                               ? QString()
                               : tr(" The other dumps can be shown with File > Switch dump.");
    m_sessionBar->say(tr("%1 of this session could not be opened.").arg(m_session.path()) + others,
                      {{tr("Locate..."), [this] {
                            const QString path = QFileDialog::getOpenFileName(
                                this, tr("Locate %1").arg(QFileInfo(m_session.path()).fileName()),
                                QFileInfo(m_keeper.path()).absolutePath());
                            if (!path.isEmpty())
                                m_dumps.relocateShown(path);
                        }}});
}

}  // namespace calibscope
