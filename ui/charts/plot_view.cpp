#include "ui/charts/plot_view.h"

#include "ui/charts/export_dialog.h"
#include "ui/charts/picture.h"
#include "ui/charts/plot_clipboard.h"
#include "ui/charts/plot_content.h"
#include "ui/charts/plot_keys.h"
#include "ui/charts/plot_menu.h"
#include "ui/charts/plot_painter.h"
#include "ui/charts/plot_view_state.h"
#include "ui/charts/table_dialog.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

namespace calibscope {

namespace {

constexpr double keyZoom = 1.4;

}  // namespace

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

void PlotView::zoomIn()
{
    m_state->zoomX(1.0 / keyZoom);
}

void PlotView::zoomOut()
{
    m_state->zoomX(keyZoom);
}

void PlotView::zoomBack()
{
    m_state->wheelRest.stop();
    m_state->link->zoomBack();
}

void PlotView::zoomForward()
{
    m_state->commitZoom();
    m_state->link->zoomForward();
}

bool PlotView::canZoomBack() const
{
    return m_state->link->zooms().canGoBack();
}

bool PlotView::canZoomForward() const
{
    return m_state->link->zooms().canGoForward();
}

PlotZoom PlotView::zoom() const
{
    return m_state->zoom();
}

void PlotView::setZoom(const PlotZoom& zoom)
{
    m_state->changeZoom(zoom);
    m_state->commitZoom();
}

void PlotView::setLogX(bool wished)
{
    m_state->link->setLogX(wished);
}

bool PlotView::isLogX() const
{
    return m_state->link->xKind() == ScaleKind::Log;
}

bool PlotView::canLogX() const
{
    return m_state->link->logX().has_value();
}

QString PlotView::linearOnlyText() const
{
    if (canLogX())
        return {};
    for (const LinkedPlot* plot : m_state->link->plots())
        if (plot->contentRange() && !plot->contentLogX())
            return static_cast<const PlotViewState*>(plot)->content->linearOnlyText();
    return tr("There is nothing to show.");
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

PlotTable PlotView::table() const
{
    const PlotContent& shown = *m_state->content;
    return shown.isEmpty() ? PlotTable() : shown.table(shownRange()).value_or(PlotTable());
}

bool PlotView::hasTable() const
{
    return table().rowCount() > 0;
}

PictureSettings PlotView::pictureSettings() const
{
    return {.size = size(),
            .isDark = chartColors(palette()).isDark,
            .title = m_state->title,
            .subtitle = m_state->subtitle,
            .footer = m_state->footer,
            .shown = shownRange(),
            .isLogX = isLogX(),
            .yShown = m_state->zoom().y};
}

void PlotView::copyPicture() const
{
    copyPlotPicture(content(), pictureSettings());
}

void PlotView::copyData() const
{
    copyPlotTable(table());
}

void PlotView::exportPicture()
{
    ExportDialog dialog(content(), pictureSettings(), this);
    dialog.exec();
}

void PlotView::showTable()
{
    auto* dialog = new TableDialog(*this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
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
