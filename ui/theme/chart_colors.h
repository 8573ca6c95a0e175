// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <Qt>

#include <cstddef>

class QPalette;

namespace calibscope {

/// Colours of everything in a plot but the series.
struct ChartColors
{
    bool isDark = false;
    QColor background;
    QColor grid;
    QColor axis;
    QColor text;       ///< titles, tick labels
    QColor faintText;  ///< subtitles, footers; still 4.5 to 1
    QColor fill;       ///< histogram columns
    QColor clipped;    ///< histogram columns outside the emphasised clip range
    QColor crosshair;
};

[[nodiscard]] const ChartColors& lightChartColors();
[[nodiscard]] const ChartColors& darkChartColors();
/// The table that suits a palette.
[[nodiscard]] const ChartColors& chartColors(const QPalette& palette);

/// The shape of a series' points.
enum class SeriesMarker { Circle, Square, Diamond, TriangleUp, TriangleDown, Cross };

/// How a calibrator's lines are drawn: colour, dash pattern and marker, so that colour is never the
/// only cue.
struct SeriesStyle
{
    QColor color;
    Qt::PenStyle pen = Qt::SolidLine;
    SeriesMarker marker = SeriesMarker::Circle;
};

constexpr int seriesColorCount = 12;
constexpr std::size_t seriesStyleCount = 360;  ///< 12 colours, 5 dash patterns, 6 markers

/// Style of the index-th series (0-based); all up to seriesStyleCount differ, up to 60 even without
/// the marker, and any two that share the colour differ in the dashes or the marker as well. The
/// first colours are after Okabe and Ito ("Color universal design"). All have 3 to 1 on the
/// background; on other grounds a line has a halo of the background (drawHaloedLine()).
[[nodiscard]] SeriesStyle seriesStyle(int index, const ChartColors& colors);

/// Style of what the user sets manually: no series has its colour.
[[nodiscard]] SeriesStyle manualStyle(const ChartColors& colors);

/// WCAG 2 contrast ratio of two opaque colours, 1 to 21.
[[nodiscard]] double contrastRatio(const QColor& one, const QColor& other);

/// The colour itself, or darkened (on light backgrounds) or lightened just so far that text in it
/// has a contrast of 4.5 to 1.
[[nodiscard]] QColor readableOn(const QColor& background, const QColor& color);

/// Colours of a heat picture, teal for little, blue, violet for much, on either ground: equal steps
/// are equally far in lightness, which colour-blind eyes see too. `share`, 0 to 1, is far from the
/// background at 1: dark on light ground, bright on dark ground; 0 can still be distinguished from the
/// background. Neither a limit's colours nor a difference's are among them.
[[nodiscard]] QColor heatColor(double share, bool isDark);

/// `share`, 0 to 1, of one colour in another.
[[nodiscard]] QColor blended(const QColor& ground, const QColor& color, double share);

/// Colours of differences: the ground at 0, vermillion for losses to -1, blue for gains to 1; what
/// is beyond has the end's. In equal steps.
[[nodiscard]] QColor differenceColor(double share, const ChartColors& colors);

}  // namespace calibscope
