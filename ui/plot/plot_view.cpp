#include "ui/plot/plot_view.h"

#include "ui/plot/plot_content.h"
#include "ui/plot/plot_keys.h"
#include "ui/plot/plot_menu.h"
#include "ui/plot/plot_view_state.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QWheelEvent>

namespace calibscope {

PlotView::PlotView(std::unique_ptr<PlotContent> content, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<PlotViewState>(*this, std::move(content)))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

PlotView::~PlotView() = default;

PlotContent& PlotView::content() const
{
    return *m_state->content;
}

void PlotView::setTitle(const QString& title, const QString& subtitle)
{
    m_state->title = title;
    m_state->subtitle = subtitle;
    setAccessibleName(title);
    m_state->link->invalidate();
}

void PlotView::setFooter(const QString& footer)
{
    m_state->footer = footer;
}

void PlotView::setGhost(GhostPaint paint)
{
    m_state->ghost = std::move(paint);
    m_state->showGhost();
}

void PlotView::chooseHandle(const QString& id)
{
    m_state->handles.choose(id);
    m_state->showHandles();
}

void PlotView::setXLabelsShown(bool shown)
{
    m_state->hasXLabels = shown;
    m_state->link->invalidate();
}

void PlotView::linkX(PlotView& other)
{
    other.m_state->joinStack(m_state->link);
}

void PlotView::unlinkX()
{
    m_state->leaveStack();
}

QString PlotView::textSummary() const
{
    return m_state->content->summary();
}

QSize PlotView::sizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 40, em * 18};
}

QSize PlotView::minimumSizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 14, em * 6};
}

void PlotView::refresh(bool dataChanged)
{
    m_state->leave();
    if (dataChanged)
        m_state->link->forgetZooms();
    else
        m_state->link->invalidate();
    m_state->takeHandles();
    Q_EMIT contentChanged();
}

bool PlotView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride &&
        isKeyTaken(*m_state, static_cast<QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void PlotView::resizeEvent(QResizeEvent*)
{
    m_state->canvas.setGeometry(rect());
    m_state->showFocus();
    m_state->link->invalidate();
}

void PlotView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::LanguageChange)
        m_state->link->invalidate();
    QWidget::changeEvent(event);
}

void PlotView::wheelEvent(QWheelEvent* event)
{
    event->setAccepted(m_state->gestures.wheel(*event));
    if (event->isAccepted())
        m_state->hoverAt(event->position());
}

void PlotView::mousePressEvent(QMouseEvent* event)
{
    m_state->gestures.press(*event);
}

void PlotView::mouseMoveEvent(QMouseEvent* event)
{
    m_state->gestures.move(*event);
    m_state->hoverAt(event->position());
}

void PlotView::mouseReleaseEvent(QMouseEvent* event)
{
    m_state->gestures.release(*event);
}

void PlotView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        fit();
}

void PlotView::leaveEvent(QEvent*)
{
    m_state->leave();
}

void PlotView::contextMenuEvent(QContextMenuEvent* event)
{
    m_state->commitZoom();
    QMenu menu;
    fillPlotMenu(menu, *this);
    Q_EMIT menuRequested(&menu);
    menu.exec(event->globalPos());
}

void PlotView::keyPressEvent(QKeyEvent* event)
{
    if (!pressKey(*this, *m_state, *event))
        QWidget::keyPressEvent(event);
}

void PlotView::keyReleaseEvent(QKeyEvent* event)
{
    if (!releaseKey(*m_state, *event))
        QWidget::keyReleaseEvent(event);
}

bool PlotView::focusNextPrevChild(bool next)
{
    const bool isChosen = m_state->handles.chooseNext(next);
    m_state->showHandles();
    return isChosen || QWidget::focusNextPrevChild(next);
}

void PlotView::focusInEvent(QFocusEvent* event)
{
    // Only who moves by keys has to see where the focus is.
    m_state->hasFocusRing = event->reason() == Qt::TabFocusReason ||
                            event->reason() == Qt::BacktabFocusReason ||
                            event->reason() == Qt::ShortcutFocusReason;
    m_state->showFocus();
}

void PlotView::focusOutEvent(QFocusEvent* event)
{
    m_state->hasFocusRing = false;
    m_state->showFocus();
    // A menu over the plot leaves the handle chosen.
    if (event->reason() == Qt::PopupFocusReason)
        return;
    m_state->handles.chooseNone();
    m_state->showHandles();
}

}  // namespace calibscope
