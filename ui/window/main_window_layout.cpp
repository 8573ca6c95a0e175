// How MainWindow is laid out, and what it remembers of that.
#include "ui/panels/tensor_panel.h"
#include "ui/window/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace calibscope {

/// Docks and tool bar would be empty while no dump is open.
void MainWindow::setWorkspaceShown(bool isShown)
{
    if (isShown && m_isWorkspaceShown)
        return;
    if (isShown) {
        m_isWorkspaceShown = true;
        if (!restoreState(m_layout, layoutVersion))
            resetLayout();
        return;
    }
    if (std::exchange(m_isWorkspaceShown, false))
        m_layout = saveState(layoutVersion);
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        dock->hide();
    for (QToolBar* toolBar : findChildren<QToolBar*>())
        toolBar->hide();
}

void MainWindow::resetLayout()
{
    restoreState(m_firstLayout, layoutVersion);
    const QList<QDockWidget*> docks = {m_tensorDock, m_inspectorDock};
    resizeDocks(docks, {std::max(340, width() * 23 / 100), std::max(360, width() * 26 / 100)},
                Qt::Horizontal);
}

QByteArray MainWindow::dockState() const
{
    return m_isWorkspaceShown ? saveState(layoutVersion) : m_layout;
}

void MainWindow::setDockState(const QByteArray& state)
{
    if (state.isEmpty())
        return;
    m_layout = state;
    if (m_isWorkspaceShown && !restoreState(m_layout, layoutVersion))
        resetLayout();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayLoseSession())
        return event->ignore();
    m_keeper.autosave().drop();
    m_preferences.setWindow(saveGeometry(), dockState());
    m_preferences.setListColumns(m_tensorPanel->columns());
    event->accept();
}

}  // namespace calibscope
