// How MainWindow comes by its file: dialog, recent files, drop.
#include "ui/document/questions.h"
#include "ui/document/session_document.h"
#include "ui/document/workbench.h"
#include "ui/pages/start/start_page.h"
#include "ui/queries/dump_requests.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/main_window.h"
#include "ui/window/sample_dump.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>

namespace calibscope {

namespace {

/// The local files that are dragged; none if there is anything else among them.
QStringList draggedFiles(const QMimeData& data)
{
    QStringList files;
    for (const QUrl& url : data.urls())
        files += url.toLocalFile();
    return files.contains(QString()) ? QStringList() : files;
}

/// "&1 " to "&9 ", then letters, so that each recent file can be typed.
QString mnemonicOf(int place)
{
    const QString digits = QStringLiteral("123456789abd");  // c: clear list
    return place < digits.size() ? QStringLiteral("&%1  ").arg(digits[place]) : QString();
}

}  // namespace

void MainWindow::connectFileActions()
{
    const auto openSample = [this] { open(sampleDumpPath()); };
    const auto close = [this] {
        if (isUntouched(ownPart(m_session.workbench())) || mayLoseSession())
            m_dumps.closeShown();
    };
    connect(&m_actions[ActionId::Open], &QAction::triggered, this, &MainWindow::askForFile);
    connect(&m_actions[ActionId::OpenSample], &QAction::triggered, this, openSample);
    connect(&m_actions[ActionId::Reload], &QAction::triggered, &m_session, &Document::reload);
    connect(&m_actions[ActionId::Close], &QAction::triggered, this, close);
    connect(&m_actions[ActionId::Quit], &QAction::triggered, this, &QWidget::close);
    m_actions[ActionId::OpenSample].setEnabled(!sampleDumpPath().isEmpty());

    m_recentMenu = new QMenu(tr("Open rece&nt"), this);
    m_recentMenu->menuAction()->setStatusTip(tr("Recently opened dumps."));
    m_actions.menu(Menu::File).insertMenu(&m_actions[ActionId::Reload], m_recentMenu);

    connect(m_startPage, &StartPage::openRequested, this, &MainWindow::askForFile);
    connect(m_startPage, &StartPage::sampleRequested, this, openSample);
    connect(m_startPage, &StartPage::fileRequested, this,
            [this](const QString& path) { open(path); });
    connect(m_startPage, &StartPage::missingFilesFound, this, &MainWindow::greyMissingFiles);
    connect(m_failurePage, &StateNotice::buttonClicked, &m_session.questions(),
            &Questions::readAgain);
    connect(m_failurePage, &StateNotice::secondButtonClicked, this, &MainWindow::askForFile);
}

void MainWindow::open(const QString& path, const Document::OpenOptions& options)
{
    if (isSessionFile(path))
        openSession(path);
    else
        m_dumps.open(path, options);
}

void MainWindow::openLast()
{
    if (m_preferences.reopensLast() && !m_preferences.recentFiles().isEmpty())
        open(m_preferences.recentFiles().front());
}

void MainWindow::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open dump"), QFileInfo(m_session.path()).absolutePath(),
        tr("HDF5 files (*.h5 *.hdf5 *.he5 *.keras);;Sessions (*.calsession);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void MainWindow::showRecentFiles()
{
    m_startPage->setRecentFiles(m_preferences.recentFiles());
    m_recentMenu->clear();
    for (const QString& path : m_preferences.recentFiles()) {
        const QString mnemonic = mnemonicOf(static_cast<int>(m_recentMenu->actions().size()));
        QAction* action = m_recentMenu->addAction(mnemonic + QFileInfo(path).fileName(), this,
                                                  [this, path] { open(path); });
        action->setStatusTip(path);
        action->setData(path);
    }
    m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
    m_recentMenu->addSeparator();
    QAction* clear = m_recentMenu->addAction(tr("&Clear list"), this, [this] {
        m_preferences.clearRecentFiles();
        showRecentFiles();
    });
    clear->setStatusTip(tr("Clears the list of recent dumps."));
}

/// A file may be missed long after the list was shown.
void MainWindow::greyMissingFiles(const QStringList& missing)
{
    for (QAction* action : m_recentMenu->actions())
        if (const QString path = action->data().toString(); missing.contains(path)) {
            action->setEnabled(false);
            action->setStatusTip(tr("%1 no longer exists.").arg(path));
        }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!draggedFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList files = draggedFiles(*event->mimeData());
    const bool isSecond = event->modifiers().testFlag(Qt::ShiftModifier) &&
                          m_session.dumpState() == Document::DumpState::Open;
    event->acceptProposedAction();
    if (files.size() == 1 && isSecond)
        return openSecond(files.front());
    if (files.size() == 2) {
        open(files.front());
        return openSecond(files.back());
    }
    for (const QString& path : files)
        open(path);
}

}  // namespace calibscope
