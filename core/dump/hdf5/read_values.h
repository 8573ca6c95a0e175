// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/dump/hdf5/open_file.h"
#include "core/tensor/sample_range.h"
#include "core/tensor/value_boxes.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <memory>

namespace calibscope::hdf5 {

/// A visit may begin and end at each multiple of so many samples, with the same blocks as one of
/// all of them; 0: it must be of all, since there are no samples, or the values must be compared
/// with what was recorded of all.
[[nodiscard]] std::uint64_t samplesPerCut(const DatasetFacts& facts, const TensorInfo& info);

/// Visits the values of a dataset block by block, as ValueSource::visit() promises of
/// batchFirst(info). `info` is how the dataset is understood, with its axes as in the file; its
/// batch axis (the first one without any) may be shorter than the dataset's. Of the samples in the
/// range alone, which begins and ends where samplesPerCut() allows. The library is locked
/// while it reads, not while values are decoded and visited. Throws Error(Input).
void visitValues(const OpenFile& file, const DatasetFacts& facts, const TensorInfo& info,
                 const SampleRange& range, const BlockVisitor& visitor, const Progress& progress);

/// What a recorder wrote of a dataset's values is compared with them before any of them is used, or
/// only where it was compared before: for a first look at what takes long to be read.
enum class Digests { Required, AsFarAsKnown };

/// Boxes of a dataset's values, as ValueBoxes tells; `info` is how the dataset is understood. The
/// file is opened for reading with the first box. Keeps both facts alive.
[[nodiscard]] ValueBoxes valueBoxes(std::shared_ptr<const OpenFile> file,
                                    std::shared_ptr<const DatasetFacts> facts, TensorInfo info,
                                    Digests digests);

}  // namespace calibscope::hdf5
