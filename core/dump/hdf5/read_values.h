#pragma once

#include "core/dump/dataset_facts.h"
#include "core/dump/hdf5/open_file.h"
#include "core/tensor/value_source.h"

namespace calibscope::hdf5 {

/// Visits the values of a dataset block by block, as ValueSource::visit() promises of
/// batchFirst(info). `info` is how the dataset is understood, with its axes as in the file; its
/// batch axis (the first one without any) may be shorter than the dataset's. The library is locked
/// while it reads, not while values are decoded and visited. Throws Error(Input).
void visitValues(const OpenFile& file, const DatasetFacts& facts, const TensorInfo& info,
                 const BlockVisitor& visitor, const Progress& progress);

}  // namespace calibscope::hdf5
