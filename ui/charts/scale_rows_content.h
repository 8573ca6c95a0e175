// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/histogram_content.h"
#include "ui/charts/side_by_side_content.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// How the scales of a tensor's channels are spread: a histogram of their binary logarithms, a
/// quarter of a bit to a bin.
class SpreadContent : public HistogramContent
{
public:
    /// Scales that are not positive and finite are left out.
    void setScales(std::span<const double> scales);

    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
};

/// The scales that one calibrator gives a tensor's channels.
struct ScaleRowMark
{
    QString label;
    QColor color;
    bool isHollow = false;              ///< rings in place of dots
    std::vector<double> scales;         ///< by channel; NaN: it has none of its own
    std::optional<double> tensorScale;  ///< one scale for all, to compare with
};

/// One or two calibrators' scales by channel.
struct ScaleRowsMark
{
    std::vector<ScaleRowMark> rows;
    std::vector<std::size_t> order;  ///< the channel at each place along x
    QString xTitle;
    double median = 0.0;  ///< of the first row; 0: no line
    double outlierFactor =
        3.0;  ///< the band reaches from the median over it to the median times it
    /// Channels that have values, but none that one scale for the tensor could tell from 0.
    std::vector<std::size_t> effectivelyDead = {};
};

/// Channels in their own order, without a band.
[[nodiscard]] ScaleRowsMark inIndexOrder(std::vector<ScaleRowMark> rows, const QString& xTitle);

/// Where the scales of a row lie that stand far apart from the median: in bands of their own at the
/// ends of the axis, so that they do not squash all others.
struct ScaleBands
{
    Range inside;  ///< of the axis proper
    bool hasLow = false;
    bool hasHigh = false;
    double low = 0.0;  ///< where on the logarithmic axis the band's dots stand
    double high = 0.0;

    [[nodiscard]] double placeOf(double scale) const
    {
        return hasLow && scale < inside.low ? low : hasHigh && scale > inside.high ? high : scale;
    }
};

/// Scales per channel as dots, two calibrators' with a connector; from least to greatest in each
/// pixel column where there are more than 1000 channels in view. The scales of the whole tensor are
/// dashed lines, the median is a line in the band outside of which a channel is an outlier.
/// Channels without a scale are crosses on the x axis. Scales below 1e-4 of the median or above 1e4
/// times it are triangles in a band at that edge, marked "<" or ">". Channels stand in a given
/// order: x is their place, 0-based.
class ScaleRowsContent : public ChannelsContent
{
public:
    void setRows(ScaleRowsMark mark);

    [[nodiscard]] bool isEmpty() const override { return m_isEmpty; }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    [[nodiscard]] double scaleAt(const ScaleRowMark& row, std::size_t place) const;
    [[nodiscard]] ScaleBands bands() const;
    /// By the first row: channels whose scale is in a band.
    [[nodiscard]] std::size_t countFar(const ScaleBands& bands) const;
    void paintEdges(QPainter& painter, const PlotFrame& frame) const;
    void paintMedianBand(QPainter& painter, const PlotFrame& frame) const;
    void paintConnectors(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    void paintDots(QPainter& painter, const PlotFrame& frame, const Places& places,
                   const ScaleRowMark& row) const;
    void paintBars(QPainter& painter, const PlotFrame& frame, const Places& places,
                   const ScaleRowMark& row) const;
    void paintMissing(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    void paintTensorScales(QPainter& painter, const PlotFrame& frame) const;
    /// No dot and no scale of the tensor is drawn there.
    [[nodiscard]] bool isFree(const QRectF& box, const PlotFrame& frame) const;
    void paintBandLabels(QPainter& painter, const PlotFrame& frame) const;
    void paintChosen(QPainter& painter, const PlotFrame& frame) const;

    ScaleRowsMark m_mark;
    ScaleBands m_bands;
    bool m_isEmpty = true;
};

}  // namespace calibscope
