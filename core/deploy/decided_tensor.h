#pragma once

#include "core/recipes/outcome.h"
#include "core/tensor/tensor_info.h"

#include <string>

namespace calibscope::deploy {

/// A tensor of a dump with the candidate that was accepted for it, computed: what leaves Calibscope
/// for other programs.
struct DecidedTensor
{
    std::string file;
    TensorInfo info;
    Outcome outcome;  ///< without a problem; its quantizers are those of the scheme, in double
    std::string graphName;  ///< what the model calls it; empty: not known
};

}  // namespace calibscope::deploy
