// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/tool_edges.h"

#include <cstddef>
#include <vector>

namespace calibscope {

/// Bins that are kept, both included, and how they were found.
struct ObservedWindow
{
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t moves = 0;        ///< of an end, that lowered the error
    bool endsAtIncrease = false;  ///< stopped by the first move that raised the error
};

/// Sum of squared distances between values spread evenly inside the bins and the centres of
/// `levels` equal parts of the bins from `first` to `last`; in float32 as HistogramObserver has it.
[[nodiscard]] float observedError(const std::vector<float>& counts, const SingleRange& range,
                                  std::size_t levels, std::size_t first, std::size_t last);

/// The search of torch.ao.quantization.HistogramObserver (PyTorch 1.13): walks both ends inward by
/// quantiles of `step`, always the end that may move over more bins, until a move raises the error.
/// Greedy: a lower error further in is not found.
[[nodiscard]] ObservedWindow searchObserved(const std::vector<float>& counts,
                                            const SingleRange& range, std::size_t levels,
                                            double step);

/// The values at both ends of the window.
[[nodiscard]] SingleRange valuesOf(const ObservedWindow& window, const SingleRange& range,
                                   std::size_t bins);

}  // namespace calibscope
