#include "ui/charts/curve_plot.h"

#include "ui/charts/curve_content.h"

namespace calibscope {

CurvePlot::CurvePlot(QWidget* parent) : PlotView(std::make_unique<CurveContent>(), parent)
{
    setCurves({});
}

void CurvePlot::setCurves(std::vector<CurveMark> curves)
{
    static_cast<CurveContent&>(content()).setCurves(std::move(curves));
    refresh(false);
}

void CurvePlot::setDomain(Domain domain)
{
    static_cast<CurveContent&>(content()).setDomain(domain);
    refresh(false);
}

void CurvePlot::clear(const QString& reason)
{
    static_cast<CurveContent&>(content()).setEmpty(reason);
    refresh(false);
}

}  // namespace calibscope
