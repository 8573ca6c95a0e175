// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/constant_ends.h"
#include "core/stats/extents.h"
#include "core/stats/first_not_finite.h"
#include "core/stats/histogram.h"
#include "core/stats/magnitude_sketch.h"
#include "core/stats/moments.h"
#include "core/stats/zero_blocks.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// A request for the rank-th smallest (0-based) of the finite values: of |x|, or of x.
struct OrderRequest
{
    Domain domain = Domain::Magnitude;
    std::uint64_t rank = 0;

    bool operator==(const OrderRequest&) const = default;
};

/// An exact order statistic.
struct OrderStatistic
{
    OrderRequest request;
    double value = 0.0;
};

/// Summary of a tensor, without its values.
struct TensorProfile
{
    TensorInfo info;
    Moments moments;
    FirstNotFinite firstNotFinite;
    ZeroBlocks zeroBlocks;  ///< only where values lie in the file as they are
    ConstantEnds constantEnds;
    std::vector<Extents> batches;   ///< in recorded order
    std::vector<Extents> channels;  ///< empty without a channel axis
    MagnitudeSketch sketch;
    std::vector<Histogram> histograms;
    std::vector<OrderStatistic> orders;

    [[nodiscard]] const Extents& extents() const { return moments.extents; }
    /// The histogram of that spec; nullptr if it was not collected.
    [[nodiscard]] const Histogram* histogram(const HistogramSpec& spec) const;
    /// The exact order statistic; nothing if it was not collected.
    [[nodiscard]] std::optional<double> order(const OrderRequest& request) const;
};

}  // namespace calibscope
