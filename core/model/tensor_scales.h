// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/tensor_quantization.h"

#include <cstdint>
#include <string>
#include <vector>

namespace calibscope::model {

/// Scales that were decided for a tensor, as a model takes them: in float32, with signed levels
/// and zero points.
struct TensorScales
{
    std::string tensor = {};    ///< the graph's name
    std::string scope = {};     ///< graphs around it, as GraphTensor::scope
    std::string dumpName = {};  ///< what the dump calls it
    bool isWeight = false;
    TensorQuantization quantization = {};
    std::vector<double> unrounded = {};  ///< its scales before they became float32, where known
    bool roundsHalfEven = true;
    std::string scheme = {};    ///< "symmetric-full"
    double clippedShare = 0.0;  ///< of its recorded values, 0 to 1
    std::uint64_t samples = 0;  ///< that it was recorded from; 0: not known
};

}  // namespace calibscope::model
