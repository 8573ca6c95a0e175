// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "ui/plot/axis_scale.h"
#include "ui/plot/plot_handle.h"
#include "ui/plot/plot_table.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/translate.h"

#include <QByteArray>
#include <QColor>
#include <QFontMetricsF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <Qt>

#include <optional>
#include <vector>

class QPainter;

namespace calibscope {

struct PlotFrame;

/// A content's wishes for one y axis; the layout turns them into a scale and ticks.
struct YAxis
{
    Range values;
    ScaleKind kind = ScaleKind::Linear;
    QString title;
    TickNumbers numbers = TickNumbers::Values;
    QColor color = {};                  ///< of the title; invalid: as all text
    std::optional<double> zeroAt = {};  ///< logarithmic: where 0 is drawn and labelled "0"
    double freePixels = 0.0;            ///< at the upper end, left free for labels
    bool endsAtHigh = false;            ///< no ticks above the values, in the part left free
    bool standsOnLow = false;           ///< zooming and moving leave the lower end where it is
    /// Logarithmic: marks of bands at the ends that stand for all that lies beyond; other ticks are
    /// inside of `ticked` then.
    std::vector<Tick> edgeTicks = {};
    Range ticked = {};
    bool isDownward = false;  ///< linear: low values at the top, as rows of a table
    /// Shorter titles where the title is longer than the axis: the first of them that fits.
    QStringList shorterTitles = {};
};

/// A content's wishes for a logarithmic x axis.
struct LogX
{
    /// Above 0, the axis' left end: 0 and all values at or below it are drawn there.
    double floor = 0.0;
    /// Least value that can be distinguished from 0. Above the floor, the floor is labelled "0" and no ticks
    /// are drawn between the two; equal to it, there is no 0 to show.
    double least = 0.0;
};

/// A content's wishes for the x axis.
struct XAxis
{
    Range all;  ///< everything that there is to see
    QString title;
    TickNumbers numbers = TickNumbers::Values;
    std::optional<LogX> log = {};  ///< whether x may be logarithmic, and how
    /// Why not, as a sentence, where there is no `log`.
    QString linearOnly = tr("This axis can't be logarithmic.");
};

/// What stands at a place of the x axis instead of a number.
struct PlaceName
{
    double at = 0.0;
    QString text;
    QByteArray needs = {};  ///< of its parts, see elidedName()
};

/// Room for y axes, or for a band above them, before the frame is laid out.
struct PlotRoom
{
    AxisScale x;  ///< of what is shown; from pixel 0 over the area's width, about
    QSizeF size;
    QFontMetricsF metrics;
};

struct LegendEntry
{
    enum class Sign { Line, Dot, Ring, Swatch };

    QString text;
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
    Sign sign = Sign::Line;
    bool isHatched = false;                   ///< a swatch
    std::optional<SeriesMarker> marker = {};  ///< on a line
    /// Of a swatch: its place along heatColor(), which takes the place of a colour and depends on
    /// the ground that it is drawn on.
    std::optional<double> heat = {};
    bool usesTextColor = false;  ///< in place of a colour
    QColor colorOnDark = {};     ///< in its place on dark ground; invalid: the same
    QString brief = {};          ///< the text where the legend has no room; blank: the same
};

/// A plot's contents inside its frame, apart from any widget: drawn alike on screen and into
/// pictures.
class PlotContent
{
public:
    PlotContent() = default;
    PlotContent(const PlotContent&) = delete;
    PlotContent& operator=(const PlotContent&) = delete;
    virtual ~PlotContent() = default;

    /// There is nothing to draw. The functions below from yAxes() to readout() are then not called.
    [[nodiscard]] virtual bool isEmpty() const = 0;
    /// Why there is nothing to draw, as a sentence; may be blank. Requires isEmpty().
    [[nodiscard]] virtual QString emptyText() const { return m_reason; }
    /// Nothing to draw from now on.
    void setEmpty(const QString& reason)
    {
        clear();
        m_reason = reason;
    }
    /// Also while there is nothing to draw.
    [[nodiscard]] virtual XAxis xAxis() const = 0;
    /// Names of places along x, which take the place of its numbers; upright where one is wider than
    /// its place.
    [[nodiscard]] virtual std::vector<PlaceName> xNames() const { return {}; }
    [[nodiscard]] Range fullRange() const { return xAxis().all; }
    [[nodiscard]] QString xTitle() const { return xAxis().title; }
    [[nodiscard]] std::optional<LogX> logX() const { return xAxis().log; }
    /// Whether x and y mean something. Without, nothing is drawn around the area, and keys zoom both.
    [[nodiscard]] bool hasAxes() const { return xAxis().numbers != TickNumbers::None; }
    /// The y axes for what is shown of x: the first is drawn on the left, a second on the right,
    /// further ones are scales without an axis.
    [[nodiscard]] virtual std::vector<YAxis> yAxes(const PlotRoom& room) const = 0;
    /// Height of a band above the area that paintBand() draws into. Must not depend on the values
    /// shown, or zooming would move the plot.
    [[nodiscard]] virtual double bandHeight(const PlotRoom&) const { return 0.0; }
    [[nodiscard]] virtual std::vector<LegendEntry> legend() const = 0;
    /// Marks are not labelled otherwise: the legend is on screen too, not in pictures alone.
    [[nodiscard]] virtual bool isLegendNeeded() const { return true; }
    /// In such a frame each mark has its label: the legend of a picture would repeat them.
    [[nodiscard]] virtual bool isLabelled(const PlotFrame&) const { return false; }
    /// Draws into frame.area, to which the painter is clipped.
    virtual void paint(QPainter& painter, const PlotFrame& frame) const = 0;
    /// Draws into frame.band, to which the painter is clipped.
    virtual void paintBand(QPainter&, const PlotFrame&) const {}
    /// x under the cursor, where `step` can just be distinguished; ordinals are whole.
    [[nodiscard]] virtual QString xText(double x, double step) const;
    /// Meaning of a label in the band or at the plot's edge; blank: nothing is there.
    [[nodiscard]] virtual QString toolTip(const QPointF&, const PlotFrame&) const { return {}; }
    /// Readout at that x, for a status bar.
    [[nodiscard]] virtual QString readout(double x, const PlotFrame& frame) const = 0;
    /// Readout under the pointer, a few lines for a card next to it; blank: no card.
    [[nodiscard]] virtual QString hoverText(const QPointF&, const PlotFrame&) const { return {}; }
    /// All of it in a few sentences, or why there is nothing.
    [[nodiscard]] QString summary() const { return isEmpty() ? emptyText() : sentences(); }
    /// The visible part of x as a table, in full resolution; nothing where there is no such table.
    [[nodiscard]] virtual std::optional<PlotTable> table(const Range&) const { return {}; }

    /// The marks that may be moved, from left to right.
    [[nodiscard]] virtual std::vector<PlotHandle> handles() const { return {}; }

protected:
    /// Of what is drawn.
    [[nodiscard]] virtual QString sentences() const = 0;
    virtual void clear() {}
    [[nodiscard]] static QString negativeText()
    {
        return tr("Negative values have no logarithm: show magnitudes for a logarithmic axis.");
    }

    /// From the least value on; from the end of its first bin where values begin at 0.
    [[nodiscard]] static std::optional<LogX> positiveLog(double least, double firstEnd)
    {
        if (least < 0.0)
            return std::nullopt;
        const double low = least > 0.0 ? least : firstEnd;
        return LogX{low, low};
    }

    QString m_reason;  ///< that there is nothing to draw
};

}  // namespace calibscope
