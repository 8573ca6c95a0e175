// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/stats/histogram.h"
#include "core/stats/strip.h"
#include "core/tensor/value_source.h"

#include <cstdint>

namespace calibscope {

/// Counts a source's values by channel or batch, in one pass. Of the whole range the columns' sums
/// are the counts of the histogram by the rule "fixed". Throws std::invalid_argument without a
/// column, and for channels of a source without a channel axis.
[[nodiscard]] Strip collectStrip(const ValueSource& source, StripRows rows, Domain domain,
                                 std::uint64_t columns, const Range& range,
                                 const Progress& progress = {});

}  // namespace calibscope
