// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/metrics/error_bounds.h"
#include "core/metrics/error_summary.h"

#include <optional>
#include <string_view>
#include <vector>

namespace calibscope {

/// A measure of what a quantizer does to a tensor.
struct Metric
{
    enum class Better { Higher, Lower, Neither };

    int order = 0;        ///< position in lists and in the CSV's columns
    std::string_view id;  ///< the CSV's column
    std::string_view title;
    std::string_view unit;
    std::string_view summary;
    Better better = Better::Neither;
    /// Its value; nothing without finite values. Never NaN.
    std::optional<double> (*evaluate)(const ErrorSummary& errors) = nullptr;
    /// Where its value lies for certain when the errors are estimated, both ends included; nothing
    /// without finite values. nullptr: not bounded.
    std::optional<Range> (*bound)(const ErrorBounds& bounds) = nullptr;
};

/// All metrics, one file each in core/metrics, in their order.
[[nodiscard]] const std::vector<Metric>& metrics();

}  // namespace calibscope
