// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "core/stats/profile.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Which end of the values in order is looked at.
enum class ValueEnd {
    Magnitudes,  ///< the largest |x|
    Top,         ///< the largest x
    Bottom,      ///< the least x
};

/// The values at one end, exactly, in one pass: a bound rises behind which `most` values are known
/// to lie, and what is not beyond it costs a comparison. The same whatever the order in which the
/// values come, and merges. At most 4 `most` + 2^13 floats are held.
class LargestValues
{
public:
    /// The most that may be asked for: as many are held in some 290 KB.
    static constexpr std::size_t mostOfAll = std::size_t{1} << 14;

    /// Requires most from 1 to mostOfAll.
    LargestValues(ValueEnd end, std::size_t most);

    void add(std::span<const float> values);  ///< NaN and infinities are left out
    /// Adds what the other one has seen. Requires equal ends and `most`.
    LargestValues& operator+=(const LargestValues& other);

    [[nodiscard]] ValueEnd end() const { return m_end; }
    /// Finite values seen.
    [[nodiscard]] std::uint64_t finite() const { return m_finite; }
    /// Values from the end on, each a magnitude or x itself, never -0: the first min(most,
    /// finite()) of them.
    [[nodiscard]] std::vector<double> values() const;

private:
    void shrink();
    [[nodiscard]] std::size_t room() const;
    [[nodiscard]] std::span<const float> keys() const { return std::span(m_keys).first(m_held); }

    ValueEnd m_end;
    std::size_t m_most;
    float m_bound;              ///< `most` values lie at it or beyond
    std::vector<float> m_keys;  ///< room for more than are held; larger ones lie nearer to the end
    std::size_t m_held = 0;
    std::uint64_t m_finite = 0;
};

/// An order statistic's place, counted from an end.
struct PlaceFromEnd
{
    ValueEnd end = ValueEnd::Magnitudes;
    std::size_t place = 0;  ///< 0: the last value at that end
};

/// Where a requested value lies, if it is among the LargestValues::mostOfAll ones at an end.
/// Requires a rank below the number of finite values.
[[nodiscard]] std::optional<PlaceFromEnd> placeFromEnd(const OrderRequest& request,
                                                       std::uint64_t finiteCount);

}  // namespace calibscope
