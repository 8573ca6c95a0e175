// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <optional>

namespace calibscope {

/// The sample that sets the range of a tensor: the one with the value of largest magnitude, and
/// what the range would be without it.
struct SampleExtreme
{
    std::uint64_t sample = 0;  ///< along the batch axis, from 0; the first one of equals
    std::uint64_t index = 0;   ///< flat index of the value, with the batch axis in front
    float value = 0.0F;
    /// The largest magnitude over all other samples, at most that of the value; nothing where there
    /// are no others with a finite value.
    std::optional<float> others;
};

/// The extreme of the finite values; nothing without one. One visit, in constant memory.
/// Throws Error(Input) where the values can't be read, Cancelled.
[[nodiscard]] std::optional<SampleExtreme> sampleExtreme(const ValueSource& source,
                                                         const Progress& progress = {});

}  // namespace calibscope
