// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/number_format.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

namespace calibscope {

NumberFormat NumberFormat::integers(int low, int high)
{
    assert(low < high);
    NumberFormat format;
    format.m_low = low;
    format.m_high = high;
    return format;
}

NumberFormat NumberFormat::table(std::string_view id, std::span<const float> numbers)
{
    assert(numbers.size() > 1 && std::ranges::is_sorted(numbers));
    NumberFormat format;
    format.m_id = id;
    format.m_numbers = numbers;
    return format;
}

std::string NumberFormat::id() const
{
    if (!isInteger())
        return std::string(m_id);
    std::string id = (m_low < 0 ? "int" : "uint") + std::to_string(bits());
    if (count() != std::size_t{1} << static_cast<unsigned>(bits()))
        id += '[' + std::to_string(m_low) + ',' + std::to_string(m_high) + ']';
    return id;
}

int NumberFormat::bits() const
{
    const auto bitsFor = [](std::size_t most) { return static_cast<int>(std::bit_width(most)); };
    if (!isInteger())
        return bitsFor(m_numbers.size() - 1);
    if (m_low >= 0)
        return bitsFor(static_cast<std::size_t>(m_high));
    // -2^(b-1) takes as many bits as 2^(b-1) - 1.
    return 1 + bitsFor(static_cast<std::size_t>(std::max({-(m_low + 1), m_high, 0})));
}

std::size_t NumberFormat::count() const
{
    return isInteger() ? static_cast<std::size_t>(std::int64_t{m_high} - m_low) + 1
                       : m_numbers.size();
}

double NumberFormat::number(std::size_t index) const
{
    assert(index < count());
    return isInteger() ? m_low + static_cast<double>(index) : static_cast<double>(m_numbers[index]);
}

bool NumberFormat::operator==(const NumberFormat& other) const
{
    return m_id == other.m_id && m_low == other.m_low && m_high == other.m_high &&
           std::ranges::equal(m_numbers, other.m_numbers);
}

}  // namespace calibscope
