// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// The rank-th smallest (0-based) of a batch's finite values: of |x|, or of x.
struct BatchOrder
{
    std::size_t batch = 0;
    OrderRequest request;
};

/// The values of order statistics of single batches, exactly and never -0, in four passes over the
/// values: each finds eight more bits of every one. Requires ranks below the batch's count of
/// finite values.
[[nodiscard]] std::vector<double> batchOrders(std::span<const BatchOrder> orders,
                                              const CalibratorValues& values);

}  // namespace calibscope
