// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace calibscope {

/// The numbers that quantized values can be, before a scale multiplies them: the integers of a
/// range, or any other finite set, as those of 8-bit floats. A new set is one function that calls
/// table().
class NumberFormat
{
public:
    /// int8: -128 to 127.
    NumberFormat() = default;
    /// Integers, both ends included, which requires low < high.
    [[nodiscard]] static NumberFormat integers(int low, int high);
    /// Numbers in ascending order, at least two, all different and finite. Both arguments are kept
    /// by reference: constants.
    [[nodiscard]] static NumberFormat table(std::string_view id, std::span<const float> numbers);

    /// "int8", "uint4"; "int8[-127,127]" where a range leaves out some integers of its bits; of a
    /// table the id that it was given.
    [[nodiscard]] std::string id() const;
    [[nodiscard]] bool isInteger() const { return m_numbers.empty(); }
    /// Bits that each number takes: the fewest that hold the range or count the table's numbers.
    [[nodiscard]] int bits() const;
    [[nodiscard]] std::size_t count() const;
    /// In ascending order. Requires index < count().
    [[nodiscard]] double number(std::size_t index) const;
    [[nodiscard]] double least() const { return number(0); }
    [[nodiscard]] double largest() const { return number(count() - 1); }

    /// Ends of the integers, both included. Requires isInteger().
    [[nodiscard]] int low() const { return m_low; }
    [[nodiscard]] int high() const { return m_high; }

    /// Whether both have the same numbers under the same id.
    bool operator==(const NumberFormat& other) const;

private:
    int m_low = -128;
    int m_high = 127;
    std::string_view m_id = {};
    std::span<const float> m_numbers = {};
};

}  // namespace calibscope
