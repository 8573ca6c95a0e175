// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/first_not_finite.h"
#include "core/stats/summed_profile.h"

#include <cstddef>
#include <cstdint>
#include <span>
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
    /// Of a part that holds some of the profile's channels alone: the first one and how many. Those
    /// of the same samples follow each other by channel, and their batches are the same ones. 0: it
    /// holds all.
    std::uint64_t firstChannel = 0;
    std::uint64_t channels = 0;

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
/// Whether the part holds further channels of the samples of the one in front of it.
[[nodiscard]] bool isOfSameSamples(const StoredPart& part, const StoredPart& before);
/// Adds the batches of the last of the parts: further ones, or those of the part in front of it if
/// they are of the same samples. Requires as many then.
void addBatchesOfPart(std::vector<Extents>& batches, std::span<const StoredPart> parts,
                      std::span<const Extents> own);
/// The number in the whole of the part's first batch.
[[nodiscard]] std::uint64_t firstBatchOf(std::span<const StoredPart> parts, std::size_t part);
/// Where the first values of all parts lie that are not finite. `info`: of the whole, as visited.
[[nodiscard]] FirstNotFinite firstNotFiniteOf(const TensorInfo& info,
                                              std::span<const StoredPart> parts);
/// Makes the moments from the sums and the extents of all batches.
void finishMoments(SummedProfile& summed);

/// The profile as bytes: equal profiles are equal bytes. Histograms' edges are left out, they
/// follow from the batches' extents.
[[nodiscard]] std::string bytesOf(const StoredProfile& stored);
/// The profile again. Throws Error(Input), a sentence that begins with `where`, for bytes that are
/// damaged or contradict themselves.
[[nodiscard]] StoredProfile storedProfileFrom(std::string_view bytes, const std::string& where);

}  // namespace calibscope::spread
