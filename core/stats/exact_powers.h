// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/exact_sum.h"
#include "core/stats/moments.h"

#include <array>
#include <cstdint>

namespace calibscope {

/// Sums of x, x^2, x^3 and x^4 over leaves: blocks of values whose moments were computed at once.
/// What is rounded is rounded inside a leaf; leaves are added without rounding, so that they may
/// come in any order and in any groups.
class ExactPowers
{
public:
    using Sums = std::array<ExactSum, 4>;

    ExactPowers() = default;
    ExactPowers(std::uint64_t count, const Sums& sums) : m_count(count), m_sums(sums) {}

    /// Adds a leaf. Requires fewer than 2^53 values in it.
    void add(const Moments& leaf);
    ExactPowers& operator+=(const ExactPowers& other);

    [[nodiscard]] std::uint64_t count() const { return m_count; }  ///< finite values
    [[nodiscard]] const Sums& sums() const { return m_sums; }
    /// The moments of all leaves, each the double nearest to what the sums give exactly. `extents`
    /// are those of all values.
    [[nodiscard]] Moments moments(const Extents& extents) const;
    bool operator==(const ExactPowers&) const = default;

private:
    std::uint64_t m_count = 0;
    Sums m_sums;
};

}  // namespace calibscope
