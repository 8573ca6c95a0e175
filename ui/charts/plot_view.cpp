#include "ui/charts/plot_view.h"

#include "ui/charts/plot_content.h"
#include "ui/charts/plot_painter.h"
#include "ui/charts/plot_view_state.h"
#include "ui/charts/x_range.h"

#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace calibscope {

namespace {

constexpr double keyZoom = 1.4;
constexpr double keyShare = 0.1;  // of the range shown, for each press of an arrow key

}  // namespace

PlotView::PlotView(std::unique_ptr<PlotContent> content, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<State>(*this, std::move(content)))
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

void PlotView::setXLabelsShown(bool shown)
{
    m_state->hasXLabels = shown;
    m_state->link->invalidate();
}

void PlotView::linkX(PlotView& other)
{
    other.m_state->joinStack(m_state->link);
}

Range PlotView::shownRange() const
{
    return m_state->link->shownRange();
}

void PlotView::showRange(const Range& range)
{
    m_state->link->show(range);
}

void PlotView::fit()
{
    m_state->link->showAll();
}

QString PlotView::textSummary() const
{
    return m_state->content->summary();
}

QImage PlotView::picture(double scale) const
{
    QImage image((QSizeF(size()) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paintPlot(painter, *m_state->content, m_state->currentFrame());
    return image;
}

QSize PlotView::sizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 40, em * 18};
}

QSize PlotView::minimumSizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 14, em * 8};
}

void PlotView::refresh(bool dataChanged)
{
    setAccessibleDescription(textSummary());
    m_state->leave();
    if (dataChanged)
        m_state->link->showAll();
    else
        m_state->link->invalidate();
}

void PlotView::resizeEvent(QResizeEvent*)
{
    m_state->canvas.setGeometry(rect());
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
    const PlotFrame& frame = m_state->currentFrame();
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0.0 || !frame.area.contains(event->position())) {
        event->ignore();
        return;
    }
    constexpr double notchZoom = 1.25;
    showRange(zoomedRange(shownRange(), m_state->link->fullRange(),
                          frame.x.scale.toValue(event->position().x()),
                          std::pow(notchZoom, -notches)));
    m_state->hoverAt(event->position());
    event->accept();
}

void PlotView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton &&
        m_state->currentFrame().area.contains(event->position()))
        m_state->drag = State::Drag{event->position().x(), shownRange()};
}

void PlotView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_state->drag || !(event->buttons() & Qt::LeftButton)) {
        m_state->hoverAt(event->position());
        return;
    }
    const auto& drag = *m_state->drag;
    setCursor(Qt::ClosedHandCursor);
    const double share =
        (drag.pixel - event->position().x()) / m_state->currentFrame().area.width();
    showRange(movedRange(drag.shown, m_state->link->fullRange(), share * drag.shown.width()));
    m_state->hoverAt(event->position());
}

void PlotView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_state->drag.reset();
        unsetCursor();
    }
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

void PlotView::keyPressEvent(QKeyEvent* event)
{
    const Range shown = shownRange();
    const Range full = m_state->link->fullRange();
    const double centre = shown.low + shown.width() / 2.0;
    switch (event->key()) {
    case Qt::Key_Home: fit(); return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: showRange(zoomedRange(shown, full, centre, 1.0 / keyZoom)); return;
    case Qt::Key_Minus: showRange(zoomedRange(shown, full, centre, keyZoom)); return;
    case Qt::Key_Left: showRange(movedRange(shown, full, -keyShare * shown.width())); return;
    case Qt::Key_Right: showRange(movedRange(shown, full, keyShare * shown.width())); return;
    default: QWidget::keyPressEvent(event);
    }
}

void PlotView::focusInEvent(QFocusEvent* event)
{
    // Only who moves by keys has to see where the focus is.
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
        event->reason() == Qt::ShortcutFocusReason)
        m_state->canvas.setFocusRing(palette().color(QPalette::Link));
}

void PlotView::focusOutEvent(QFocusEvent*)
{
    m_state->canvas.setFocusRing(std::nullopt);
}

}  // namespace calibscope
