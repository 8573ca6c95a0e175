#pragma once

#include "core/calibrators/entropy_candidate.h"
#include "core/stats/histogram.h"
#include "ui/charts/plot_frame.h"

class QPainter;

namespace calibscope {

/// The two histograms of a candidate over a histogram's columns, as outlines: truncated (P) solid,
/// coarse (Q) dashed, each with its name. `histogram` is the one that the plot shows; counts are
/// drawn as they would be in bins of its width. Among signed values both are mirrored.
void paintGhost(QPainter& painter, const PlotFrame& frame, const EntropyCandidate& candidate,
                const Histogram& histogram, const QColor& color);

}  // namespace calibscope
