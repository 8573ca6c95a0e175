// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/mse/swept_error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace calibscope {

SweptError::SweptError(const HistogramMass& mass)
    : m_mass(mass), m_shift(mass.density() == Density::Centre ? 0.5 : 0.0)
{
    const std::size_t bins = mass.bins();
    m_width = (mass.edge(bins) - mass.edge(0)) / static_cast<double>(bins);
    if (!mass.hasEqualBins() || !(m_width > 0.0) || !std::isfinite(1.0 / m_width))
        return;
    m_before.reserve(bins + 1);
    for (std::size_t bin = 0; bin <= bins; ++bin) {
        const MassSums& sums = mass.before(bin);
        const bool isSpread = mass.density() == Density::Uniform && bin < bins;
        m_before.push_back({.count = sums.count,
                            .sum = sums.sum,
                            .held = isSpread ? mass.binCount(bin) : 0.0,
                            .edge = mass.edge(bin)});
    }
}

bool SweptError::onlyEndsAreClipped(const Quantizer& quantizer, int first, int last) const
{
    const bool isCutBelow = quantizer.clip.low > m_mass.edge(0);
    const bool isCutAbove = quantizer.clip.high < m_mass.edge(m_mass.bins());
    return (!isCutBelow || first == quantizer.lowLevel) &&
           (!isCutAbove || last == quantizer.highLevel);
}

// Of the values that are not clipped the error is sum x^2 - 2 s sum k x + s^2 sum k^2, k the level
// less the zero point. With the sums F below the border of the levels k - 1 and k, the sum over
// levels becomes one over borders (Abel):
//
//   sum k x   = last F1(high) - first F1(low) - sum over borders of F1
//   sum k^2   = last^2 F0(high) - first^2 F0(low) - sum over borders of (2 k - 1) F0
//
// Where a border lies needs no care: a value on it is as far from the one level as from the other.
SplitError SweptError::at(const Quantizer& quantizer) const
{
    const double low = std::max(quantizer.clip.low, m_mass.edge(0));
    const double high = std::min(quantizer.clip.high, m_mass.edge(m_mass.bins()));
    const int first = quantizer.level(low);
    const int last = quantizer.level(high);
    if (m_before.empty() || !(high > low) || !onlyEndsAreClipped(quantizer, first, last) ||
        static_cast<std::size_t>(last - first) >= m_mass.bins())
        return quantizationError(m_mass, quantizer);

    const double scale = quantizer.scale;
    const double firstPlace = first - quantizer.zeroPoint;
    const double lastPlace = last - quantizer.zeroPoint;
    const double step = scale / m_width;
    const double start = m_shift - m_mass.edge(0) / m_width;
    double sums = 0.0;
    double counts = 0.0;
    for (int level = first + 1; level <= last; ++level) {
        const double border = level - quantizer.zeroPoint - 0.5;
        const double position = border * step + start;
        const auto bin = static_cast<std::int64_t>(position);
        const double part = position - static_cast<double>(bin);
        const Before& before = m_before[static_cast<std::size_t>(bin)];
        const double held = before.held * part;
        sums += before.sum + held * (before.edge + 0.5 * part * m_width);
        counts += 2.0 * border * (before.count + held);
    }
    const MassSums below = m_mass.below(low);
    const MassSums upTo = high < m_mass.edge(m_mass.bins()) ? m_mass.below(high) : m_mass.ofBins();
    const MassSums inside = upTo - below;
    const double products = lastPlace * upTo.sum - firstPlace * below.sum - sums;
    const double squares =
        lastPlace * lastPlace * upTo.count - firstPlace * firstPlace * below.count - counts;
    const double rounding = inside.squares - 2.0 * scale * products + scale * scale * squares;

    // The three cancel; with little left of them too few digits are right.
    constexpr double leastShare = 0x1p-22;
    if (!(rounding > leastShare * scale * scale * squares))
        return quantizationError(m_mass, quantizer);
    SplitError error = errorOfPoints(m_mass.points(), quantizer);
    error.rounding += rounding;
    error.clipping += below.squaredDistance(quantizer.value(first)) +
                      (m_mass.ofBins() - upTo).squaredDistance(quantizer.value(last));
    return error;
}

}  // namespace calibscope
