// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace calibscope {

/// A sum of doubles without any rounding: a fixed-point number whose unit is the least double.
/// 2098 bits hold every double, 78 more the carries of all that can be added. Sums in any order
/// and in any groups are equal to the bit.
class ExactSum
{
public:
    static constexpr std::size_t wordCount = 34;
    /// Two's complement in units of 2^-1074, the least word first.
    using Words = std::array<std::uint64_t, wordCount>;

    ExactSum() = default;
    explicit ExactSum(const Words& words) : m_words(words) {}

    /// Requires a finite value.
    void add(double value);
    ExactSum& operator+=(const ExactSum& other);

    [[nodiscard]] const Words& words() const { return m_words; }
    [[nodiscard]] bool isNegative() const { return (m_words.back() >> 63U) != 0; }
    bool operator==(const ExactSum&) const = default;

private:
    Words m_words{};
};

}  // namespace calibscope
