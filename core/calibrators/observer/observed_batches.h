// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"

#include <functional>
#include <span>
#include <vector>

namespace calibscope {

/// Ends of each batch in recorded order, by a pass over the values where the profile does not know
/// them.
[[nodiscard]] std::vector<Extents> batchExtents(const TensorProfile& profile,
                                                const CalibratorValues& values);

/// What is done with the batches that have a finite value, in recorded order.
struct BatchObserver
{
    std::function<void(const Extents&)> begin;
    std::function<void(std::span<const float>)> add;  ///< some of the batch's values
    std::function<void()> end = [] {};
};

/// Shows all batches to an observer.
void observeBatches(const TensorProfile& profile, const CalibratorValues& values,
                    const BatchObserver& observer);

}  // namespace calibscope
