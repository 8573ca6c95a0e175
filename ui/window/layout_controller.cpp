#include "ui/window/layout_controller.h"

#include <QDockWidget>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// Raised when docks or tool bars come or go; layouts of another version are not restored.
constexpr int layoutVersion = 2;

}  // namespace

LayoutController::LayoutController(QMainWindow& window, const Contents& contents)
    : m_window(window),
      m_tensors(addDock(QStringLiteral("tensors"), tr("Tensors"), contents.tensors,
                        Qt::LeftDockWidgetArea)),
      m_inspector(addDock(QStringLiteral("inspector"), tr("Calibrators"), contents.inspector,
                          Qt::RightDockWidgetArea)),
      m_log(addDock(QStringLiteral("messages"), tr("Messages"), contents.log,
                    Qt::BottomDockWidgetArea)),
      m_toolBar(window.addToolBar(tr("Tool bar")))
{
    m_log->hide();
    m_toolBar->setObjectName(QStringLiteral("toolBar"));
    m_toolBar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    for (const Panel panel : {Panel::Tensors, Panel::Inspector, Panel::Log, Panel::ToolBar})
        connect(&toggleOf(panel), &QAction::toggled, this, &LayoutController::changed);
}

QDockWidget* LayoutController::addDock(const QString& name, const QString& title, QWidget* content,
                                       Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setWidget(content);
    m_window.addDockWidget(area, dock);
    return dock;
}

QWidget& LayoutController::widgetOf(Panel panel) const
{
    switch (panel) {
    case Panel::Tensors: return *m_tensors;
    case Panel::Inspector: return *m_inspector;
    case Panel::Log: return *m_log;
    case Panel::ToolBar: break;
    }
    return *m_toolBar;
}

QAction& LayoutController::toggleOf(Panel panel) const
{
    const auto* dock = qobject_cast<const QDockWidget*>(&widgetOf(panel));
    return dock ? *dock->toggleViewAction() : *m_toolBar->toggleViewAction();
}

void LayoutController::show(Panel panel, bool isShown)
{
    widgetOf(panel).setVisible(isShown);
}

bool LayoutController::isShown(Panel panel) const
{
    return toggleOf(panel).isChecked();
}

void LayoutController::showFullScreen(bool isFull)
{
    m_window.setWindowState(m_window.windowState().setFlag(Qt::WindowFullScreen, isFull));
}

void LayoutController::begin(const QByteArray& remembered)
{
    m_first = m_window.saveState(layoutVersion);
    m_kept = remembered;
}

void LayoutController::setShown(bool isShown)
{
    if (isShown && m_isShown)
        return;
    if (isShown) {
        m_isShown = true;
        if (!m_window.restoreState(m_kept, layoutVersion))
            reset();
        return;
    }
    if (std::exchange(m_isShown, false))
        m_kept = m_window.saveState(layoutVersion);
    for (const Panel panel : {Panel::Tensors, Panel::Inspector, Panel::Log, Panel::ToolBar})
        widgetOf(panel).hide();
}

void LayoutController::reset()
{
    m_window.restoreState(m_first, layoutVersion);
    const int width = m_window.width();
    m_window.resizeDocks({m_tensors, m_inspector},
                         {std::max(340, width * 23 / 100), std::max(360, width * 26 / 100)},
                         Qt::Horizontal);
}

QByteArray LayoutController::state() const
{
    return m_isShown ? m_window.saveState(layoutVersion) : m_kept;
}

void LayoutController::setState(const QByteArray& state)
{
    if (state.isEmpty())
        return;
    m_kept = state;
    if (m_isShown && !m_window.restoreState(m_kept, layoutVersion))
        reset();
}

}  // namespace calibscope
