// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <optional>

namespace calibscope {

enum class ScaleKind { Linear, Log };

/// Maps values to pixels along one axis and back.
class AxisScale
{
public:
    AxisScale() = default;
    /// `values.low` falls on `pixelOfLow`, `values.high` on `pixelOfHigh` (which may be the lesser,
    /// as pixels of y run downward). A range without width is widened as drawableRange() does; so
    /// is a logarithmic one that is not positive. `floor`, above 0: where a logarithmic scale has
    /// 0 and all below the floor; without it the lower end is the floor.
    AxisScale(ScaleKind kind, const Range& values, double pixelOfLow, double pixelOfHigh,
              std::optional<double> floor = std::nullopt);

    [[nodiscard]] ScaleKind kind() const { return m_kind; }
    [[nodiscard]] const Range& values() const { return m_values; }
    [[nodiscard]] double pixelOfLow() const { return m_pixelOfLow; }
    [[nodiscard]] double pixelOfHigh() const { return m_pixelOfHigh; }
    /// Requires a logarithmic scale.
    [[nodiscard]] double floor() const { return m_floor; }

    /// Logarithmic: the floor for values at or below it, 0 included. NaN gives NaN, infinity an
    /// infinity.
    [[nodiscard]] double toPixel(double value) const;
    [[nodiscard]] double toValue(double pixel) const;

private:
    ScaleKind m_kind = ScaleKind::Linear;
    Range m_values{0.0, 1.0};
    double m_floor = 0.0;
    double m_low = 0.0;  ///< of the values, or of their decadic logarithms
    double m_high = 1.0;
    double m_pixelOfLow = 0.0;
    double m_pixelOfHigh = 1.0;
};

/// The range itself, or one with a width around it: [0, 1] for 0 and for ends that are not finite,
/// half of the value to both sides for any other.
[[nodiscard]] Range drawableRange(const Range& range);

/// Least range that holds both.
[[nodiscard]] Range unitedRange(const Range& one, const Range& other);

}  // namespace calibscope
