#pragma once

#include "core/base/progress.h"
#include "core/stats/profile.h"
#include "core/tensor/value_source.h"

#include <span>

namespace calibscope {

/// First pass: moments, extents per batch and channel, sketch.
[[nodiscard]] TensorProfile collectProfile(const ValueSource& source,
                                           const Progress& progress = {});

/// Second pass: adds the histograms and order statistics that the profile does not hold yet; reads
/// nothing if it holds all.
void collectMore(TensorProfile& profile, const ValueSource& source,
                 std::span<const HistogramSpec> histograms, std::span<const OrderRequest> orders,
                 const Progress& progress = {});

}  // namespace calibscope
