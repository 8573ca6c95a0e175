// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/entropy/level_kernel.h"
#include "core/stats/compensated_sum.h"
#include "core/stats/sorted_values.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Sums over finite values x and their levels z = clip(round(x / s)) for one scale s. Those of x z
/// and z^2 are exact but for one rounding, so that neither the way nor the order of the values
/// changes them.
struct ScaleSums
{
    double xz = 0.0;     ///< sum of x z
    double zz = 0.0;     ///< sum of z^2
    double error = 0.0;  ///< 1/2 sum of (s z - x)^2
};

/// The sums of values that are looked at one by one.
class DirectSums
{
public:
    DirectSums(double scale, const LevelRule& rule) : m_scale(scale), m_rule(rule) {}

    /// NaN and infinities are left out.
    void add(std::span<const float> values);
    [[nodiscard]] ScaleSums sums() const;

private:
    static constexpr std::size_t lanes = 4;  // so that no addition waits for the one before
    static constexpr std::size_t stretchValues = 512;
    using Stretch = std::array<double, stretchValues>;

    template <typename Round>
    void addStretch(const Stretch& values, std::size_t count, const Round& round);

    double m_scale;
    LevelRule m_rule;
    std::array<CompensatedSum, lanes> m_xz;
    std::uint64_t m_zz = 0;
    CompensatedSum m_squares;
};

/// The sums of sorted values in O(levels log N), from the places where a level ends.
class SortedSums
{
public:
    SortedSums(SortedValues values, const LevelRule& rule);

    /// Remembers the places: the next scale is found the faster the nearer it is.
    [[nodiscard]] ScaleSums at(double scale);

private:
    void findPlaces(double scale);

    SortedValues m_values;
    LevelRule m_rule;
    std::vector<std::size_t> m_below;  ///< how many values lie below each level but the lowest
};

}  // namespace calibscope
