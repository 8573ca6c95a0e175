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

    [[nodiscard]] QString xTitle() const override { return tr("log₂ of the scale"); }
    [[nodiscard]] std::vector<AxisWish> yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const override;
};

}  // namespace calibscope
