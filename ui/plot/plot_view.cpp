// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_view.h"

#include "ui/plot/export_dialog.h"
#include "ui/plot/picture.h"
#include "ui/plot/plot_accessible.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_interaction.h"
#include "ui/plot/plot_painter.h"
#include "ui/plot/plot_table_view.h"
#include "ui/plot/plot_view_state.h"
#include "ui/plot/table_menu.h"
#include "ui/theme/plain_text.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFrame>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QStringList>
#include <QWheelEvent>

#include <algorithm>

namespace calibscope {

namespace {

constexpr double keyZoom = 1.4;

/// A legend that had no room in its plot, until the next click or key.
class LegendPopup : public QFrame
{
public:
    LegendPopup(std::vector<LegendEntry> entries, const ChartColors& colors, QWidget* parent)
        : QFrame(parent, Qt::Popup), m_entries(std::move(entries)), m_colors(colors)
    {
        setAttribute(Qt::WA_DeleteOnClose);
        setAccessibleName(PlotView::tr("Legend"));
        QStringList texts;
        for (const LegendEntry& entry : m_entries)
            texts += entry.text;
        setAccessibleDescription(texts.join(QStringLiteral(", ")));
        const QSizeF size = legendListSize(m_entries, font());
        resize((size + QSizeF(2.0 * margin, 2.0 * margin)).toSize());
    }

    /// With its upper left corner there, or as near as the screen allows.
    void openAt(QPoint corner)
    {
        if (const QScreen* shown = parentWidget()->screen()) {
            const QRect free = shown->availableGeometry();
            corner.setX(std::max(std::min(corner.x(), free.right() - width()), free.left()));
            corner.setY(std::max(std::min(corner.y(), free.bottom() - height()), free.top()));
        }
        move(corner);
        show();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), m_colors.background);
        painter.setPen(m_colors.axis);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.translate(margin, margin);
        paintLegendList(painter, m_entries, font(), m_colors);
    }

private:
    static constexpr int margin = 10;
    std::vector<LegendEntry> m_entries;
    ChartColors m_colors;
};

}  // namespace

