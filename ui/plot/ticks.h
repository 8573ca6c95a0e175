// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <QString>

#include <vector>

namespace calibscope {

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

}  // namespace calibscope
