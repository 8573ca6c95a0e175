// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spread/stored_profile.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace calibscope::spread {

/// One tensor's profiles of different files, merged.
struct MergedProfile
{
    StoredProfile stored;
    /// Of which histograms and other statistics nothing is left, since they can't be merged without
    /// the values: "the histogram of 1024 bins of |x|, double".
    std::vector<std::string> leftOut;
};

/// Sums, extents and sketch of the profiles together: equal to those of one profile of all files.
/// Histograms stay where all batches are counted in the same bins, or where they can be made from
/// a sketch that drops nothing; then order statistics need not be kept either. The parts' files
/// are numbered in recorded order already, and differ. Requires at least one profile, and as many
/// channels in all.
[[nodiscard]] MergedProfile mergedProfiles(std::span<const StoredProfile> profiles);

/// The same where profiles may hold other channels of the same samples. `info` is that of the
/// whole, as visited; `places` tells by file where a part lies among those of the whole, and parts
/// tell their channels in it. Requires as many batches of parts that are of the same samples, and
/// that those of a profile which are stay so.
[[nodiscard]] MergedProfile mergedProfiles(std::span<const StoredProfile> profiles,
                                           const TensorInfo& info,
                                           const std::map<std::uint64_t, std::size_t>& places);

/// Whether the profiles are of the same values, as far as their sums, extents and sketches tell.
[[nodiscard]] bool areOfEqualValues(const SummedProfile& one, const SummedProfile& other);

}  // namespace calibscope::spread
