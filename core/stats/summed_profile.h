// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/exact_powers.h"
#include "core/stats/profile.h"
#include "core/stats/zero_ends.h"

#include <vector>

namespace calibscope {

/// A first pass's profile with the sums that its moments were made of, so that it can be merged
/// with those of further values.
struct SummedProfile
{
    TensorProfile profile;
    ExactPowers powers;
};

/// The same of some samples of a tensor, to be put together with the others': the profile's batches
/// and channels are those of the whole tensor, empty where these samples have no values.
struct UnitSums
{
    SummedProfile summed;
    std::vector<ZeroRun> zeroEnds;  ///< that its zeroBlocks do not count yet
};

}  // namespace calibscope
