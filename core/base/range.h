// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace calibscope {

/// A closed interval [low, high].
struct Range
{
    double low = 0.0;
    double high = 0.0;

    [[nodiscard]] double width() const { return high - low; }
    [[nodiscard]] bool contains(double value) const { return value >= low && value <= high; }
    bool operator==(const Range&) const = default;
};

}  // namespace calibscope
