// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"

namespace calibscope {

// Histograms of x whose range is even around 0, with numpy.histogram's edges in float32.

/// Takes the range from -half to half for the bins that there are. The ends stay as they are, their
/// edges are float32; equal bins in double where float32 cannot tell the edges apart.
void setHalfRange(Histogram& histogram, double half);

/// Merges neighbouring bins so that 0 stays where it is: an even number of bins by pairs, an odd
/// one, whose middle bin holds 0, by threes. Empty bins are added at both ends where the number
/// does not fit.
void mergeAroundMiddle(Histogram& histogram);

}  // namespace calibscope
