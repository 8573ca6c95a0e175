// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/compensated_sum.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Sums over a stretch of sorted values.
struct StretchSums
{
    CompensatedSum values;
    CompensatedSum squares;
};

/// Finite values in ascending order, with sums up to any place: what an iteration asks for again
/// and again costs the number of stretches, not of values. Sums are those of the exact values, the
/// same whatever the order in which the values came.
class SortedValues
{
public:
    /// Bytes that sorting so many values takes: 5 for each, 9 with a second copy, which is some
    /// ten times faster.
    [[nodiscard]] static std::uint64_t bytesFor(std::uint64_t values, bool withCopy);

    /// Sorts the values, all of them finite; with a second copy while that is done, or in place.
    explicit SortedValues(std::vector<float> values, bool withCopy = true);

    [[nodiscard]] std::size_t size() const { return m_values.size(); }
    [[nodiscard]] std::span<const float> values() const { return m_values; }
    /// Sums of the first `count` values.
    [[nodiscard]] StretchSums before(std::size_t count) const;

private:
    std::vector<float> m_values;
    std::vector<StretchSums> m_beforeBlock;  ///< of each block of values: the sums before it
};

/// Sorts finite floats; -0 comes before 0. With a second copy of the values by their bits.
void sortFloats(std::vector<float>& values, bool withCopy);

}  // namespace calibscope
