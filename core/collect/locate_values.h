// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/stats/slice.h"
#include "core/tensor/tensor_part.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace calibscope {

/// Most places that are reported at once.
inline constexpr std::size_t mostPlaces = 4096;

/// The flat index in the file's order of the value at a flat index of the source.
using IndexInFile = std::function<std::uint64_t(std::uint64_t)>;

/// The finite values of the largest magnitude, from the largest on, of equal ones those that are
/// visited first. `channel`: of that channel alone, which the source's tensor then has. Reads all
/// values. Requires most up to mostPlaces.
[[nodiscard]] FoundValues largestPlaces(const ValueSource& source, std::size_t most,
                                        std::optional<std::uint64_t> channel,
                                        const IndexInFile& indexInFile,
                                        const Progress& progress = {});

/// The first values that are marked, in the order of the visit; reads no more than up to the block
/// of the last of them.
[[nodiscard]] FoundValues markedPlaces(const ValueSource& source, const MarkedValues& marked,
                                       std::size_t most, std::optional<std::uint64_t> channel,
                                       const IndexInFile& indexInFile,
                                       const Progress& progress = {});

}  // namespace calibscope
