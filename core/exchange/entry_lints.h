#pragma once

#include "core/exchange/scale_file.h"
#include "core/stats/profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::exchange {

enum class LintLevel { Note, Warning, Error };
/// "note", "warning", "error".
[[nodiscard]] std::string_view lintLevelText(LintLevel level);

enum class LintKind {
    NameUnknown,    ///< of an entry that no tensor has
    TensorMissing,  ///< a tensor that the file lacks
    HeaderOther,    ///< of another version or algorithm than asked for
    Odd,            ///< strange where it stands
    Unusable,       ///< zero, negative, NaN, infinite scale; no value
    ChannelCount,   ///< differs from the tensor's channels
    Clips,          ///< the range is smaller than the data
    TooWide,        ///< the range is more than twice the data's
    OneSided,       ///< the data have both signs
    NegativeSide,   ///< a threshold that was taken from the high end alone
    Exchanged,      ///< the ends change places, or signs
    ScaleForRange,  ///< factor 127 off
    ChannelsApart,  ///< one scale, though a channel is far below the widest
};

/// What gives reason to doubt an entry.
struct ScaleLint
{
    LintKind kind = LintKind::Odd;
    LintLevel level = LintLevel::Note;
    std::string text;  ///< a sentence's end: what follows the entry's name
};

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
/// clippedShare is `channelsClipped`, which whoever visits the values has counted. Values are
/// clipped that lie outside of the range by more than one part in a million (a scale as float32
/// moves the range by less).
[[nodiscard]] EntryFit fitOf(const ScaleEntry& entry, const TensorProfile& profile,
                             std::optional<std::uint64_t> channelsClipped = {});

/// Whether a value is clipped, with that tolerance.
[[nodiscard]] bool isClipped(double value, const Range& range);

/// What can be said without data: of the numbers and of what the reader found odd.
[[nodiscard]] std::vector<ScaleLint> lintsOf(const ScaleEntry& entry);
/// What data tell: of range and channels. Nothing about an entry whose scale is of no use.
[[nodiscard]] std::vector<ScaleLint> lintsOf(const ScaleEntry& entry, const TensorProfile& profile,
                                             const EntryFit& fit);
/// Whether each value of no use is a 0 for a channel whose values are all 0: ncnn writes them so.
[[nodiscard]] bool areZeroChannels(const ScaleEntry& entry, const TensorProfile& profile);
/// Of the file's head: oddities, and facts that differ from what is asked for.
[[nodiscard]] std::vector<ScaleLint>
headLints(const ScaleFile& file, const std::map<std::string, std::string>& asked = {});

/// The highest level; nothing for none.
[[nodiscard]] std::optional<LintLevel> worstLevel(const std::vector<ScaleLint>& lints);

}  // namespace calibscope::exchange
