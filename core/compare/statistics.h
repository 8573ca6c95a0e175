// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/profile.h"

#include <optional>
#include <string_view>
#include <vector>

namespace calibscope {

/// One number of a tensor in two recordings.
struct StatisticPair
{
    std::string_view id;      ///< as in the table of `calib stats`, where it is there
    std::string_view title;   ///< in words
    std::optional<double> a;  ///< nothing where it needs a finite value and there is none
    std::optional<double> b;
    bool isCount = false;
    bool isExact = true;  ///< false: from the sketch

    /// B less A.
    [[nodiscard]] std::optional<double> absolute() const;
    /// The same over |A|: 0.5 is half as much again. Nothing where A is 0 and B is not.
    [[nodiscard]] std::optional<double> relative() const;
};

/// Counts, ends, moments and percentiles of |x|, in that order.
[[nodiscard]] std::vector<StatisticPair> comparedStatistics(const TensorProfile& a,
                                                            const TensorProfile& b);

}  // namespace calibscope
