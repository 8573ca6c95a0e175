// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/axis_scale.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace calibscope::test {

[[nodiscard]] inline Histogram histogramOf(Domain domain, double low, double high,
                                           std::vector<std::uint64_t> counts)
{
    Histogram histogram;
    histogram.spec = {"fixed", static_cast<int>(counts.size()), domain};
    histogram.low = low;
    histogram.high = high;
    histogram.counts = std::move(counts);
    return histogram;
}

/// A peak at 0 and a tail that thins out: 3000, 1500, ... then single values between zeros.
[[nodiscard]] inline Histogram tailHistogram(double high, int bins = 2048)
{
    std::vector<std::uint64_t> counts;
    for (int bin = 0; bin < bins; ++bin) {
        const double height = 3000.0 * std::exp(-12.0 * bin / bins);
        counts.push_back(height >= 1.0 ? static_cast<std::uint64_t>(height)
                                       : static_cast<std::uint64_t>(bin % 37 == 0));
    }
    counts.back() = 1;
    return histogramOf(Domain::Magnitude, 0.0, high, counts);
}

[[nodiscard]] inline ThresholdMark markAt(const QString& label, double threshold,
                                          bool emphasised = false)
{
    return {.label = label,
            .color = QColor(0x0072b2),
            .style = Qt::DashLine,
            .clip = {-threshold, threshold},
            .emphasised = emphasised};
}

[[nodiscard]] inline CurveMark curveOf(const QString& label, const std::string& objective,
                                       std::vector<double> thresholds, std::vector<double> values)
{
    CurveMark mark{.label = label, .color = QColor(0xd55e00), .style = Qt::SolidLine};
    mark.curve.objective = objective;
    mark.curve.threshold = std::move(thresholds);
    mark.curve.value = std::move(values);
    for (std::size_t point = 0; point < mark.curve.value.size(); ++point)
        if (mark.curve.value[point] < mark.curve.value[mark.curve.chosen])
            mark.curve.chosen = point;
    return mark;
}

/// An x axis over 800 pixels.
[[nodiscard]] inline AxisScale linearX(const Range& shown)
{
    return {ScaleKind::Linear, shown, 0.0, 800.0};
}

}  // namespace calibscope::test
