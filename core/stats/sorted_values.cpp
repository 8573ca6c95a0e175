// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/sorted_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace calibscope {

namespace {

constexpr std::size_t blockValues = 32;
constexpr std::size_t worthCounting = 2048;  // below, comparing is faster than three tables

/// Unsigned numbers in the order of the floats: all bits of negative ones flipped, else the sign.
std::uint32_t orderedBits(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

/// One stable pass over 11 of the 32 bits.
void sortByDigit(const std::vector<float>& from, std::vector<float>& to, int shift)
{
    constexpr std::uint32_t digits = 1U << 11;
    std::array<std::size_t, digits> place{};
    for (const float value : from)
        ++place[orderedBits(value) >> shift & (digits - 1)];
    std::size_t before = 0;
    for (std::size_t& count : place)
        before += std::exchange(count, before);
    for (const float value : from)
        to[place[orderedBits(value) >> shift & (digits - 1)]++] = value;
}

}  // namespace

void sortFloats(std::vector<float>& values, bool withCopy)
{
    if (!withCopy || values.size() < worthCounting) {
        std::ranges::sort(values, {}, orderedBits);
        return;
    }
    std::vector<float> other(values.size());
    for (const int shift : {0, 11, 22}) {
        sortByDigit(values, other, shift);
        std::swap(values, other);
    }
}

std::uint64_t SortedValues::bytesFor(std::uint64_t values, bool withCopy)
{
    return values * sizeof(float) * (withCopy ? 2 : 1) +
           (values / blockValues + 1) * sizeof(StretchSums);
}

SortedValues::SortedValues(std::vector<float> values, bool withCopy) : m_values(std::move(values))
{
    sortFloats(m_values, withCopy);
    m_beforeBlock.reserve(m_values.size() / blockValues + 1);
    StretchSums sums;
    for (std::size_t index = 0; index < m_values.size(); ++index) {
        if (index % blockValues == 0)
            m_beforeBlock.push_back(sums);
        const double x = static_cast<double>(m_values[index]);
        sums.values.add(x);
        sums.squares.add(x * x);  // exact: 24 bits times 24 bits
    }
    if (m_values.size() % blockValues == 0)
        m_beforeBlock.push_back(sums);
}

StretchSums SortedValues::before(std::size_t count) const
{
    const std::size_t block = count / blockValues;
    StretchSums sums = m_beforeBlock[block];
    for (std::size_t index = block * blockValues; index < count; ++index) {
        const double x = static_cast<double>(m_values[index]);
        sums.values.add(x);
        sums.squares.add(x * x);
    }
    return sums;
}

}  // namespace calibscope
