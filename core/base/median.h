// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace calibscope {

/// The two values in the middle of a sorted list; of an odd number of values the same one twice.
struct MiddleValues
{
    double lower = 0.0;
    double upper = 0.0;
};

/// Both middle ones of values in any order, without NaN; zeros for no values.
[[nodiscard]] inline MiddleValues middleOf(std::vector<double> values)
{
    if (values.empty())
        return {};
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    const double upper = *middle;
    return {values.size() % 2 == 1 ? upper : *std::max_element(values.begin(), middle), upper};
}

/// The mean of both; 0 for no values.
[[nodiscard]] inline double medianOf(std::vector<double> values)
{
    const auto [lower, upper] = middleOf(std::move(values));
    return lower == upper ? upper : (lower + upper) / 2.0;  // of two infinities, too
}

}  // namespace calibscope
