#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::model {

/// Scales that were decided for a tensor, as a model takes them: in float32, with zero points of
/// int8.
struct TensorScales
{
    std::string tensor;    ///< the graph's name
    std::string scope;     ///< graphs around it, as GraphTensor::scope
    std::string dumpName;  ///< what the dump calls it
    bool isWeight = false;
    std::vector<float> scales;           ///< one, or one for each channel along `axis`
    std::vector<double> unrounded = {};  ///< the same before they became float32, where known
    /// As many as scales. Levels from 0 on are shifted to int8's: 128 less.
    std::vector<int> zeroPoints;
    std::optional<int> axis;  ///< of the tensor, along which the scales lie; none: one scale
    int low = -128;           ///< levels within int8, both included
    int high = 127;
    bool roundsHalfEven = true;
    bool hasRealZeroPoint = false;  ///< the scheme's zero point was no integer
    int bits = 8;
    std::string scheme;         ///< "symmetric-full"
    double clippedShare = 0.0;  ///< of its recorded values, 0 to 1
    std::uint64_t samples = 0;  ///< that it was recorded from; 0: not known
};

}  // namespace calibscope::model
