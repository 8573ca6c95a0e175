// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/calibrators/calibrator.h"
#include "core/spread/joined_tensors.h"
#include "core/spread/stored_profile.h"
#include "core/spread/tensor_sums.h"
#include "core/spread/unit_counts.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace calibscope {

/// The values of sources that follow each other along their first axis, as one. `info` is that of
/// the whole; batches restart with each part.
[[nodiscard]] ValueSource joinedSource(TensorInfo info, std::vector<ValueSource> parts);

/// A part of a joined tensor, or a copy of one.
struct PartValues
{
    ValueSource source;
    std::uint64_t file = 0;  ///< its place in recorded order
    std::string name;        ///< of the file
    std::vector<PartValues> copies = {};
};

/// Throws Error(Input) where two files that should hold the same values of a tensor do not.
void requireEqual(const spread::JoinedTensor& tensor, const SummedProfile& one,
                  const SummedProfile& other, const std::string& oneFile,
                  const std::string& otherFile);

/// How the part of that number lies in the tensor; `info` is its source's.
[[nodiscard]] spread::SummedPart summedPartOf(const spread::JoinedTensor& tensor, std::size_t part,
                                              TensorInfo info);

/// The second pass over a part, whose batches begin with that number in the whole.
void countPart(spread::UnitCounts& counts, const ValueSource& part, std::uint64_t firstBatch,
               const Progress& progress);

/// The profile of a joined tensor whose parts are these, in their order: equal to that of all
/// values in one file, but that batches restart with each part. `needs` says what it is to hold
/// beside the first pass's sums; values are no part of that. Throws Error(Input) where a part can't
/// be read, or where a copy is not equal.
[[nodiscard]] spread::StoredProfile
collectJoined(const spread::JoinedTensor& tensor, std::vector<PartValues> parts,
              const std::function<CalibratorNeeds(const Extents&)>& needs,
              std::uint64_t memoryBytes, const Progress& progress);

}  // namespace calibscope
