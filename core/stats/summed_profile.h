#pragma once

#include "core/stats/exact_powers.h"
#include "core/stats/profile.h"

namespace calibscope {

/// A first pass's profile with the sums that its moments were made of, so that it can be merged
/// with those of further values.
struct SummedProfile
{
    TensorProfile profile;
    ExactPowers powers;
};

}  // namespace calibscope
