#pragma once

#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_handle.h"

#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace calibscope {

/// Where a clip range meets the axis: one place in |x|; in x both ends (the label is at the last),
/// without an end that is 0.
[[nodiscard]] std::vector<double> markPlaces(const ThresholdMark& mark, Domain domain);

/// "entropy 2.391", in a signed histogram "entropy ±2.391" or "min-max −0.2785…3.735".
[[nodiscard]] QString markText(const ThresholdMark& mark, Domain domain);

/// Whether a value (a magnitude in the magnitude domain) is kept by the clip range.
[[nodiscard]] bool isKept(const ThresholdMark& mark, Domain domain, double value);

/// A threshold's lines and label in pixels.
struct PlacedMark
{
    ThresholdMark mark;
    std::vector<double> lines;  ///< x of the lines in view
    std::vector<double> tops;   ///< upper end of each line
    QString text;               ///< elided; empty: no room for a label
    QRectF label;
};

/// Places lines and labels in the upper part of `area`. A threshold beyond `full` (the axis' full
/// range) keeps a label with an arrow at the edge while that edge is in view. Where labels would
/// take more than about half of the area, the last ones that are not emphasised are left out.
[[nodiscard]] std::vector<PlacedMark> placeMarks(std::span<const ThresholdMark> marks,
                                                 Domain domain, const AxisScale& x,
                                                 const QRectF& area, const Range& full,
                                                 const QFontMetricsF& metrics);

/// Height that the labels take.
[[nodiscard]] double labelHeight(std::span<const PlacedMark> marks, const QRectF& area);

/// Lines first, then labels on the background's colour, emphasised ones last.
void paintMarks(QPainter& painter, std::span<const PlacedMark> marks, const PlotFrame& frame);

/// The ends of clip ranges as handles, where the marks are drawn, from left to right. A step is a
/// bin. Low ends stay below 0, high ends above, both no farther out than a quarter beyond the data.
[[nodiscard]] std::vector<PlotHandle> thresholdHandles(std::span<const ThresholdMark> marks,
                                                       const Histogram& histogram);

/// Whose end a handle is.
struct MovedEnd
{
    QString id;  ///< of the mark
    bool isLow = false;
};

/// Nothing for an id of another kind.
[[nodiscard]] std::optional<MovedEnd> movedEnd(const QString& handleId);

/// The id of an end's handle.
[[nodiscard]] QString handleId(const MovedEnd& end);

}  // namespace calibscope
