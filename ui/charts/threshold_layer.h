// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/entropy_trial.h"
#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_handle.h"

#include <optional>
#include <span>
#include <utility>
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
    QString text;               ///< elided; empty: no room for a label
    QString fullText;
    QString series;  ///< the same in a legend
    QRectF label;
    double leader = 0.0;  ///< x of its leader line: the label's left edge or its right one
    double foot = 0.0;    ///< x on the area's upper edge that the leader line ends at
};

/// Thresholds and, in the band above the area, their labels.
struct PlacedMarks
{
    std::vector<PlacedMark> marks;  ///< those in view
    double leadersFrom = 0.0;       ///< y where leader lines turn aslant
    QString moreText;               ///< "+2 more": labels that have no room; empty: none
    QRectF more;
};

/// Where labels may stand: over the area, as wide as the whole plot.
struct LabelBand
{
    QRectF box;   ///< ends at the area's upper edge
    QRectF area;  ///< of the plot
};

/// Places lines, and labels in the band. A threshold beyond `full` (the axis' full range) keeps a
/// label with an arrow at the edge while that edge is in view. Where the band is too small, the
/// last ones that are not emphasised go without a label, and their number is reported.
[[nodiscard]] PlacedMarks placeMarks(std::span<const ThresholdMark> marks, Domain domain,
                                     const AxisScale& x, const LabelBand& band, const Range& full,
                                     const QFontMetricsF& metrics);

/// Height of a band that holds all labels, or as many as a plot of that size has room for; 0
/// without labels. `x` starts at pixel 0.
[[nodiscard]] double labelBandHeight(std::span<const ThresholdMark> marks, Domain domain,
                                     const AxisScale& x, const QSizeF& size, const Range& full,
                                     const QFontMetricsF& metrics);

/// The lines, with a halo of the background, emphasised ones last.
void paintMarkLines(QPainter& painter, const PlacedMarks& marks, const PlotFrame& frame);
/// Labels and leader lines.
void paintMarkLabels(QPainter& painter, const PlacedMarks& marks, const PlotFrame& frame);
/// Full text of the label at that point, or all that "+2 more" stands for; blank: nothing is there.
[[nodiscard]] QString markTextAt(const PlacedMarks& marks, const QPointF& point);

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

/// A plot along a tensor's values, with thresholds over it and their labels in the band above.
class ThresholdsContent : public PlotContent
{
public:
    void setThresholds(std::vector<ThresholdMark> thresholds)
    {
        m_thresholds = std::move(thresholds);
    }

    [[nodiscard]] double bandHeight(const PlotRoom& room) const override;
    void paintBand(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] bool isLabelled(const PlotFrame& frame) const override;
    [[nodiscard]] QString toolTip(const QPointF& point, const PlotFrame& frame) const override;

protected:
    [[nodiscard]] virtual Domain domain() const = 0;
    [[nodiscard]] PlacedMarks placedMarks(const PlotFrame& frame) const;

    std::vector<ThresholdMark> m_thresholds;
};

/// The two histograms of a trial over a histogram's columns, as outlines: truncated (P) solid,
/// coarse (Q) dashed. `histogram` is the one that the plot shows; counts are
/// drawn as they would be in bins of its width. A trial of |x| is mirrored among signed values,
/// one of x is folded among magnitudes.
void paintGhost(QPainter& painter, const PlotFrame& frame, const EntropyTrial& given,
                const Histogram& histogram, const QColor& color);

/// A veil over the values outside a clip range, and its ends.
void paintClipGhost(QPainter& painter, const PlotFrame& frame, const ThresholdMark& mark,
                    Domain domain);

}  // namespace calibscope
