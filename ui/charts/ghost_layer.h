#pragma once

#include "core/calibrators/algorithms/entropy_candidate.h"
#include "core/stats/histogram.h"
#include "ui/plot/plot_frame.h"

class QPainter;

namespace calibscope {

/// The two histograms of a candidate over a histogram's columns, as outlines: truncated (P) solid,
/// coarse (Q) dashed, each with its name. `histogram` is the one that the plot shows; counts are
/// drawn as they would be in bins of its width. A candidate of |x| is mirrored among signed values,
/// one of x is folded among magnitudes.
void paintGhost(QPainter& painter, const PlotFrame& frame, const EntropyCandidate& given,
                const Histogram& histogram, const QColor& color);

}  // namespace calibscope
