// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Whose steps a search over windows around 0 repeats, to the order of its float32 sums.
enum class CentredSteps {
    OnnxRuntime,  ///< ONNX Runtime (2024), HistogramCollector.get_entropy_threshold
    Mxnet,        ///< MXNet (2.0), calibrate.cc
};

/// Bins around the middle of a histogram, from `first` up to but without `end`.
struct CentredWindow
{
    std::size_t first = 0;
    std::size_t end = 0;
};

/// The window that reaches `half` bins to each side of the middle bin; of an even number of bins it
/// is one bin further up than down, as far as there are bins.
[[nodiscard]] CentredWindow centredWindow(std::size_t bins, std::size_t half);

/// Divergences of the windows with half = levels / 2, ..., bins / 2, the narrowest first.
struct CentredSearch
{
    std::size_t firstHalf = 0;
    std::vector<float> divergences;  ///< +inf where nothing can be compared
    std::size_t chosen = 0;          ///< the first with the least divergence; 0 if all are +inf
};

/// The divergence of a window's coarse form from the window. P holds the counts outside in its end
/// bins. Q has `levels` levels of size / levels bins each, and is spread over those of their bins
/// where P is not empty. Empty bins of either then get 1e-4 counts, taken in equal parts from the
/// others; where a part would be a whole count or more nothing can be compared.
///
/// What the tools have apart: ONNX Runtime counts the bins that division leaves over into the last
/// level, but has nothing there in Q, takes the mean over the filled bins of P and truncates it to
/// whole counts; logarithms are double, all else is float32, sums by NumPy's pairs. MXNet gives
/// these bins to the last level, leaves the window's first bin out of Q's counts, takes the mean
/// over the filled bins of these; all is float32, summed in order.
///
/// Empty for fewer bins than levels. Cost: bins^2 / 4 logarithms.
[[nodiscard]] CentredSearch searchCentred(std::span<const std::uint64_t> counts, std::size_t levels,
                                          CentredSteps steps);

/// The sum of float32 values in the order of numpy.sum (1.24): 8192 at a time, of which halves are
/// added, of blocks of 128 and less eight running sums.
[[nodiscard]] float numpySum(std::span<const float> values);

}  // namespace calibscope
