// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/axis_scale.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

AxisScale::AxisScale(ScaleKind kind, const Range& values, double pixelOfLow, double pixelOfHigh,
                     std::optional<double> floor)
    : m_kind(kind),
      m_values(drawableRange(values)),
      m_pixelOfLow(pixelOfLow),
      m_pixelOfHigh(pixelOfHigh)
{
    if (kind == ScaleKind::Log && m_values.low <= 0.0)
        m_values =
            m_values.high > 0.0 ? Range{m_values.high / 10.0, m_values.high} : Range{0.1, 1.0};
    const bool isLog = kind == ScaleKind::Log;
    m_floor = floor.value_or(m_values.low);
    m_low = isLog ? std::log10(m_values.low) : m_values.low;
    m_high = isLog ? std::log10(m_values.high) : m_values.high;
}

double AxisScale::toPixel(double value) const
{
    double place = value;
    if (m_kind == ScaleKind::Log)
        place = std::log10(value <= m_floor ? m_floor : value);
    return m_pixelOfLow + (place - m_low) / (m_high - m_low) * (m_pixelOfHigh - m_pixelOfLow);
}

double AxisScale::toValue(double pixel) const
{
    const double share = (pixel - m_pixelOfLow) / (m_pixelOfHigh - m_pixelOfLow);
    const double place = m_low + share * (m_high - m_low);
    return m_kind == ScaleKind::Log ? std::pow(10.0, place) : place;
}

Range drawableRange(const Range& range)
{
    if (!std::isfinite(range.low) || !std::isfinite(range.high))
        return {0.0, 1.0};
    if (range.low < range.high)
        return range;
    if (range.low == 0.0)
        return {0.0, 1.0};
    const double half = std::abs(range.low) / 2.0;
    return {range.low - half, range.low + half};
}

Range unitedRange(const Range& one, const Range& other)
{
    return {std::min(one.low, other.low), std::max(one.high, other.high)};
}

}  // namespace calibscope
