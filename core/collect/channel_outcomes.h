// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/analyse.h"

#include <span>

namespace calibscope {

/// Fills outcomes whose choices have a scale per channel of `source` (per row: the source is told
/// the other axis as its channel axis). Values are gathered channel by channel only where a
/// calibrator or the metrics need them.
void fillChannelOutcomes(std::span<Outcome* const> outcomes, const ValueSource& source,
                         const TensorProfile& profile, const AnalyseOptions& options,
                         const Progress& progress);

}  // namespace calibscope
