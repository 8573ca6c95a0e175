// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/exact_powers.h"

#include "core/stats/exact_number.h"

#include <cmath>
#include <span>

namespace calibscope {

namespace {

/// Adds a product without rounding: that of two doubles is a double and a double, the rounding's
/// error. Nothing is lost below 2^-1074 where values are float32 and counts below 2^53.
void addProduct(ExactSum& sum, double value, std::span<const double> factors)
{
    if (value == 0.0)
        return;
    if (factors.empty()) {
        sum.add(value);
        return;
    }
    const double product = value * factors.front();
    const double error = std::fma(value, factors.front(), -product);
    addProduct(sum, product, factors.subspan(1));
    addProduct(sum, error, factors.subspan(1));
}

/// Adds value x mean^power.
void addAround0(ExactSum& sum, double value, double mean, std::size_t power)
{
    const std::array factors{mean, mean, mean, mean};
    addProduct(sum, value, std::span(factors).first(power));
}

}  // namespace

void ExactPowers::add(const Moments& leaf)
{
    const auto count = static_cast<double>(leaf.extents.finite);
    m_count += leaf.extents.finite;
    auto& [first, second, third, fourth] = m_sums;
    addAround0(first, count, leaf.mean, 1);
    second.add(leaf.m2);
    addAround0(second, count, leaf.mean, 2);
    third.add(leaf.m3);
    for (const double part : {leaf.m2, 2.0 * leaf.m2})  // 3 of them would be rounded
        addAround0(third, part, leaf.mean, 1);
    addAround0(third, count, leaf.mean, 3);
    fourth.add(leaf.m4);
    addAround0(fourth, 4.0 * leaf.m3, leaf.mean, 1);
    for (const double part : {2.0 * leaf.m2, 4.0 * leaf.m2})
        addAround0(fourth, part, leaf.mean, 2);
    addAround0(fourth, count, leaf.mean, 4);
}

ExactPowers& ExactPowers::operator+=(const ExactPowers& other)
{
    m_count += other.m_count;
    for (std::size_t power = 0; power < m_sums.size(); ++power)
        m_sums[power] += other.m_sums[power];
    return *this;
}

Moments ExactPowers::moments(const Extents& extents) const
{
    Moments found{.extents = extents};
    if (m_count == 0)
        return found;
    const ExactNumber n(m_count);
    const ExactNumber one(m_sums[0]);
    const ExactNumber two(m_sums[1]);
    const ExactNumber three(m_sums[2]);
    const ExactNumber four(m_sums[3]);
    found.sum = one.over(m_count, 0);
    found.sumSquares = two.over(m_count, 0);
    found.mean = one.over(m_count, 1);
    if (extents.min == extents.max)
        return found;  // values that are all equal have no distance from their mean
    const ExactNumber square = one * one;
    found.m2 = (n * two - square).over(m_count, 1);
    found.m3 = (n * n * three - ExactNumber(3) * n * one * two + ExactNumber(2) * one * square)
                   .over(m_count, 2);
    found.m4 = (n * n * n * four - ExactNumber(4) * n * n * one * three +
                ExactNumber(6) * n * square * two - ExactNumber(3) * square * square)
                   .over(m_count, 3);
    return found;
}

}  // namespace calibscope
