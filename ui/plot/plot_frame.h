// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_content.h"
#include "ui/theme/chart_colors.h"

#include <QFont>
#include <QRectF>
#include <QStringList>

namespace calibscope {

/// Width of the sign (line or dot) in front of a legend's text, with its gap.
constexpr double legendSignWidth = 26.0;
/// Between the labels of an axis and its title.
constexpr double axisTitleGap = 4.0;

/// Request for a frame.
struct FrameWish
{
    QRectF outer;
    Range shown;  ///< along x
    ScaleKind xKind = ScaleKind::Linear;
    LogX logX = {};                  ///< where x is logarithmic; of all linked plots
    std::vector<Range> yShown = {};  ///< by y axis; empty: as the content requests
    QFont font;
    ChartColors colors = lightChartColors();
    QString title;
    QString subtitle;
    QString footer;
    bool hasXLabels = true;
    bool hasTitles = true;       ///< of the axes; without, a power of ten alone
    QByteArray titleNeeds = {};  ///< of the title's parts, see elidedName()
    bool hasLegend = true;
    bool repeatsLabels = false;  ///< in the legend: its entries can be clicked
    bool canFold = true;         ///< a legend without room; else it may take most of the plot
    double leastLeft = 0.0;      ///< margins of linked plots
    double leastRight = 0.0;
};

struct PlotAxis
{
    AxisScale scale;
    std::vector<Tick> ticks;           ///< labels that don't fit are gone
    std::vector<double> labelCentres;  ///< along the axis, by tick
    QString title;                     ///< with the power of ten of the labels
    QColor titleColor;
    Range requested;           ///< what the scale shows unless something else is asked
    bool standsOnLow = false;  ///< as the content requests
    bool isUpright = false;    ///< labels of x read upward
    bool isTitleLeft = false;  ///< of x, not in the middle: the legend stands next to it
};

struct PlacedLegendEntry
{
    LegendEntry entry;
    QRectF box;
};

/// Where everything of a plot is, in logical pixels.
///
///     title            subtitle
///     legend legend legend
///     band of labels
///     y title | labels |  area  | labels | y title
///                        labels
///                        x title
///     footer
struct PlotFrame
{
    QRectF outer;
    QRectF area;
    PlotAxis x;
    double xLabelHeight = 0.0;  ///< of the longest of its labels where they are upright
    double leastX = 0.0;        ///< logarithmic x: what is less is shown as 0
    std::vector<PlotAxis> y;
    QRectF titleBox;
    QString title;  ///< elided to its box; so are the others
    QRectF subtitleBox;
    QString subtitle;
    QRectF footerBox;
    QString footer;
    std::vector<PlacedLegendEntry> legend;
    QRectF legendGround;  ///< under a legend that lies over the area; empty: it lies above
    QRectF foldedBox;     ///< in place of a legend that has no room; empty: there is none
    QString foldedText;   ///< "4 curves, click for legend"
    std::vector<LegendEntry> folded;
    QRectF band;  ///< above the area and as wide as the plot, for the content's labels
    bool hasXLabels = true;
    QFont font;
    ChartColors colors;
};

/// Lays a plot out. Nothing lies outside of `outer`, no two texts overlap; what has no room is left
/// out or elided. A legend without room says its entries briefly, else it is folded; on the
/// smallest plots it lies over the area's corner.
[[nodiscard]] PlotFrame layoutPlot(const PlotContent& content, const FrameWish& request);

/// Height that the title of a y axis may take: a long one goes on beside the labels of x, not
/// beside the texts above.
[[nodiscard]] double yTitleRoom(double areaHeight, bool hasXLabels, const QFontMetricsF& metrics);

/// Font of titles.
[[nodiscard]] QFont titleFont(const QFont& font);

}  // namespace calibscope
