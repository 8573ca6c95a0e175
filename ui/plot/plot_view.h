// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "ui/plot/plot_painter.h"
#include "ui/plot/plot_table.h"
#include "ui/plot/plot_zoom.h"

#include <QImage>
#include <QPointF>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QHelpEvent;
class QMenu;

namespace calibscope {

class PlotContent;
class PlotView;
class PlotViewState;
struct PictureSettings;

/// Texts around a plot in a picture of it.
struct PictureCaption
{
    QString title;
    QString footer;
};

/// A widget that knows what the plots in it are of.
class PictureSource
{
public:
    virtual ~PictureSource() = default;
    [[nodiscard]] virtual PictureCaption captionOf(const PlotView& plot) const = 0;
};

/// A plot: a frame with axes around a content, and all that a user does with it.
///
/// Mouse: drag moves, Ctrl+drag zooms into a box, the wheel zooms both axes (Alt: x, Shift: y),
/// both over an axis act on that one; double click shows all; a handle is dragged. Right click
/// opens a menu. Esc cancels what is going on.
///
/// Keys: + and - zoom along x, the arrows move, Home shows all, Backspace goes back to the zoom
/// before, Shift+Backspace and Alt+Right forward. Tab, [ and ] choose a handle; the arrows then
/// move it by a step, with Shift by ten.
///
/// Moving the pointer draws a crosshair and reports what is under it. y follows what is shown of x
/// until it is zoomed, then it holds until all is shown again.
class PlotView : public QWidget
{
    Q_OBJECT

public:
    explicit PlotView(std::unique_ptr<PlotContent> content, QWidget* parent = nullptr);
    ~PlotView() override;

    /// A line above the plot; empty: no room is taken for it. Also the accessible name.
    void setTitle(const QString& title, const QString& subtitle = {});
    /// Of the title's parts, see elidedName(): it stands beside others.
    void setTitleNeeds(const QByteArray& needs);
    /// Whether x has tick labels and a title; the upper ones of stacked plots go without.
    void setXLabelsShown(bool shown);
    /// Whether the axes have titles; plots that share them are described by a line above all.
    void setTitlesShown(bool shown);
    /// Stacks two plots: from now on they share x (the range, its kind of scale and the zooms), the
    /// left and right margin and the crosshair. Any number may be linked.
    void linkX(PlotView& other);
    /// Leaves its stack: x is its own again and shows all.
    void unlinkX();

    /// The arrow keys move that handle from now on, if there is one of that id.
    void chooseHandle(const QString& id);

    /// Draws over the content, inside the plot's area, until something else is set; an empty
    /// function: nothing. Costs no drawing of the content.
    void setGhost(GhostPaint paint);

    [[nodiscard]] Range shownRange() const;  ///< along x
    void showRange(const Range& range);      ///< kept inside the full range
    void fit();                              ///< shows all, y too
    virtual void goHome() { fit(); }         ///< to what a view begins with, or all
    void zoomIn();                           ///< along x
    void zoomOut();
    void zoomBack();
    void zoomForward();
    [[nodiscard]] bool canZoomBack() const;
    [[nodiscard]] bool canZoomForward() const;
    /// The zoom to be restored, and the way back to it.
    [[nodiscard]] PlotZoom zoom() const;
    void setZoom(const PlotZoom& zoom);

    /// Requests a logarithmic x. It stays linear while a content of the stack can't have it.
    void setLogX(bool requested);
    [[nodiscard]] bool isLogX() const;
    /// Why x can't be logarithmic, as a sentence; blank if it can.
    [[nodiscard]] QString linearOnlyText() const;

