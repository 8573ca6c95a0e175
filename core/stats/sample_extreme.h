// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// The largest error that a choice's scale makes on a tensor, and what the scale would be without
/// the sample that sets the range.
struct LargestError
{
    std::uint64_t sample = 0;  ///< of the value, along the batch axis; the first one of equals
    std::uint64_t index = 0;   ///< flat index of the value, as SampleExtreme has it
    double value = 0.0;
    double error = 0.0;  ///< distance of the value from what its integer stands for
    double scale = 0.0;
    std::optional<double> scaleWithout = {};  ///< nothing where there are no other samples
    std::string problem = {};  ///< why nothing of this is known, as a sentence; or empty
    bool operator==(const LargestError&) const = default;
};

/// The sample that sets the range of a tensor: the one with the value of largest magnitude, and
/// what the range would be without it.
struct SampleExtreme
{
    std::uint64_t sample = 0;  ///< along the batch axis, from 0; the first one of equals
    std::uint64_t index = 0;   ///< flat index of the value, with the batch axis in front
    double value = 0.0;        ///< a float32's
    /// The largest magnitude over all other samples, at most that of the value; nothing where there
    /// are no others with a finite value.
    std::optional<double> others;
    std::optional<LargestError> error = {};  ///< of the choice that was asked for
    bool operator==(const SampleExtreme&) const = default;
};

/// How many times as wide the range is with the sample as without it, 1 or more; nothing where it is
/// the only one, or where the others are all 0.
[[nodiscard]] std::optional<double> widening(const SampleExtreme& extreme);

/// The range of a tensor that one sample sets.
struct SetRange
{
    std::size_t tensor = 0;
    std::uint64_t sample = 0;  ///< of the calibration set
    double widening = 1.0;
    /// Of the calibration set: the sample with the tensor's largest error, where that is known.
    std::optional<std::uint64_t> errorSample = {};
};

/// A sample with the ranges that it sets alone, the one that it widens most first, and those of the
/// tensors whose largest error it has.
struct RankedSample
{
    std::uint64_t sample = 0;
    std::vector<SetRange> ranges;
    std::vector<SetRange> errors;
    [[nodiscard]] double medianWidening() const;  ///< 1 without ranges
    [[nodiscard]] double largestWidening() const;
};

/// The samples that set most ranges first, then those with most errors, of equals the first one. A range that other samples
/// reach, too, with a widening of 1, is set by none.
[[nodiscard]] std::vector<RankedSample> rankedSamples(std::span<const SetRange> ranges);

}  // namespace calibscope
