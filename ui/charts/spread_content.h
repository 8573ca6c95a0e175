// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/histogram_content.h"

#include <span>

namespace calibscope {

/// How the scales of a tensor's channels are spread: a histogram of their binary logarithms, a
/// quarter of a bit to a bin.
class SpreadContent : public HistogramContent
{
public:
    /// Scales that are not positive and finite are left out.
    void setScales(std::span<const double> scales);

    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
};

}  // namespace calibscope
