#pragma once

#include "ui/plot/marks.h"
#include "ui/plot/plot_view.h"

namespace calibscope {

/// Objectives against the threshold: chosen points as dots, what is as good as the best within 1 %
/// as a bar.
class CurvePlot : public PlotView
{
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr);

    /// The first objective has the axis on the left, a second one the axis on the right.
    void setCurves(std::vector<CurveMark> curves);
    /// Magnitudes, unless it is said otherwise.
    void setDomain(Domain domain);
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason);
};

}  // namespace calibscope
