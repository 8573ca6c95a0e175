// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace calibscope {

// The edges and bins that PyTorch 1.13 and NumPy 1.24 compute, to the last bit. Observed by
// comparing with both on random ranges; all values are float32 but for those marked double.

/// A closed interval of float32.
struct SingleRange
{
    float low = 0.0F;
    float high = 0.0F;
};

/// torch.linspace(0, high, bins + 1) on a CPU with fused multiply-add: from 0 in the lower half and
/// from `high` in the upper one, eight edges from each base.
[[nodiscard]] std::vector<double> torchLinspace(float high, std::size_t bins);

/// The same of any range: torch.linspace(range.low, range.high, bins + 1).
[[nodiscard]] std::vector<double> torchLinspace(const SingleRange& range, std::size_t bins);

/// torch.arange(0, end, width) in the same way; `end` is not included. Requires width > 0.
[[nodiscard]] std::vector<double> torchArange(float end, float width);

/// Bin of torch.histc for a value inside the range, the upper end in the last bin.
[[nodiscard]] std::size_t torchBin(float value, const SingleRange& range, std::size_t bins);

/// numpy.linspace(low, high, bins + 1) as numpy.histogram makes its edges from float32 values:
/// computed in double, then rounded.
[[nodiscard]] std::vector<double> numpyLinspace(double low, double high, std::size_t bins);

/// numpy.arange(start, end, width) of three float32 scalars: the number of values is computed in
/// float32, the values are double. By rounding it may be one more or one less than expected.
/// Requires width > 0.
[[nodiscard]] std::vector<double> numpyArange(float start, float end, float width);

/// The same of three doubles.
[[nodiscard]] std::vector<double> numpyArange(double start, double end, double width);

}  // namespace calibscope
