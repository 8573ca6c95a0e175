#pragma once

#include "core/base/progress.h"
#include "core/stats/value_source.h"

#include <cstdint>

namespace calibscope {

/// A source of the same blocks whose values are kept in memory: one pass over `source` now, none
/// later; `source` itself if it is in memory already. Requires memory for info.valueCount() floats.
[[nodiscard]] ValueSource heldInMemory(const ValueSource& source, const Progress& progress = {});

}  // namespace calibscope
