// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/dataset_facts.h"
#include "core/tensor/position_mask.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <memory>
#include <string>

namespace calibscope {

/// A calibration dump in the making (resources/docs/dump-format.md, "The layout calibration-dump").
/// It appears under its name when it is finished; whatever fails before, there is the former file
/// or none. Of the same tensors the same bytes are made. Memory: a block at a time. Failures of
/// writing throw Error(Output) with the path and the reason.
///
/// Values are stored as they are read: floats as float32, with the digest `values_sha256`; integers
/// of 8 and 16 bits as these, those of 32 and 64 bits in their type.
class DumpWriter
{
public:
    /// `root`: attributes in addition to `format` and `format_version`.
    DumpWriter(const std::string& path, const Attributes& root);
    DumpWriter(const DumpWriter&) = delete;
    DumpWriter& operator=(const DumpWriter&) = delete;
    ~DumpWriter();

    /// Stores a tensor as its source understands it: an activation in /activations, a weight or
    /// bias in /weights, all else in the root, in the order of the calls. `more`: attributes that a
    /// TensorInfo does not hold. Returns how many values are stored otherwise than they were, as
    /// float32 does not hold them. Throws Error(Input) where its values can't be read, or its name
    /// is taken or none that HDF5 takes; then the others can still be stored. `mask`: what counts of
    /// it, with axes as the source's; its source visits all values.
    std::uint64_t add(const ValueSource& source, const Attributes& more, const Progress& progress,
                      const PositionMask& mask = {});
    /// Likewise of what the model was fed; its name is "batch/input".
    std::uint64_t addFeed(const ValueSource& source, const Progress& progress);

    /// The file appears under its name.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope
