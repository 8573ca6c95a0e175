// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "ui/charts/histogram_painter.h"
#include "ui/charts/marks.h"
#include "ui/charts/threshold_layer.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <QStringList>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Text for the place under the pointer.
struct BinFacts
{
    Range bin;
    std::uint64_t count = 0;
    std::uint64_t left = 0;   ///< values in bins before
    std::uint64_t right = 0;  ///< values in bins behind
    std::uint64_t total = 0;

    /// The nearest end of a clip range.
    struct Nearest
    {
        QString label;
        double place = 0.0;
        double steps =
            0.0;  ///< from x to it, in steps of its quantizer (LSB); negative: it is left
        bool hasSteps = false;
    };
    std::optional<Nearest> nearest;
};

/// Facts of the bin that holds x; nothing outside of the histogram. `countBefore`: counts of all
/// bins before each bin, the total at last.
[[nodiscard]] std::optional<BinFacts> binFacts(const Histogram& histogram,
                                               std::span<const std::uint64_t> countBefore, double x,
                                               std::span<const ThresholdMark> thresholds);

/// The facts as lines "name<tab>value", for a card and for the clipboard.
[[nodiscard]] QStringList factLines(const BinFacts& facts, const QString& xTitle);

/// "60 %"; as many digits as tell a share next to all from all.
[[nodiscard]] QString shareText(std::uint64_t part, std::uint64_t whole);

/// A histogram after a quantizer.
struct QuantizedMark
{
    Quantizer quantizer;
    std::vector<double> counts;  ///< in the histogram's bins
    QString label;               ///< of the calibrator
    QColor color;
};

/// A histogram as columns, and clip ranges over it.
///
/// Counts of zero lie on the floor of a logarithmic axis, half a count high and labelled "0". The x
/// axis runs over the bins that are not empty and a little beyond for thresholds outside; a
/// threshold far outside has its label at the edge. Labels of thresholds stand in a band above. A
/// bin that holds a tenth of all values (exact zeros, a constant) is drawn wide enough to be seen.
/// As a distribution function it is a line.
class HistogramContent : public ThresholdsContent
{
public:
    void setHistogram(const Histogram& histogram);
    /// Other histograms over the columns, the last one on top.
    void setOutlines(std::vector<OutlineMark> outlines);
    void setCountAxis(CountAxis axis) { m_countAxis = axis; }
    [[nodiscard]] CountAxis countAxis() const { return m_countAxis; }
    void setQuantity(Quantity quantity) { m_quantity = quantity; }
    /// Over the columns as an outline, and its levels as ticks where they are apart.
    void setQuantized(std::optional<QuantizedMark> quantized)
    {
        m_quantized = std::move(quantized);
    }
    void setRug(std::optional<Rug> rug) { m_rug = std::move(rug); }
    /// Paler columns: of a part of the values, until all are there.
    void setPreliminary(bool isPreliminary) { m_isPreliminary = isPreliminary; }
    /// Thresholds are handles.
    void setMovable(bool areMovable) { m_areMovable = areMovable; }

    [[nodiscard]] bool isEmpty() const override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    /// Thresholds are labelled where they are, outlines are not.
    [[nodiscard]] bool isLegendNeeded() const override
    {
        return m_quantized.has_value() || !m_outlines.empty();
    }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;
    [[nodiscard]] std::vector<PlotHandle> handles() const override;

    /// Text for a place along x.
    [[nodiscard]] std::optional<BinFacts> factsAt(double x) const;
    /// The same with tabs between name and value; blank where there is nothing.
    [[nodiscard]] QString factsText(double x) const;

protected:
    [[nodiscard]] Domain domain() const override { return m_histogram.spec.domain; }

private:
    [[nodiscard]] bool isKeptByEmphasised(double value) const;
    [[nodiscard]] Range filledRange() const;  ///< of the bins that are not empty
    [[nodiscard]] std::optional<LogX> logBins() const;
    [[nodiscard]] double unit() const;  ///< what a count of one is worth on the y axis
    [[nodiscard]] double mostInView(const AxisScale& x) const;  ///< greatest count
    [[nodiscard]] YAxis columnsAxis(const AxisScale& x) const;

    Histogram m_histogram;
    std::vector<std::uint64_t> m_countBefore{
        0};  ///< of all bins before each bin; the total at last
    std::vector<OutlineMark> m_outlines;
    CountAxis m_countAxis = CountAxis::Log;
    Quantity m_quantity = Quantity::Count;
    std::optional<QuantizedMark> m_quantized;
    std::optional<Rug> m_rug;
    bool m_areMovable = false;
    bool m_isPreliminary = false;
    bool m_isReasonGiven = false;  ///< by setEmpty()
};

/// Counts of |x| or of x (whichever the histogram is of) and the clip ranges chosen for them.
class HistogramPlot : public ContentPlot<HistogramContent>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    enum class Zoom { ShowAll, Keep };
    void setHistogram(const Histogram& histogram, Zoom zoom = Zoom::ShowAll)
    {
        shown().setHistogram(histogram);
        update(zoom == Zoom::ShowAll);
    }
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason)
    {
        shown().setEmpty(reason);
        update(true);
    }
    void setCountAxis(CountAxis axis) { change(&HistogramContent::setCountAxis, axis); }
    [[nodiscard]] CountAxis countAxis() const { return shown().countAxis(); }
    /// Thresholds beyond the data widen the axis; the x range shown stays where the user zoomed.
    void setThresholds(std::vector<ThresholdMark> thresholds)
    {
        change(&HistogramContent::setThresholds, std::move(thresholds));
    }
    void setOutlines(std::vector<OutlineMark> outlines)
    {
        change(&HistogramContent::setOutlines, std::move(outlines));
    }
    void setQuantity(Quantity quantity) { change(&HistogramContent::setQuantity, quantity); }
    /// Over the columns; nothing: no outline and no levels.
    void setQuantized(std::optional<QuantizedMark> quantized)
    {
        change(&HistogramContent::setQuantized, std::move(quantized));
    }
    void setRug(std::optional<Rug> rug) { change(&HistogramContent::setRug, std::move(rug)); }
    void setPreliminary(bool isPreliminary)
    {
        change(&HistogramContent::setPreliminary, isPreliminary);
    }
    /// Thresholds can be moved; their ends come back by handleMoved().
    void setMovable(bool areMovable) { change(&HistogramContent::setMovable, areMovable); }
    /// What is at a place, with tabs between name and value; blank where there is nothing.
    [[nodiscard]] QString factsText(double x) const { return shown().factsText(x); }
};

/// Histograms of several channels over each other, all of |x| or all of x.
class ChannelOutlinesContent : public PlotContent
{
public:
    void setOutlines(std::vector<OutlineMark> outlines);
    void setCountAxis(CountAxis axis) { m_countAxis = axis; }

    [[nodiscard]] bool isEmpty() const override { return m_most == 0; }
    [[nodiscard]] QString emptyText() const override
    {
        return tr("These channels have no distinct values to show.");
    }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    std::vector<OutlineMark> m_outlines;
    Range m_range{0.0, 1.0};   ///< that holds all bins that are not empty
    std::uint64_t m_most = 0;  ///< the largest count
    CountAxis m_countAxis = CountAxis::Log;
};

}  // namespace calibscope
