// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/stats/sample_extreme.h"
#include "core/stats/slice.h"
#include "core/tensor/tensor_ref.h"

#include <cstdint>
#include <optional>

namespace calibscope::protocol {

/// A part of a tensor as cells: the answer is a Slice. All of the tensor is looked at, whatever
/// part its reference names.
struct SliceRequest
{
    TensorRef tensor;
    SliceQuestion question;
    bool isFirstLook = false;  ///< digests of the values are not compared for it
};

/// Where values lie: the answer is FoundValues, with indices into the whole tensor.
struct LocateRequest
{
    TensorRef tensor;                    ///< of its part alone
    std::optional<MarkedValues> marked;  ///< the first ones; nothing: those of largest magnitude
    std::uint64_t most = 10;             ///< up to mostPlaces of core/collect
};

/// The sample that sets the range of a tensor: the answer is a SampleExtreme, with the index in the
/// file's order and the sample's in the calibration set. All of the tensor is looked at, whatever part its reference names.
struct ExtremeRequest
{
    TensorRef tensor;
    std::optional<Choice> choice = {};  ///< whose largest error is asked for, too
};

}  // namespace calibscope::protocol