    /// Summary of the plot, in a few sentences: for screen readers and tooltips.
    [[nodiscard]] QString textSummary() const;
    /// Of the left y axis, a right one and x, as far as they are drawn with one.
    [[nodiscard]] QStringList axisTitles() const;
    /// Text for the place under the pointer, else of the chosen handle; else blank.
    [[nodiscard]] QString pointedText() const;
    /// The picture on screen, without the crosshair, `scale` times as many pixels.
    [[nodiscard]] QImage picture(double scale = 1.0) const;
    /// Visible range of x, as numbers.
    [[nodiscard]] PlotTable table() const;
    /// The same of everything along x.
    [[nodiscard]] PlotTable wholeTable() const;
    [[nodiscard]] bool hasTable() const { return table().rowCount() > 0; }
    void copyPicture() const;  ///< to the clipboard, as PNG and as SVG
    void copyData() const;     ///< to the clipboard, as text with tabs
    /// Asks for a format and a file and writes the picture; the file, or nothing.
    QString exportPicture();
    /// How a picture of what is on screen is made: with what the nearest PictureSource around it
    /// tells.
    [[nodiscard]] PictureSettings pictureSettings() const;
    /// Opens the table of what is shown.
    void showTable();
    /// Whether the legend has no room and is folded, to be opened by a click or from the menu.
    [[nodiscard]] bool isLegendFolded() const;
    void showLegend();
    /// Menu of a right click.
    void fillMenu(QMenu& menu);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The value under the pointer; nothing when the pointer has left.
    void hovered(std::optional<double> x);
    /// The same with the value on the left y axis.
    void pointed(std::optional<QPointF> values);
    /// A click that was not a drag: values of x and of the left y axis.
    void clicked(const QPointF& values);
    /// Readout under the pointer, for a status bar; empty when the pointer has left.
    void readoutChanged(const QString& text);
    void shownRangeChanged(const calibscope::Range& range);
    /// The plot's contents have changed otherwise than by zooming.
    void contentChanged();
    /// The user has zoomed or moved and is done with it; also after back and forward.
    /// Not when other data made the plot show all again.
    void zoomCommitted(const calibscope::PlotZoom& zoom);
    /// A handle is where the user wants it; `isFinal`: the gesture has ended.
    void handleMoved(const QString& id, double value, bool isFinal);
    /// The menu of a right click is about to open; more entries may be added.
    void menuRequested(QMenu* menu);

protected:
    [[nodiscard]] PlotContent& content() const;
    /// To be called when the content has changed. `dataChanged`: x shows all again.
    void refresh(bool dataChanged);

    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    [[nodiscard]] bool canLogX() const;
    void showTip(const QHelpEvent& event);

    std::unique_ptr<PlotViewState> m_state;
};

/// Plots over or beside one another that share x for as long as they are linked.
class PlotStack
{
public:
    /// Linked at first.
    explicit PlotStack(std::vector<PlotView*> plots = {});

    /// Another plot, linked or not as the others are.
    void add(PlotView& plot);
    /// Linked again, all show what the first one shows.
    void setLinked(bool areLinked);
    [[nodiscard]] bool areLinked() const { return m_areLinked; }
    /// Of all of them, see PlotView::setLogX().
    void setLogX(bool requested) const;

private:
    std::vector<PlotView*> m_plots;
    bool m_areLinked = true;
};

/// A plot of one kind of content. Its owner fills the content, or a class derived from it does.
template <typename Content, typename Base = PlotView>
class ContentPlot : public Base
{
public:
    explicit ContentPlot(QWidget* parent = nullptr) : Base(std::make_unique<Content>(), parent) {}

    [[nodiscard]] Content& shown() const { return static_cast<Content&>(this->content()); }
    [[nodiscard]] bool isEmpty() const { return shown().isEmpty(); }
    /// To be called when the content was changed. `dataChanged`: x shows all again.
    void update(bool dataChanged) { this->refresh(dataChanged); }
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason) { change(&Content::setEmpty, reason); }

protected:
    /// Gives the content something and shows it; x stays as it is.
    template <typename Owner, typename... Values, typename... Given>
    void change(void (Owner::*setter)(Values...), Given&&... given)
    {
        (shown().*setter)(std::forward<Given>(given)...);
        this->refresh(false);
    }
};

}  // namespace calibscope
