// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/tensor/value_source.h"

#include <cstdint>

namespace calibscope {

/// A source of the same blocks whose values are kept in memory: one pass over `source` now, none
/// later; `source` itself if it is in memory already. Requires memory for info.valueCount() floats.
[[nodiscard]] ValueSource heldInMemory(const ValueSource& source, const Progress& progress = {});

/// The source held in memory where that takes at most a third of `memoryBytes`, so that there is
/// room for a calibrator's own arrangement of the values beside it; else the source as it is.
[[nodiscard]] ValueSource heldIfSmall(const ValueSource& source, std::uint64_t memoryBytes,
                                      const Progress& progress = {});

}  // namespace calibscope
