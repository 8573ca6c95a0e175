// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/stats/sample_extreme.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <optional>

namespace calibscope {

/// Index in the calibration set of a sample along the tensor's batch axis: what the tensor says of it,
/// else counted from the first sample of its file.
[[nodiscard]] std::uint64_t recordedSample(const TensorInfo& tensor, std::uint64_t firstSample,
                                           std::uint64_t sample);

/// The extreme of the finite values; nothing without one. One visit, in constant memory.
/// Throws Error(Input) where the values can't be read, Cancelled.
[[nodiscard]] std::optional<SampleExtreme> sampleExtreme(const ValueSource& source,
                                                         const Progress& progress = {});

}  // namespace calibscope
