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

void HistogramPlot::setHistogram(const Histogram& newHistogram, Zoom zoom)
{
    histogram().setHistogram(newHistogram);
    refresh(zoom == Zoom::ShowAll);
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

void HistogramPlot::setOutlines(std::vector<OutlineMark> outlines)
{
    histogram().setOutlines(std::move(outlines));
    refresh(false);
}

void HistogramPlot::setQuantity(Quantity quantity)
{
    histogram().setQuantity(quantity);
    refresh(false);
}

void HistogramPlot::setQuantized(std::optional<QuantizedMark> quantized)
{
    histogram().setQuantized(std::move(quantized));
    refresh(false);
}

void HistogramPlot::setRug(std::optional<Rug> rug)
{
    histogram().setRug(std::move(rug));
    refresh(false);
}

void HistogramPlot::setPreliminary(bool isPreliminary)
{
    histogram().setPreliminary(isPreliminary);
    refresh(false);
}

void HistogramPlot::setMovable(bool areMovable)
{
    histogram().setMovable(areMovable);
    refresh(false);
}

QString HistogramPlot::factsText(double x) const
{
    const auto facts = histogram().factsAt(x);
    return facts ? factLines(*facts, histogram().xTitle()).join(u'\n') : QString();
}

}  // namespace calibscope
