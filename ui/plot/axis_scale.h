// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <QString>

#include <optional>
#include <vector>

namespace calibscope {

/// Quantity of a histogram's columns.
enum class Quantity {
    Count,
    Density,     ///< share of all values for one unit of the value
    Cumulative,  ///< share of all values up to there
};

enum class CountAxis { Linear, Log };

/// A place on an axis.
struct Tick
{
    double value = 0.0;
    QString label;        ///< empty: none
    bool isMajor = true;  ///< has a grid line
};

/// Ticks of an axis. Labels are values divided by 10^exponent, which the axis title has to say.
struct TickSet
{
    std::vector<Tick> ticks;  ///< ascending
    int exponent = 0;
};

enum class TickNumbers {
    Values,    ///< any number; very large and very small ones share a power of ten
    Counts,    ///< whole numbers; large ones carry k, M, G, T
    Ordinals,  ///< whole numbers, written out
    None,      ///< no ticks: positions without a meaning
};

/// Least of 1, 2, 5 times a power of ten that is not below `least`. Requires least > 0.
[[nodiscard]] double niceStep(double least);

/// Ticks at multiples of a nice step inside the range (both ends included), at most `atMost` (at
/// least 1) where the range allows, but at least one step apart. A range without width, or so
/// narrow that doubles can't tell its ticks apart, gives none.
[[nodiscard]] TickSet linearTicks(const Range& shown, int atMost, TickNumbers numbers);

/// Labelled powers of ten, at most `atMost` of them, the digits between as minor ticks while a
/// decade has room for them (`pixels` is the length of the axis). A range with fewer than two
/// powers of ten is labelled at 1, 2, 5 or, if it is narrower still, at multiples of a nice step.
/// Requires a positive range.
[[nodiscard]] TickSet logTicks(const Range& shown, int atMost, double pixels);

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
