// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/recipes/outcome.h"
#include "core/stats/sample_extreme.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <optional>

namespace calibscope::samples {

/// The extreme of the finite values, and the largest error of the choice; nothing without a finite
/// value. The scales are those of analyse() on all samples and on all but that of the extreme, in
/// their recorded batches. Visits the values three times, and as often as calibrateArrangements()
/// does for two; once where they fit a third of `memoryBytes`. Throws Error(Input) where the values
/// can't be read, Cancelled.
[[nodiscard]] std::optional<SampleExtreme> sampleExtremeUnder(const ValueSource& source,
                                                              const Choice& choice,
                                                              std::uint64_t memoryBytes,
                                                              const Progress& progress = {});

}  // namespace calibscope::samples
