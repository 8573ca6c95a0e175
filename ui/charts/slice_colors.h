// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/stats/slice.h"
#include "ui/plot/plot_content.h"

#include <QRgb>

#include <array>
#include <cstddef>
#include <vector>

namespace calibscope {

/// Colours of a slice: values along the colours of heatColor(), or, where there are
/// both signs, purple below 0 and green above it, the more intense the farther from 0; and those
/// that stand for what is no such value. Beyond the range a colour stays that of its end.
class SliceColors
{
public:
    SliceColors() = default;
    /// `isOneSided`: values along the colours of heatColor() whatever their signs.
    SliceColors(const Range& range, bool isDark, bool isOneSided = false);

    /// Of the value of a cell that is farthest from 0, tinted by the share of its values that are
    /// clipped. NaN, infinities and marked values come first, as they are rare.
    [[nodiscard]] QRgb ofCell(const Slice& slice, std::size_t cell, bool hasMarked) const;
    [[nodiscard]] QRgb ofValue(double value) const;
    /// The same as it is beside marked values.
    [[nodiscard]] QRgb besideMarked(double value) const { return withMark(ofValue(value)); }
    [[nodiscard]] const Range& range() const { return m_range; }
    [[nodiscard]] bool isDiverging() const { return m_isDiverging; }

    // What is not a value of the range; each has 3 to 1 on the plot's ground.
    [[nodiscard]] static QColor clipped(bool isDark);
    [[nodiscard]] static QColor nan(bool isDark);
    [[nodiscard]] static QColor infinite(bool isDark);
    [[nodiscard]] static QColor marked(bool isDark);
    [[nodiscard]] static QColor unread(bool isDark);

private:
    [[nodiscard]] QRgb withMark(QRgb color) const;

    Range m_range;
    bool m_isDark = false;
    bool m_isDiverging = false;
    std::array<QRgb, 512> m_table{};
};

/// The value of a cell that is farthest from 0; NaN where it has none.
[[nodiscard]] float farthestValue(const Slice& slice, std::size_t cell);

}  // namespace calibscope
