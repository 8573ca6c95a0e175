// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/tensor/sample_range.h"
#include "core/tensor/value_boxes.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace calibscope {

/// How the parts of a tensor are read, each by its position among them as a tensor of its own without
/// batches.
struct PartReader
{
    std::function<void(std::size_t part, const TensorInfo& piece, const SampleRange& range,
                       const BlockVisitor& visitor, const Progress& progress)>
        visit = {};
    std::function<ValueBoxes(std::size_t part, TensorInfo piece)> boxes = {};
    std::size_t mostOpen = 64;  ///< boxes that stay open
};

/// Visits the values of several datasets that follow each other along axis 0 of one tensor, as
/// ValueSource::visit() promises: indices, batches and progress are those of the whole. `info` is
/// how the whole is understood, perhaps cut along axis 0. Of the samples in the range alone, which
/// is as hdf5::visitValues() has it. Throws Error(Usage) for a batch axis other than 0.
void visitParts(const PartReader& reader,
                std::span<const std::shared_ptr<const DatasetFacts>> parts, const TensorInfo& info,
                const SampleRange& range, const BlockVisitor& visitor, const Progress& progress);

/// As hdf5::samplesPerCut(): where each part begins, if all but the last are equally long.
[[nodiscard]] std::uint64_t
samplesPerCut(std::span<const std::shared_ptr<const DatasetFacts>> parts, const TensorInfo& info);

/// Boxes of such a tensor, as ValueBoxes tells. Keeps reader and facts alive.
[[nodiscard]] ValueBoxes boxesOfParts(PartReader reader,
                                      std::vector<std::shared_ptr<const DatasetFacts>> parts,
                                      TensorInfo info);

}  // namespace calibscope
