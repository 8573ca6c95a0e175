// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/recipes/sample_study.h"
#include "core/tensor/tensor_ref.h"

#include <cstdint>
#include <vector>

/// Requests about the samples of a recording: whether there are enough of them,
/// and whether others, or the same in another order, would have given another scale.
namespace calibscope::protocol {

struct StudyRequest
{
    TensorRef tensor;
    std::vector<Choice> choices;
    bool withBands = true;    ///< at each point of the curve, not at its end alone
    std::uint64_t parts = 5;  ///< that are held out by turns; 0: none
    std::uint64_t seed = 1;
};

struct Studied
{
    std::vector<SampleStudy> studies;  ///< in the order of the choices
};

}  // namespace calibscope::protocol
