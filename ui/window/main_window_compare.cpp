// How MainWindow compares its dump with a second one.
#include "ui/document/compare_edits.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/match_dialog.h"
#include "ui/pages/compare/match_panel.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/window/main_window.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>

namespace calibscope {

namespace {

CompareMode after(CompareMode mode)
{
    switch (mode) {
    case CompareMode::Overlay: return CompareMode::SideBySide;
    case CompareMode::SideBySide: return CompareMode::Difference;
    case CompareMode::Difference: break;
    }
    return CompareMode::Overlay;
}

}  // namespace

void MainWindow::connectCompareActions()
{
    connect(&m_actions[ActionId::OpenSecond], &QAction::triggered, this,
            &MainWindow::askForSecondFile);
    connect(m_comparePage, &ComparePage::openRequested, this, &MainWindow::askForSecondFile);
    const auto swap = [this] { swapDumps(m_comparison, m_dumps); };
    connect(&m_actions[ActionId::SwapDumps], &QAction::triggered, this, swap);
    connect(m_comparePage, &ComparePage::swapRequested, this, swap);
    connect(&m_actions[ActionId::NextCompareMode], &QAction::triggered, this, [this] {
        showWorkspace(Workspace::Compare);
        setCompareMode(m_session, after(m_session.workbench().compared.mode));
    });
    connect(&m_actions[ActionId::MatchManually], &QAction::triggered, this,
            [this] { askForMatch(m_comparison, this); });
    connect(&m_actions[ActionId::CloseSecond], &QAction::triggered, this,
            [this] { compareWith(m_session, {}); });
    connect(&m_actions[ActionId::Reload], &QAction::triggered, &m_comparison, &Comparison::reopen);
    connect(&m_comparison, &Comparison::stateChanged, this, &MainWindow::showComparison);
    showComparison();
}

void MainWindow::askForSecondFile()
{
    const QString known = m_comparison.path().isEmpty() ? m_session.path() : m_comparison.path();
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open second dump"), QFileInfo(known).absolutePath(),
                                     tr("HDF5 files (*.h5 *.hdf5 *.he5 *.keras);;All files (*)"));
    if (!path.isEmpty())
        openSecond(path);
}

void MainWindow::openSecond(const QString& path)
{
    compareWith(m_session, path);
    if (m_session.dumpState() != Document::DumpState::Opening)
        return showWorkspace(Workspace::Compare);
    // Behind what else happens when the dump is open: its summary is shown then.
    connect(
        &m_session, &Document::dumpChanged, this, [this] { showWorkspace(Workspace::Compare); },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

/// While two dumps are compared their pairs take the place of the list of tensors.
void MainWindow::showComparison()
{
    const bool isCompared = m_comparison.state() != Comparison::State::None;
    const bool isReady = m_comparison.state() == Comparison::State::Ready;
    const bool isShown = isCompared && m_workspaces->current() == Workspace::Compare;
    m_lists->setCurrentWidget(isShown ? static_cast<QWidget*>(m_matchPanel) : m_tensorPanel);
    m_tensorDock->setWindowTitle(isShown ? tr("Tensors of both dumps") : tr("Tensors"));
    for (const ActionId id : {ActionId::SwapDumps, ActionId::CloseSecond})
        m_actions[id].setEnabled(isCompared);
    m_actions[ActionId::NextCompareMode].setEnabled(isCompared);
    m_actions[ActionId::MatchManually].setEnabled(isReady);
}

/// In the list that is shown.
void MainWindow::stepTensor(int rows)
{
    if (m_lists->currentWidget() == m_matchPanel)
        m_matchPanel->step(rows);
    else
        goTo(m_tensorPanel->neighbour(m_session.selected(), rows));
}

}  // namespace calibscope
