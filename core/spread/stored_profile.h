#pragma once

#include "core/stats/first_not_finite.h"
#include "core/stats/summed_profile.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Profiles of tensors that lie in several files: how files are joined, how profiles are merged and
/// kept as bytes. Knows neither HDF5 nor values.
namespace calibscope::spread {

/// A file's share of a tensor. Batches and indices of each part count from its own beginning, so
/// that parts can be put into another order where profiles meet.
struct StoredPart
{
    std::uint64_t file = 0;  ///< index among the profile's files
    std::uint64_t batches = 0;
    std::uint64_t values = 0;  ///< all of them, NaN and infinities included
    FirstNotFinite first;

    bool operator==(const StoredPart&) const = default;
};

/// A tensor's profile with all that merging it takes.
struct StoredProfile
{
    SummedProfile whole;
    std::vector<StoredPart> parts;  ///< in recorded order, as the batches
};

/// Adds the next part's batches, sums and sketch; of its info nothing is taken. Requires as many
/// channels. The moments are made by finishMoments().
void append(StoredProfile& stored, const SummedProfile& part, std::uint64_t file);
/// Takes a part's first indices, before which so many values come, where none were met yet.
void addFirst(FirstNotFinite& whole, const FirstNotFinite& part, std::uint64_t before);
/// Makes the moments from the sums and the extents of all batches.
void finishMoments(SummedProfile& summed);

/// The profile as bytes: equal profiles are equal bytes. Histograms' edges are left out, they
/// follow from the batches' extents.
[[nodiscard]] std::string bytesOf(const StoredProfile& stored);
/// The profile again. Throws Error(Input), a sentence that begins with `where`, for bytes that are
/// damaged or contradict themselves.
[[nodiscard]] StoredProfile storedProfileFrom(std::string_view bytes, const std::string& where);

}  // namespace calibscope::spread
