// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace calibscope {

/// A condition on a metric that makes a report fail: "sqnr<20", "clipped_share>0.001".
struct Gate
{
    enum class Side { Below, Above };

    std::string expression;  ///< as given
    std::string metric;      ///< id
    Side side = Side::Below;
    double limit = 0.0;
};

/// METRIC<NUMBER or METRIC>NUMBER; METRIC is a metric's id, its unit at the end may be left out.
/// Throws Error(Usage) that lists the metrics, or says what is not a number.
[[nodiscard]] Gate parseGate(std::string_view expression);

/// The same for other metrics than those of outcomes.
[[nodiscard]] Gate parseGate(std::string_view expression, std::span<const std::string> metricIds);

/// Whether a value is on the side of the limit that fails; a NaN is not.
[[nodiscard]] bool offends(const Gate& gate, double value);

/// The metric's value, if it is below (above) the gate's limit. Nothing for an outcome that does
/// not have the metric.
[[nodiscard]] std::optional<double> offence(const Gate& gate, const Outcome& outcome);

}  // namespace calibscope
