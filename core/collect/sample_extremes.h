// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/stats/sample_extreme.h"
#include "core/tensor/value_source.h"

#include <optional>

namespace calibscope {

/// The extreme of the finite values; nothing without one. One visit, in constant memory.
/// Throws Error(Input) where the values can't be read, Cancelled.
[[nodiscard]] std::optional<SampleExtreme> sampleExtreme(const ValueSource& source,
                                                         const Progress& progress = {});

}  // namespace calibscope
