// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/slice_colors.h"

#include "ui/theme/chart_colors.h"

#include <QColor>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// One of the ends of ColorBrewer's PRGn, which colour-blind eyes can tell apart.
QColor endColor(bool isPositive, bool isDark)
{
    if (isDark)
        return isPositive ? QColor(0x8fe39b) : QColor(0xd9a3f0);
    return isPositive ? QColor(0x00501f) : QColor(0x4d0a63);
}

/// The colour of 0: near to the ground, but to be distinguished from it.
QColor zeroColor(bool isDark)
{
    return isDark ? QColor(0x24272b) : QColor(0xf1f2f4);
}

int between(int one, int other, double share)
{
    return static_cast<int>(std::lround(one + share * (other - one)));
}

QRgb mixedColors(QRgb one, QRgb other, double share)
{
    return qRgb(between(qRed(one), qRed(other), share), between(qGreen(one), qGreen(other), share),
                between(qBlue(one), qBlue(other), share));
}

QRgb divergingColor(double share, bool isDark)
{
    // A root, so that values near 0 can be distinguished from it.
    const double intensity = std::sqrt(std::min(std::abs(share), 1.0));
    return mixedColors(zeroColor(isDark).rgb(), endColor(share > 0.0, isDark).rgb(), intensity);
}

}  // namespace

SliceColors::SliceColors(const Range& range, bool isDark, bool isOneSided)
    : m_range(range),
      m_isDark(isDark),
      m_isDiverging(!isOneSided && range.low < 0.0 && range.high > 0.0)
{
    if (m_isDiverging) {
        const double most = std::max(-range.low, range.high);
        m_range = {-most, most};
    }
    for (std::size_t step = 0; step < m_table.size(); ++step) {
        const double share = static_cast<double>(step) / static_cast<double>(m_table.size() - 1);
        m_table[step] = m_isDiverging ? divergingColor(2.0 * share - 1.0, isDark)
                                      : heatColor(share, isDark).rgb();
    }
}

QRgb SliceColors::ofValue(double value) const
{
    const double share = m_range.width() > 0.0 ? (value - m_range.low) / m_range.width() : 0.5;
    const double step = std::clamp(share, 0.0, 1.0) * static_cast<double>(m_table.size() - 1);
    return m_table[static_cast<std::size_t>(step + 0.5)];
}

QRgb SliceColors::withMark(QRgb color) const
{
    constexpr double dimmed = 0.8;
    const int grey = qGray(color);
    return mixedColors(qRgb(grey, grey, grey), zeroColor(m_isDark).rgb(), dimmed);
}

QRgb SliceColors::ofCell(const Slice& slice, std::size_t cell, bool hasMarked) const
{
    const std::uint8_t marks = slice.marks[cell];
    if ((marks & Slice::IsUnread) != 0) {  // the value of one near it, or none
        constexpr double paler = 0.6;
        const float near = farthestValue(slice, cell);
        return std::isnan(near)
                   ? unread(m_isDark).rgb()
                   : mixedColors(ofValue(static_cast<double>(near)), unread(m_isDark).rgb(), paler);
    }
    if (hasMarked && (marks & Slice::HasMarked) != 0)
        return marked(m_isDark).rgb();
    if ((marks & Slice::HasNan) != 0)
        return nan(m_isDark).rgb();
    if ((marks & (Slice::HasPositiveInf | Slice::HasNegativeInf)) != 0)
        return infinite(m_isDark).rgb();
    QRgb color = ofValue(static_cast<double>(farthestValue(slice, cell)));
    if (hasMarked)
        return withMark(color);
    if (slice.clipped[cell] > 0) {
        const std::uint64_t row = cell / slice.columns;
        const std::uint64_t column = cell % slice.columns;
        const std::uint64_t values =
            std::min(slice.rowStep, slice.rowCount - row * slice.rowStep) *
            std::min(slice.columnStep, slice.columnCount - column * slice.columnStep);
        constexpr double least = 0.3;  // one of many is still to be seen
        const double share =
            std::min(static_cast<double>(slice.clipped[cell]) / static_cast<double>(values), 1.0);
        color = mixedColors(color, clipped(m_isDark).rgb(), least + (1.0 - least) * share);
    }
    return color;
}

QColor SliceColors::clipped(bool isDark)
{
    return isDark ? QColor(0xff7f32) : QColor(0xe0540a);
}

QColor SliceColors::nan(bool isDark)
{
    return isDark ? QColor(Qt::white) : QColor(Qt::black);
}

QColor SliceColors::infinite(bool isDark)
{
    return isDark ? QColor(0xffd92f) : QColor(0xb8860b);
}

QColor SliceColors::marked(bool isDark)
{
    return isDark ? QColor(0x4cc3ff) : QColor(0x0067c5);
}

QColor SliceColors::unread(bool isDark)
{
    return isDark ? QColor(0x17191c) : QColor(Qt::white);
}

float farthestValue(const Slice& slice, std::size_t cell)
{
    const float low = slice.low[cell];
    const float high = slice.high[cell];
    return std::abs(low) > std::abs(high) ? low : high;
}

}  // namespace calibscope
