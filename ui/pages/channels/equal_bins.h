#pragma once

#include "core/stats/histogram.h"

#include <vector>

namespace calibscope {

/// Histograms in the same bins over a range that holds all of them, so that their counts can be
/// told against each other: as they are if they share their bins, else in `bins` equal ones, where
/// what a finer bin holds goes to the bin of its centre. One without a width (one value) is all in
/// one bin. Requires one domain, and equal bins each.
[[nodiscard]] std::vector<Histogram> inEqualBins(std::vector<Histogram> histograms,
                                                 std::size_t bins);

/// Bins in which the outlines of histograms that count so few values can be told apart: a power of
/// 2 from 32 to 256, so that 2048 bins over the whole range come out exact.
[[nodiscard]] std::size_t binsToOutline(const std::vector<Histogram>& histograms);

}  // namespace calibscope
