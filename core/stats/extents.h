// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/reading_loss.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// Counts and ends of a set of values. NaN and infinities are counted apart and enter nothing else.
struct Extents
{
    std::uint64_t finite = 0;  ///< finite values
    std::uint64_t zeros = 0;   ///< of these, exact zeros of either sign
    std::uint64_t nan = 0;
    std::uint64_t positiveInf = 0;
    std::uint64_t negativeInf = 0;
    double min = 0.0;  ///< of the finite values; 0 while there are none
    double max = 0.0;
    double absMin = 0.0;      ///< least magnitude of the finite values; 0 while there are none
    double absSecond = 0.0;   ///< the largest magnitude but one: absMax() itself where two finite
                              ///< values have it, 0 where there are fewer than two
    std::uint64_t atMin = 0;  ///< finite values equal to min
    std::uint64_t atMax = 0;  ///< finite values equal to max
    std::uint64_t overflowed = 0;       ///< of the infinities, values that are finite in the file
    std::uint64_t underflowed = 0;      ///< of the zeros, values that are not 0 in the file
    std::uint64_t roundedIntegers = 0;  ///< integers of the file that lost digits

    /// All elements, NaN and infinities included.
    [[nodiscard]] std::uint64_t values() const { return finite + nan + positiveInf + negativeInf; }
    [[nodiscard]] std::uint64_t infinite() const { return positiveInf + negativeInf; }
    /// Largest magnitude of the finite values; 0 without any.
    [[nodiscard]] double absMax() const { return std::max(max, 0.0 - min); }  // 0.0 -: never -0
    /// Whether a single value stands for itself: no other has more than half its magnitude, so that
    /// without it every threshold would be at most half as large. Requires two finite values.
    [[nodiscard]] bool hasLoneMaximum() const
    {
        return finite > 1 && absMax() > 0.0 && 2.0 * absSecond <= absMax();
    }

    void add(float value);
    void add(std::span<const float> values);
    /// Counts what reading did to one of the values, which are added apart from it.
    void add(ReadingLoss loss);
    Extents& operator+=(const Extents& other);
    bool operator==(const Extents&) const = default;
};

/// A sentence with its count for each thing that reading as float32 did to values; none where all
/// are as they are stored, but for the last digits of fractions.
[[nodiscard]] std::vector<std::string> lossNotes(const Extents& extents);

}  // namespace calibscope
