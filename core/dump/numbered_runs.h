// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Datasets that are all there is in their group but for single values and what can't be read, are
/// numbered without a gap from 0 or 1 ("0", "000", "batch_0", "b12", "step_3"), and have one
/// element type and one shape; the last may be shorter along axis 0.
struct NumberedRun
{
    std::string path;                   ///< "/activations/conv1" for ".../conv1/0" or ".../conv1.0"
    std::vector<std::size_t> datasets;  ///< in the order of their numbers: 0, 1, 2, ..., 10
    std::uint64_t length = 0;           ///< of all but the last along axis 0
    std::string apart;  ///< why they are rather tensors of their own, as a sentence; or empty
};

/// The number of a batch that a name is: 12 of "12", "batch_012", "b12", "step_12". Nothing for
/// other names.
[[nodiscard]] std::optional<std::uint64_t> batchNumber(std::string_view name);

/// All runs of two or more, in the order of their first dataset. Takes n log n of the datasets.
[[nodiscard]] std::vector<NumberedRun> numberedRuns(std::span<const DatasetFacts> datasets);

}  // namespace calibscope
