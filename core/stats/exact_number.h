// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/exact_sum.h"

#include <cstdint>
#include <vector>

namespace calibscope {

/// A number m 2^(32 e) of any length, for the few products and differences at the end of exact
/// sums: no operation rounds but over().
class ExactNumber
{
public:
    explicit ExactNumber(std::uint64_t number);
    explicit ExactNumber(const ExactSum& sum);

    [[nodiscard]] ExactNumber operator*(const ExactNumber& other) const;
    [[nodiscard]] ExactNumber operator+(const ExactNumber& other) const;
    [[nodiscard]] ExactNumber operator-(const ExactNumber& other) const;

    /// The double nearest to this number over divisor^power, the even one of two; infinite beyond
    /// all doubles. Requires a divisor above 0.
    [[nodiscard]] double over(std::uint64_t divisor, int power) const;

private:
    using Limbs = std::vector<std::uint32_t>;

    ExactNumber(bool isNegative, Limbs limbs, int exponent);
    [[nodiscard]] ExactNumber negated() const;

    bool m_isNegative = false;
    Limbs m_limbs;  ///< the least first; the first and the last one are not 0, none is 0
    int m_exponent = 0;
};

}  // namespace calibscope
