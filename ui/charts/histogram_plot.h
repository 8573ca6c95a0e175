#pragma once

#include "core/stats/histogram.h"
#include "ui/plot/marks.h"
#include "ui/plot/plot_view.h"
#include "ui/plot/quantity.h"

namespace calibscope {

class HistogramContent;
struct OutlineMark;
struct QuantizedMark;
struct Rug;

/// Counts of |x| or of x (whichever the histogram is of) and the clip ranges chosen for them.
class HistogramPlot : public PlotView
{
    Q_OBJECT

public:
    explicit HistogramPlot(QWidget* parent = nullptr);

    enum class Zoom { ShowAll, Keep };
    void setHistogram(const Histogram& histogram, Zoom zoom = Zoom::ShowAll);
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason);
    void setCountAxis(CountAxis axis);
    [[nodiscard]] CountAxis countAxis() const;
    /// Thresholds beyond the data widen the axis; the x range shown stays where the user zoomed.
    void setThresholds(std::vector<ThresholdMark> thresholds);
    /// Other histograms over the columns, as lines.
    void setOutlines(std::vector<OutlineMark> outlines);
    void setQuantity(Quantity quantity);
    /// Over the columns; nothing: no outline and no levels.
    void setQuantized(std::optional<QuantizedMark> quantized);
    void setRug(std::optional<Rug> rug);
    /// Paler: of a part of the values, until all are there.
    void setPreliminary(bool isPreliminary);
    /// Thresholds can be moved; their ends come back by handleMoved().
    void setMovable(bool areMovable);
    /// What is at a place, with tabs between name and value; blank where there is nothing.
    [[nodiscard]] QString factsText(double x) const;

private:
    [[nodiscard]] HistogramContent& histogram() const;
};

}  // namespace calibscope
