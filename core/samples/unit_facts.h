// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/recipes/sample_study.h"
#include "core/stats/profile.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope::samples {

/// The units of a tensor.
struct UnitFacts
{
    SampleUnit unit = SampleUnit::Batch;
    std::vector<Extents> extents;        ///< of each
    std::vector<std::uint32_t> batchOf;  ///< the recorded batch of each, ascending

    [[nodiscard]] std::size_t count() const { return extents.size(); }
};

/// How many units can be studied with that much memory: an eighth of it holds what is kept of each.
[[nodiscard]] std::uint64_t mostUnits(std::uint64_t memoryBytes);

/// What is drawn where nobody says: see StudyOptions::unit. Batches, too, where there are more
/// samples than `mostSamples`.
[[nodiscard]] SampleUnit defaultUnit(const TensorInfo& info, std::uint64_t mostSamples);

/// The batches from the profile; of samples by one pass over the source.
[[nodiscard]] UnitFacts unitFacts(const ValueSource& source, const TensorProfile& profile,
                                  SampleUnit unit, const Progress& progress);

}  // namespace calibscope::samples
