#pragma once

#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/charts/plot_view.h"

namespace calibscope {

class HistogramContent;

/// Counts of |x| or of x (whichever the histogram is of) and the clip ranges chosen for them.
class HistogramPlot : public PlotView
{
    Q_OBJECT

public:
    explicit HistogramPlot(QWidget* parent = nullptr);

    void setHistogram(const Histogram& histogram);  ///< shows all of it
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason);
    void setCountAxis(CountAxis axis);
    [[nodiscard]] CountAxis countAxis() const;
    /// Thresholds beyond the data widen the axis; the x range shown stays where the user zoomed.
    void setThresholds(std::vector<ThresholdMark> thresholds);

private:
    [[nodiscard]] HistogramContent& histogram() const;
};

}  // namespace calibscope
