// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "core/stats/magnitude_sketch.h"
#include "core/stats/profile.h"

namespace calibscope {

// A sketch keeps 10 bits of mantissa: of float16, bfloat16 and 8-bit floats all there are. It is
// then the values themselves, but for their order.

/// Whether no value lost a bit.
[[nodiscard]] bool isLossless(const MagnitudeSketch& sketch);

/// The order statistic. Requires a lossless sketch and a rank below its count.
[[nodiscard]] double orderIn(const MagnitudeSketch& sketch, const OrderRequest& request);

/// Counts all values, as Histogram::add() would. Requires a lossless sketch.
void addAll(Histogram& histogram, const MagnitudeSketch& sketch);

}  // namespace calibscope
