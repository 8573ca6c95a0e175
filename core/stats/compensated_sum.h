// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace calibscope {

/// A sum kept as an unevaluated pair of doubles: about 100 bits. Its value in double is the
/// correctly rounded one but for freak cases, so it does not depend on the order of the terms.
/// Finite terms only; not to be compiled with -ffast-math.
class CompensatedSum
{
public:
    CompensatedSum() = default;
    explicit CompensatedSum(double value) : m_high(value) {}

    void add(double term)
    {
        const double high = m_high + term;  // Knuth's TwoSum: the error of this addition, exactly
        const double part = high - m_high;
        m_low += (m_high - (high - part)) + (term - part);
        m_high = high;
    }
    void add(const CompensatedSum& other)
    {
        add(other.m_high);
        m_low += other.m_low;
    }
    void subtract(const CompensatedSum& other)
    {
        add(-other.m_high);
        m_low -= other.m_low;
    }
    /// Adds the product of two doubles without rounding it.
    void addProduct(double one, double other)
    {
        const double product = one * other;
        add(product);
        m_low += std::fma(one, other, -product);
    }
    /// Adds factor times another sum.
    void addTimes(double factor, const CompensatedSum& other)
    {
        addProduct(factor, other.m_high);
        m_low += factor * other.m_low;
    }

    [[nodiscard]] double value() const { return m_high + m_low; }

private:
    double m_high = 0.0;
    double m_low = 0.0;
};

}  // namespace calibscope
