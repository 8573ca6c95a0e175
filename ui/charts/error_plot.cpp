#include "ui/charts/error_plot.h"

namespace calibscope {

ErrorPlot::ErrorPlot(QWidget* parent) : PlotView(std::make_unique<ErrorContent>(), parent) {}

ErrorContent& ErrorPlot::errors() const
{
    return static_cast<ErrorContent&>(content());
}

void ErrorPlot::setError(ErrorMark mark)
{
    errors().setError(std::move(mark));
    refresh(false);
}

void ErrorPlot::clear(const QString& reason)
{
    errors().setEmpty(reason);
    refresh(false);
}

void ErrorPlot::setErrorAxis(CountAxis axis)
{
    errors().setErrorAxis(axis);
    refresh(false);
}

}  // namespace calibscope
