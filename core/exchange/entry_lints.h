// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/exchange/scale_file.h"
#include "core/stats/profile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace calibscope::exchange {

// Reasons to doubt an entry are findings whose text follows the entry's name. Their ids:
//
//     name-unknown     no tensor has the entry's name
//     tensor-missing   no entry of the file is for this tensor
//     other-header     the file is of another version or algorithm than asked for
//     unusable         the scale is zero, negative, NaN or infinite, or there is no value
//     channel-count    there are more or fewer scales than channels
//     clips            the range is smaller than the data
//     too-wide         the range is more than twice the data's
//     one-sided        the range has one sign, the data have both
//     negative-side    the threshold was taken from the high end alone
//     exchanged-ends   the ends change places, or signs
//     scale-for-range  the range is off by the factor 127
//     channels-apart   there is one scale, though a channel is far below the widest
//
// The oddities that a reader reported have none.

constexpr double clippedWarning = 1e-3;  ///< share of values; above it a warning,
constexpr double clippedError = 0.1;     ///< above it an error
constexpr double wideFactor = 2.0;
constexpr double apartFactor = 64.0;

/// How an entry and the data that it is for go together.
struct EntryFit
{
    std::optional<double> clippedShare;  ///< of the finite values; nothing without any
    /// The wider end of the range over the largest magnitude of the data, less 1; per channel of
    /// the channel where it is farthest from 0. Nothing where one of both is 0 or no number.
    std::optional<double> deviation;
};

/// Of an entry with one value, or with one for each of the profile's channels: the latter's
/// clippedShare is `channelsClipped`, which whoever visits the values has counted: those of isClipped().
[[nodiscard]] EntryFit fitOf(const ScaleEntry& entry, const TensorProfile& profile,
                             std::optional<std::uint64_t> channelsClipped = {});

/// Outside of the range by more than one part in a million of its wider end (a scale as float32 moves
/// the range by less); of a scale with a zero point by half a step more, since a number there is
/// rounded to the end level like any other. NaN is not clipped.
[[nodiscard]] bool isClipped(double number, const EntryValue& value);

/// Findings without data: of the numbers and of what the reader found odd.
[[nodiscard]] Findings lintsOf(const ScaleEntry& entry);
/// Findings from data: range and channels. Nothing about an entry whose scale is of no use.
[[nodiscard]] Findings lintsOf(const ScaleEntry& entry, const TensorProfile& profile,
                               const EntryFit& fit);
/// Whether each value of no use is a 0 for a channel whose values are all 0: ncnn writes them so.
[[nodiscard]] bool areZeroChannels(const ScaleEntry& entry, const TensorProfile& profile);
/// Of the file's head: oddities, and facts that differ from what is asked for.
[[nodiscard]] Findings headLints(const ScaleFile& file,
                                 const std::map<std::string, std::string>& asked = {});

}  // namespace calibscope::exchange
