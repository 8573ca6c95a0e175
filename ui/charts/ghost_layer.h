// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/entropy_trial.h"
#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_frame.h"

class QPainter;

namespace calibscope {

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
