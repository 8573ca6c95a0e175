// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace calibscope {

/// Quantity of a histogram's columns.
enum class Quantity {
    Count,
    Density,     ///< share of all values for one unit of the value
    Cumulative,  ///< share of all values up to there
};

enum class CountAxis { Linear, Log };

}  // namespace calibscope
