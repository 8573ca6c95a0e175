// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/dump/hdf5/open_file.h"
#include "core/dump/hdf5/read_values.h"
#include "core/tensor/value_boxes.h"
#include "core/tensor/value_source.h"

#include <memory>
#include <span>
#include <vector>

namespace calibscope {

/// Visits the values of several datasets that follow each other along axis 0 of one tensor, as
/// ValueSource::visit() promises: indices, batches and progress are those of the whole. `info` is
/// how the whole is understood, perhaps cut along axis 0. Of the samples in the range alone, which
/// is as hdf5::visitValues() has it. Throws Error(Input) that names the
/// dataset that can't be read, and Error(Usage) for a batch axis other than 0.
void visitParts(const hdf5::OpenFile& file,
                std::span<const std::shared_ptr<const DatasetFacts>> parts, const TensorInfo& info,
                const SampleRange& range, const BlockVisitor& visitor, const Progress& progress);

/// As hdf5::samplesPerCut(): where each part begins, if all but the last are equally long.
[[nodiscard]] std::uint64_t
samplesPerCut(std::span<const std::shared_ptr<const DatasetFacts>> parts, const TensorInfo& info);

/// Boxes of such a tensor, as ValueBoxes tells. Keeps file and facts alive.
[[nodiscard]] ValueBoxes boxesOfParts(std::shared_ptr<const hdf5::OpenFile> file,
                                      std::vector<std::shared_ptr<const DatasetFacts>> parts,
                                      TensorInfo info, hdf5::Digests digests);

}  // namespace calibscope
