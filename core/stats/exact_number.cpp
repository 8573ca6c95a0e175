// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/exact_number.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

namespace calibscope {

namespace {

using Limbs = std::vector<std::uint32_t>;

constexpr int limbBits = 32;

bool isLess(const Limbs& a, const Limbs& b)
{
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

/// Both of one length.
Limbs sumOf(const Limbs& a, const Limbs& b)
{
    Limbs sum;
    std::uint64_t carry = 0;
    for (std::size_t limb = 0; limb < a.size(); ++limb) {
        carry += std::uint64_t{a[limb]} + b[limb];
        sum.push_back(static_cast<std::uint32_t>(carry));
        carry >>= limbBits;
    }
    sum.push_back(static_cast<std::uint32_t>(carry));
    return sum;
}

/// Both of one length, a not less than b.
Limbs differenceOf(const Limbs& a, const Limbs& b)
{
    Limbs difference;
    std::uint64_t borrow = 0;
    for (std::size_t limb = 0; limb < a.size(); ++limb) {
        const std::uint64_t less = std::uint64_t{b[limb]} + borrow;
        difference.push_back(static_cast<std::uint32_t>(a[limb] - less));
        borrow = a[limb] < less ? 1 : 0;
    }
    return difference;
}

/// Divides in place and gives whether anything remained.
bool divide(Limbs& limbs, std::uint64_t divisor)
{
    std::uint64_t rest = 0;
    for (auto limb = limbs.rbegin(); limb != limbs.rend(); ++limb) {
        std::uint32_t quotient = 0;
        for (int bit = limbBits; bit-- > 0;) {
            const bool overflows = (rest >> 63U) != 0;
            rest = rest << 1U | (*limb >> bit & 1U);
            quotient <<= 1U;
            if (overflows || rest >= divisor) {
                rest -= divisor;
                quotient |= 1U;
            }
        }
        *limb = quotient;
    }
    return rest != 0;
}

}  // namespace

ExactNumber::ExactNumber(bool isNegative, Limbs limbs, int exponent)
    : m_isNegative(isNegative), m_limbs(std::move(limbs)), m_exponent(exponent)
{
    while (!m_limbs.empty() && m_limbs.back() == 0)
        m_limbs.pop_back();
    const auto first = std::ranges::find_if(m_limbs, [](std::uint32_t limb) { return limb != 0; });
    m_exponent += static_cast<int>(first - m_limbs.begin());
    m_limbs.erase(m_limbs.begin(), first);
    if (m_limbs.empty())
        m_exponent = 0;
}

ExactNumber::ExactNumber(std::uint64_t number)
    : ExactNumber(
          false,
          {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> limbBits)}, 0)
{}

ExactNumber::ExactNumber(const ExactSum& sum)
{
    constexpr int unit = -1074;                          // 2^-1074 is the least bit of the words
    constexpr int padding = limbBits + unit % limbBits;  // bits until a whole number of limbs
    Limbs limbs;
    std::uint64_t carry = sum.isNegative() ? 1 : 0;
    std::uint64_t before = 0;
    const auto append = [&](std::uint64_t part) {
        limbs.push_back(
            static_cast<std::uint32_t>(part << padding | before >> (limbBits - padding)));
        before = part;
    };
    for (const std::uint64_t word : sum.words()) {
        std::uint64_t magnitude = sum.isNegative() ? ~word + carry : word;
        carry = carry != 0 && magnitude == 0 ? 1 : 0;
        append(magnitude & 0xffffffffU);
        append(magnitude >> limbBits);
    }
    append(0);
    *this = ExactNumber(sum.isNegative(), std::move(limbs), (unit - padding) / limbBits);
}

ExactNumber ExactNumber::negated() const
{
    ExactNumber other = *this;
    other.m_isNegative = !m_isNegative;
    return other;
}

ExactNumber ExactNumber::operator*(const ExactNumber& other) const
{
    Limbs product(m_limbs.size() + other.m_limbs.size());
    for (std::size_t a = 0; a < m_limbs.size(); ++a) {
        std::uint64_t carry = 0;
        for (std::size_t b = 0; b < other.m_limbs.size(); ++b) {
            carry += std::uint64_t{m_limbs[a]} * other.m_limbs[b] + product[a + b];
            product[a + b] = static_cast<std::uint32_t>(carry);
            carry >>= limbBits;
        }
        product[a + other.m_limbs.size()] = static_cast<std::uint32_t>(carry);
    }
    return {m_isNegative != other.m_isNegative, std::move(product), m_exponent + other.m_exponent};
}

ExactNumber ExactNumber::operator+(const ExactNumber& other) const
{
    if (m_limbs.empty())
        return other;
    if (other.m_limbs.empty())
        return *this;
    const int exponent = std::min(m_exponent, other.m_exponent);
    const auto endOf = [](const ExactNumber& number) {
        return number.m_exponent + static_cast<int>(number.m_limbs.size());
    };
    const int end = std::max(endOf(*this), endOf(other));
    const auto spreadOut = [&](const ExactNumber& number) {
        Limbs limbs(static_cast<std::size_t>(end - exponent));
        std::ranges::copy(number.m_limbs, limbs.begin() + (number.m_exponent - exponent));
        return limbs;
    };
    const Limbs a = spreadOut(*this);
    const Limbs b = spreadOut(other);
    if (m_isNegative == other.m_isNegative)
        return {m_isNegative, sumOf(a, b), exponent};
    return isLess(a, b) ? ExactNumber(other.m_isNegative, differenceOf(b, a), exponent)
                        : ExactNumber(m_isNegative, differenceOf(a, b), exponent);
}

ExactNumber ExactNumber::operator-(const ExactNumber& other) const
{
    return *this + other.negated();
}

double ExactNumber::over(std::uint64_t divisor, int power) const
{
    if (m_limbs.empty())
        return 0.0;
    // At least 64 bits of quotient: 53 of the double, one that rounds, and what was left is reported
    // by the last one.
    const std::size_t more = static_cast<std::size_t>(2 * power) + 2;
    Limbs limbs(more);
    limbs.insert(limbs.end(), m_limbs.begin(), m_limbs.end());
    int exponent = limbBits * (m_exponent - static_cast<int>(more));
    bool hasRest = false;
    for (int time = 0; time < power; ++time)
        hasRest = divide(limbs, divisor) || hasRest;
    while (limbs.back() == 0)
        limbs.pop_back();
    // The leading 64 bits, then as many as a double has there: subnormal ones have fewer.
    std::uint64_t leading = 0;
    int bits = 0;
    const int length = static_cast<int>(limbs.size()) * limbBits - std::countl_zero(limbs.back());
    const auto bitAt = [&](int place) {
        return limbs[static_cast<std::size_t>(place / limbBits)] >> (place % limbBits) & 1U;
    };
    constexpr int doubleBits = 53;
    constexpr int least = -1074;
    const int kept = std::clamp(length + exponent - least, 0, doubleBits);
    for (; bits < kept; ++bits)
        leading = leading << 1U | bitAt(length - 1 - bits);
    const bool isHalf =
        kept < length && length + exponent >= least && bitAt(length - 1 - kept) != 0;
    for (int place = length - 2 - kept; place >= 0 && !hasRest; --place)
        hasRest = bitAt(place) != 0;
    if (isHalf && (hasRest || (leading & 1U) != 0))
        ++leading;
    const double magnitude = std::ldexp(static_cast<double>(leading), exponent + length - kept);
    return m_isNegative ? -magnitude : magnitude;
}

}  // namespace calibscope
