#pragma once

#include "core/tensor/sample_range.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <optional>

namespace calibscope {

class DumpFile;

/// What several processes that share a dump's values ask of it.

/// DumpFile::source() of some samples alone, with the blocks, batches and indices that they have in
/// the whole, of which info tells. The range begins and ends at multiples of samplesPerCut(), or is
/// all.
[[nodiscard]] ValueSource sourceOfSamples(const DumpFile& dump, const TensorInfo& understood,
                                          std::uint64_t firstBatches, const SampleRange& range);

/// Samples between places where a range may begin and end; 0: it must be all.
[[nodiscard]] std::uint64_t samplesPerCut(const DumpFile& dump, const TensorInfo& understood);

/// Index in the whole tensor of the first channel that the file holds of it, as ranks of a
/// tensor-parallel recording tell: by the attribute first_channel. Nothing where there is none.
/// Throws Error(Input) for one that is no whole number from 0 on, or that a tensor of several
/// datasets has otherwise in one of them.
[[nodiscard]] std::optional<std::uint64_t> firstChannelOf(const DumpFile& dump,
                                                          const TensorInfo& tensor);

/// How many channels the tensor has in all files together, by the attribute `channels` of a dataset
/// that holds some of them; otherwise as firstChannelOf().
[[nodiscard]] std::optional<std::uint64_t> allChannelsOf(const DumpFile& dump,
                                                         const TensorInfo& tensor);

/// Whether the file holds some channels alone of any tensor.
[[nodiscard]] bool holdsShards(const DumpFile& dump);

/// Index in the whole recording of the file's first sample, by the attribute first_sample of its
/// tensors, else of its root; nothing where there is none. Throws Error(Input) for one that is no
/// whole number from 0 on, or that contradicts another.
[[nodiscard]] std::optional<std::uint64_t> firstSampleOf(const DumpFile& dump);

}  // namespace calibscope
