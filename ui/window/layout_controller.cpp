// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/layout_controller.h"

#include "ui/widgets/parts_label.h"
#include "ui/widgets/plot_splitter.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int narrowWindow = 1000;  // two docks beside the page need more
constexpr int leastPage = 440;      // of the page between the docks
constexpr int leastDock = 220;
constexpr int laidOutMs = 100;  // by then the window system has told of all sizes

/// Raised when docks or tool bars come or go; layouts of another version are not restored.
constexpr int layoutVersion = 2;

/// Follows the window's state where the user has dragged no dock.
constexpr QByteArrayView usualWidthsMark = "usual widths";

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
    m_window.setAnimated(false);  // nothing moves by itself
    m_toolBar->setObjectName(QStringLiteral("toolBar"));
    m_toolBar->setToolButtonStyle(Qt::ToolButtonIconOnly);  // words where there is no picture
    for (const Panel panel : {Panel::Tensors, Panel::Inspector, Panel::Log, Panel::ToolBar})
        connect(&toggleOf(panel), &QAction::toggled, this, &LayoutController::changed);
    m_fitting.setSingleShot(true);
    connect(&m_fitting, &QTimer::timeout, this, &LayoutController::fitDocks);
    m_window.installEventFilter(this);
    for (QDockWidget* dock : {m_tensors, m_inspector})
        dock->installEventFilter(this);
}

/// A window that grows smaller takes from its docks, and gives nothing back when it grows again:
/// the widths that the user chose, by dragging alone, are kept here.
bool LayoutController::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize) {
        const bool isDragged = QApplication::mouseButtons().testFlag(Qt::LeftButton);
        if (watched == &m_window)
            m_fitting.start(0);
        else if (isDragged && !m_fitting.isActive() && !m_isFitting && m_isShown && !m_isSharing)
            noteWidths();
    }
    return QObject::eventFilter(watched, event);
}

void LayoutController::noteWidths()
{
    m_tensorsWidth = m_tensors->width();
    m_inspectorWidth = m_inspector->width();
    m_areWidthsUsual = false;
}

void LayoutController::wantUsualWidths()
{
    m_tensorsWidth = std::max(340, m_window.width() * 23 / 100);
    m_inspectorWidth = std::max(360, m_window.width() * 26 / 100);
    m_areWidthsUsual = true;
}

/// Where they are at first; else the user has arranged them.
bool LayoutController::areAtTheirSides() const
{
    return m_tensors->isVisible() && m_inspector->isVisible() && !m_tensors->isFloating() &&
           !m_inspector->isFloating() &&
           m_window.dockWidgetArea(m_tensors) == Qt::LeftDockWidgetArea &&
           m_window.dockWidgetArea(m_inspector) == Qt::RightDockWidgetArea;
}

void LayoutController::setSharing(bool isSharing)
{
    m_isSharing = isSharing;
    if (isSharing) {
        m_wide = m_window.saveState(layoutVersion);
        m_window.tabifyDockWidget(m_tensors, m_inspector);
        m_tensors->raise();
    } else {
        m_window.addDockWidget(Qt::RightDockWidgetArea, m_inspector);
    }
}

void LayoutController::fitDocks()
{
    if (!m_isShown)
        return;
    const int width = m_window.width();
    if (m_tensorsWidth <= 0 && !m_areWidthsUsual && width >= narrowWindow)
        noteWidths();
    else if (m_tensorsWidth <= 0 || m_areWidthsUsual)
        wantUsualWidths();  // they grow with the window until the user drags one
    m_isFitting = true;
    const bool wasSharing = m_isSharing;
    if (!m_isSharing && width < narrowWindow && areAtTheirSides())
        setSharing(true);
    else if (m_isSharing && width >= narrowWindow)
        setSharing(false);
    if (m_isSharing != wasSharing)
        m_fitting.start(laidOutMs);  // once more
    const int room = std::max(width - leastPage, leastDock);
    if (m_isSharing) {
        m_window.resizeDocks({m_tensors}, {std::min(m_tensorsWidth, room)}, Qt::Horizontal);
    } else if (areAtTheirSides()) {
        const double share =
            std::min(1.0, static_cast<double>(room) / (m_tensorsWidth + m_inspectorWidth));
        m_window.resizeDocks(
            {m_tensors, m_inspector},
            {static_cast<int>(m_tensorsWidth * share), static_cast<int>(m_inspectorWidth * share)},
            Qt::Horizontal);
    }
    m_isFitting = false;
}

/// Its name on the ground of the window, without buttons; it is dragged by it.
void LayoutController::addTitle(QDockWidget& dock)
{
    auto* title = new ElidedLabel(Qt::ElideMiddle, &dock);
    title->setText(dock.windowTitle());
    title->setContentsMargins(8, 5, 8, 5);
    connect(&dock, &QWidget::windowTitleChanged, title, &ElidedLabel::setText);
    dock.setTitleBarWidget(title);
}

QDockWidget* LayoutController::addDock(const QString& name, const QString& title, QWidget* content,
                                       Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setWidget(content);
    // The page stands between them always, and menus and keys hide them.
    dock->setFeatures(dock->features() & ~QDockWidget::DockWidgetFloatable);
    if (area != Qt::BottomDockWidgetArea)
        addTitle(*dock);
    m_window.addDockWidget(area, dock);
    return dock;
}

void LayoutController::setInspected(const QString& tensor, const QByteArray& needs)
{
    const QString before = tr("Calibrators") + (tensor.isEmpty() ? QString() : tr(" – "));
    m_inspector->setWindowTitle(before + tensor);
    static_cast<ElidedLabel*>(m_inspector->titleBarWidget())->setName(tensor, needs, before);
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

bool LayoutController::raise(Panel panel) const
{
    QWidget& widget = widgetOf(panel);
    widget.raise();
    return isShown(panel);
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
        return restore();
    }
    if (m_isShown)
        m_kept = state();
    m_isShown = m_isSharing = false;
    for (const Panel panel : {Panel::Tensors, Panel::Inspector, Panel::Log, Panel::ToolBar})
        widgetOf(panel).hide();
}

void LayoutController::reset()
{
    for (PlotSplitter* splitter : m_window.findChildren<PlotSplitter*>())
        splitter->reset();
    m_window.restoreState(m_first, layoutVersion);
    wantUsualWidths();
    m_isSharing = false;
    m_window.resizeDocks({m_tensors, m_inspector}, {m_tensorsWidth, m_inspectorWidth},
                         Qt::Horizontal);
    m_fitting.start(0);
}

/// Its docks are as wide as they were wanted then; widths that nobody dragged follow the window.
void LayoutController::restore()
{
    const bool areUsual = m_kept.endsWith(usualWidthsMark);
    if (!m_window.restoreState(areUsual ? m_kept.chopped(usualWidthsMark.size()) : m_kept,
                               layoutVersion))
        return reset();
    m_areWidthsUsual = areUsual;
    for (QDockWidget* dock : {m_tensors, m_inspector, m_log})
        dock->setFloating(false);  // as an older version let it
    m_isSharing = false;
    m_tensorsWidth = m_inspectorWidth = 0;  // known when they are laid out
    m_fitting.start(0);
}

QByteArray LayoutController::state() const
{
    if (!m_isShown)
        return m_kept;
    QByteArray state = m_isSharing ? m_wide : m_window.saveState(layoutVersion);
    return m_areWidthsUsual ? state.append(usualWidthsMark) : state;
}

void LayoutController::setState(const QByteArray& state)
{
    if (state.isEmpty())
        return;
    m_kept = state;
    if (!m_isShown)
        return;
    restore();
}

}  // namespace calibscope