PlotView::PlotView(std::unique_ptr<PlotContent> content, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<PlotViewState>(*this, std::move(content)))
{
    makePlotsAccessible();
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

void PlotView::setTitlesShown(bool shown)
{
    m_state->hasTitles = shown;
    m_state->link->invalidate();
}

void PlotView::setTitleNeeds(const QByteArray& needs)
{
    m_state->titleNeeds = needs;
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

QStringList PlotView::axisTitles() const
{
    QStringList titles;
    const PlotContent& shown = *m_state->content;
    if (shown.isEmpty() || !shown.hasAxes())
        return titles;
    const PlotFrame& frame = m_state->currentFrame();
    for (std::size_t axis = 0; axis < std::min<std::size_t>(frame.y.size(), 2); ++axis)
        titles += frame.y[axis].title;
    titles += shown.xTitle();
    titles.removeAll(QString());
    return titles;
}

QString PlotView::pointedText() const
{
    return m_state->pointedText();
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
    if (event->type() == QEvent::ToolTip) {
        showTip(static_cast<const QHelpEvent&>(*event));
        return true;
    }
    return QWidget::event(event);
}

/// Of labels that are cut or have no room; the plot itself has its card.
void PlotView::showTip(const QHelpEvent& event)
{
    const PlotFrame& frame = m_state->currentFrame();
    QStringList lines;
    if (frame.foldedBox.contains(QPointF(event.pos())))
        for (const LegendEntry& entry : frame.folded)
            lines += entry.text;
    else if (!m_state->content->isEmpty())
        lines += m_state->content->toolTip(event.pos(), frame);
    for (std::size_t entry = 0; entry < frame.legend.size(); ++entry)
        if (frame.legend[entry].box.contains(event.pos()))
            lines += m_state->content->legend().at(entry).text;
    calibscope::showTip(event.globalPos(), lines.join(u'\n'), this);
}

bool PlotView::isLegendFolded() const
{
    return !m_state->currentFrame().foldedBox.isEmpty();
}

void PlotView::showLegend()
{
    const PlotFrame& frame = m_state->currentFrame();
    if (frame.foldedBox.isEmpty())
        return;
    auto* popup = new LegendPopup(frame.folded, frame.colors, this);
    popup->openAt(mapToGlobal(frame.foldedBox.bottomLeft().toPoint()));
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
    const bool isOnLegend = m_state->currentFrame().foldedBox.contains(event->position());
    if (event->button() == Qt::LeftButton && isOnLegend)
        return showLegend();
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
    fillMenu(menu);
    Q_EMIT menuRequested(&menu);
    menu.exec(event->globalPos());
}

void PlotView::keyPressEvent(QKeyEvent* event)
{
    if (!pressKey(*m_state, *event))
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

void PlotView::setLogX(bool requested)
{
    m_state->link->setLogX(requested);
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
            return static_cast<const PlotViewState*>(plot)->content->xAxis().linearOnly;
    return tr("There is nothing to show.");
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

PlotTable PlotView::wholeTable() const
{
    const PlotContent& all = *m_state->content;
    return all.isEmpty() ? PlotTable() : all.table(all.fullRange()).value_or(PlotTable());
}

PictureSettings PlotView::pictureSettings() const
{
    PictureSettings settings{.size = size(),
                             .isDark = chartColors(palette()).isDark,
                             .title = m_state->title,
                             .subtitle = m_state->subtitle,
                             .footer = {},
                             .shown = shownRange(),
                             .isLogX = isLogX(),
                             .yShown = m_state->zoom().y};
    const PictureSource* source = nullptr;
    for (const QWidget* around = this; around && !source; around = around->parentWidget())
        source = dynamic_cast<const PictureSource*>(around);
    if (!source)
        return settings;
    const PictureCaption caption = source->captionOf(*this);
    constexpr int lineHeight = 21;
    if (!caption.title.isEmpty()) {
        QStringList below{m_state->title, m_state->subtitle};
        below.removeAll(QString());
        settings.title = caption.title;
        settings.subtitle = below.join(QStringLiteral("   "));
        settings.size.rheight() += m_state->title.isEmpty() ? 2 * lineHeight : 0;
    }
    // The lines below take nothing from the plot.
    settings.footer = caption.footer;
    if (!caption.footer.isEmpty())
        settings.size.rheight() += lineHeight * static_cast<int>(caption.footer.count(u'\n') + 1);
    return settings;
}

void PlotView::copyPicture() const
{
    QGuiApplication::clipboard()->setMimeData(pictureMime(content(), pictureSettings()).release());
}

void PlotView::copyData() const
{
    QGuiApplication::clipboard()->setMimeData(tableMime(table()).release());
}

QString PlotView::exportPicture()
{
    ExportDialog dialog(content(), pictureSettings(), this);
    dialog.exec();
    return dialog.written();
}

void PlotView::showTable()
{
    showTableOf(*this);
}

void PlotView::fillMenu(QMenu& menu)
{
    menu.setToolTipsVisible(true);
    menu.addAction(tr("Show &all"), this, &PlotView::fit);
    menu.addAction(tr("Zoom &back"), this, &PlotView::zoomBack)->setEnabled(canZoomBack());
    menu.addAction(tr("Zoom &forward"), this, &PlotView::zoomForward)->setEnabled(canZoomForward());
    QAction* logX = menu.addAction(tr("Logarithmic &x axis"), this, &PlotView::setLogX);
    logX->setCheckable(true);
    logX->setChecked(isLogX());
    logX->setEnabled(canLogX());
    logX->setToolTip(linearOnlyText());
    if (isLegendFolded())
        menu.addAction(tr("Le&gend..."), this, &PlotView::showLegend);
    menu.addSeparator();
    menu.addAction(tr("Copy &picture"), this, &PlotView::copyPicture);
    QAction* copyRows = menu.addAction(tr("Copy &data"), this, &PlotView::copyData);
    QAction* openTable = menu.addAction(tr("Data &table..."), this, &PlotView::showTable);
    const bool hasRows = hasTable();
    copyRows->setEnabled(hasRows);
    openTable->setEnabled(hasRows);
    const TableSource shown = [this] { return table(); };
    const TableSource whole = [this] { return wholeTable(); };
    QMenu* copyShown = copyAsMenu(tr("Copy data in view a&s"), shown, &menu);
    QMenu* copyWhole = copyAsMenu(tr("Copy a&ll data as"), whole, &menu);
    for (QMenu* copy : {copyShown, copyWhole}) {
        menu.addMenu(copy);
        copy->setEnabled(hasRows);
    }
    menu.addAction(tr("Sa&ve all data as..."), this,
                   [whole, this] { askAndSaveTable(whole, this); })
        ->setEnabled(hasRows);
    menu.addSeparator();
    menu.addAction(tr("&Export picture..."), this, &PlotView::exportPicture);
}

PlotStack::PlotStack(std::vector<PlotView*> plots)
{
    for (PlotView* plot : plots)
        add(*plot);
}

void PlotStack::add(PlotView& plot)
{
    m_plots.push_back(&plot);
    if (m_areLinked)
        m_plots.front()->linkX(plot);
}

void PlotStack::setLinked(bool areLinked)
{
    if (areLinked == m_areLinked)
        return;
    m_areLinked = areLinked;
    for (std::size_t place = 1; place < m_plots.size(); ++place)
        if (areLinked)
            m_plots.front()->linkX(*m_plots[place]);
        else
            m_plots[place]->unlinkX();
}

void PlotStack::setLogX(bool requested) const
{
    for (PlotView* plot : m_plots)
        plot->setLogX(requested);
}

}  // namespace calibscope
