#pragma once

#include "ui/charts/error_content.h"
#include "ui/plot/plot_view.h"

namespace calibscope {

/// Squared error of one quantizer by bin, rounding and clipping apart.
class ErrorPlot : public PlotView
{
    Q_OBJECT

public:
    explicit ErrorPlot(QWidget* parent = nullptr);

    void setError(ErrorMark mark);
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason);
    [[nodiscard]] bool isEmpty() const { return errors().isEmpty(); }
    void setErrorAxis(CountAxis axis);

private:
    [[nodiscard]] ErrorContent& errors() const;
};

}  // namespace calibscope
