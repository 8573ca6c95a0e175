// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"
#include "core/stats/histogram.h"

#include <vector>

namespace calibscope {

// What the growth rules share that keep a tool's own edges.

/// Bins from which on such a rule merges pairs of bins instead of adding more: the tools have no
/// limit, and one outlier can ask for more bins than fit into memory.
constexpr double mostAddedBins = 1048576.0;  // 2^20: a value 512 times the first batch's largest

/// Takes these edges, at least one more than bins, and `binning`; counts stay. Edges that do not
/// ascend (a range too narrow for float32) become equal bins in double from 0 to `largest`, with a
/// note.
void setEdges(Histogram& histogram, std::vector<double> edges, Binning binning, double largest);

/// Adds equal bins in double until the range holds `largest`: for a histogram without edges.
void addEqualBins(Histogram& histogram, double largest);

/// Merges pairs of bins until at most mostAddedBins hold `largest`, with a note if that was needed.
void mergeUntilFewEnough(Histogram& histogram, double largest);

/// Makes room for a batch of magnitudes as NumPy's users do: numpy.histogram over the first batch's
/// range, then further edges by numpy.arange at the first width. Edges are float32 until the range
/// grows; from then on they are double, unless the caller keeps them float32 (`staysSingle`).
void growNumpyEdges(Histogram& histogram, const Extents& batch, bool staysSingle);

}  // namespace calibscope
