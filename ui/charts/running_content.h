// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/layers_content.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

/// A tensor of a network that was run quantized and in float; every number in dB.
struct RunningMark
{
    QString name;
    std::optional<double> running;  ///< quantized against float; nothing: the line passes it by
    std::optional<double> own;      ///< at its own scale alone
    std::optional<double> layer;    ///< of its layer's output, with the layer alone quantized
    std::optional<double> drop;     ///< how far `running` is below the least of the layers before
    bool standsOut = false;         ///< its drop is among the largest, and has the name at it
};

/// The agreement of two networks along their tensors, from the first to the end: running dB as a
/// line, a short tick for each tensor's own dB, a ring for its layer's, and a column down to the
/// line for a drop. Infinite numbers are drawn at the upper edge.
class RunningContent : public DecibelsContent
{
public:
    RunningContent()
        : DecibelsContent(1.0, tr("Tensors are shown side by side; their axis is linear."))
    {}

    void setTensors(std::vector<RunningMark> tensors);
    [[nodiscard]] const std::vector<RunningMark>& tensors() const { return m_tensors; }
    [[nodiscard]] std::size_t count() const override { return m_tensors.size(); }
    [[nodiscard]] bool isEmpty() const override { return m_tensors.empty(); }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override { setTensors({}); }
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    [[nodiscard]] static QPointF pointOf(std::size_t index, double db, const PlotFrame& frame);
    void paintDrops(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    void paintLine(QPainter& painter, const PlotFrame& frame) const;
    void paintMarks(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    void paintNames(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    [[nodiscard]] QString factsOf(const RunningMark& tensor, const QString& separator) const;

    std::vector<RunningMark> m_tensors;
};

/// The line along a network.
class RunningPlot : public ContentPlot<RunningContent, DecibelsPlot>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    /// x stays as it is where there are as many tensors as before.
    void setTensors(std::vector<RunningMark> tensors);
};

}  // namespace calibscope
