#include "ui/charts/histogram_plot.h"

#include "ui/charts/histogram_content.h"

namespace calibscope {

HistogramPlot::HistogramPlot(QWidget* parent)
    : PlotView(std::make_unique<HistogramContent>(), parent)
{}

HistogramContent& HistogramPlot::histogram() const
{
    return static_cast<HistogramContent&>(content());
}

void HistogramPlot::setHistogram(const Histogram& newHistogram)
{
    histogram().setHistogram(newHistogram);
    refresh(true);
}

void HistogramPlot::clear(const QString& reason)
{
    histogram().setEmpty(reason);
    refresh(true);
}

void HistogramPlot::setCountAxis(CountAxis axis)
{
    histogram().setCountAxis(axis);
    refresh(false);
}

CountAxis HistogramPlot::countAxis() const
{
    return histogram().countAxis();
}

void HistogramPlot::setThresholds(std::vector<ThresholdMark> thresholds)
{
    histogram().setThresholds(std::move(thresholds));
    refresh(false);
}

}  // namespace calibscope
