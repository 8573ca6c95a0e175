// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/exact_sum.h"

#include <bit>

namespace calibscope {

namespace {

constexpr std::size_t wordBits = 64;
constexpr int mantissaBitsOfDouble = 52;
constexpr std::uint64_t hiddenBit = std::uint64_t{1} << mantissaBitsOfDouble;
constexpr std::uint64_t mostExponent = 0x7ff;

}  // namespace

void ExactSum::add(double value)
{
    const auto pattern = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t exponent = pattern >> mantissaBitsOfDouble & mostExponent;
    std::uint64_t mantissa = pattern & (hiddenBit - 1);
    std::size_t place = 0;  // of the mantissa's last bit; subnormal numbers have that of the least
    if (exponent > 0) {
        mantissa |= hiddenBit;
        place = exponent - 1;
    }
    const std::size_t shift = place % wordBits;
    std::size_t word = place / wordBits;
    std::uint64_t low = mantissa << shift;
    std::uint64_t high = shift == 0 ? 0 : mantissa >> (wordBits - shift);
    const bool isNegative = (pattern >> 63U) != 0;
    bool carries = false;
    for (; word < wordCount && (low != 0 || high != 0 || carries); ++word) {
        const std::uint64_t before = m_words[word];
        // Never over 64 bits: the second word is 52 bits of mantissa at most.
        const std::uint64_t more = low + (carries ? 1U : 0U);
        m_words[word] = isNegative ? before - more : before + more;
        carries = isNegative ? before < more : m_words[word] < before;
        low = high;
        high = 0;
    }
}

ExactSum& ExactSum::operator+=(const ExactSum& other)
{
    std::uint64_t carry = 0;
    for (std::size_t word = 0; word < wordCount; ++word) {
        const std::uint64_t more = other.m_words[word] + carry;
        const bool wraps = more < carry;
        m_words[word] += more;
        carry = wraps || m_words[word] < more ? 1U : 0U;
    }
    return *this;
}

}  // namespace calibscope
