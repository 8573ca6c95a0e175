// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "core/stats/strip.h"
#include "ui/charts/side_by_side_content.h"
#include "ui/plot/decimate.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <QImage>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Meaning of the colours of a heatmap: the logarithm of the count, from 1 to the largest.
class HeatKey
{
public:
    HeatKey() = default;
    explicit HeatKey(std::span<const std::uint64_t> counts);

    /// The largest count; 0: there is nothing to draw.
    [[nodiscard]] std::uint64_t most() const { return m_most; }
    /// Place of a count of at least one along the colours, 0 to 1.
    [[nodiscard]] double share(std::uint64_t count) const;
    /// Some counts with their places along the colours, the largest at last.
    [[nodiscard]] std::vector<LegendEntry> legend() const;

private:
    std::uint64_t m_most = 0;
};

/// Counts of a heat picture: rows from the first batch (or channel) on, each divided alike.
struct HeatGrid
{
    Domain domain = Domain::Magnitude;
    Range range;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<std::uint64_t> counts;  ///< row by row

    [[nodiscard]] std::uint64_t at(std::size_t row, std::size_t column) const
    {
        return counts[row * columns + column];
    }
    [[nodiscard]] double edge(std::size_t column) const
    {
        return range.low +
               static_cast<double>(column) / static_cast<double>(columns) * range.width();
    }
};

/// A clip range from row to row: what a calibrator chose after so many batches.
struct HeatPath
{
    QString label;
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
    std::vector<Range> clips;  ///< by row
    bool emphasised = false;
};

/// Rows of counts as a picture, colour by the logarithm of the count; empty cells are the ground.
/// Rows are numbered from 1, the first at the bottom. Where rows or columns are finer than pixels a
/// pixel shows the largest count. Rows that are not in use are veiled.
class HeatContent : public PlotContent
{
public:
    /// Name of a row, translated: "batch", "batches".
    struct Words
    {
        QString row;
        QString rows;
    };

    void setGrid(HeatGrid grid, Words words);
    void setPaths(std::vector<HeatPath> paths) { m_paths = std::move(paths); }
    /// How many rows, from the first on, are looked at; the rest is veiled.
    void setRowsInUse(std::size_t rows) { m_rowsInUse = rows; }
    [[nodiscard]] const HeatGrid& grid() const { return m_grid; }

    [[nodiscard]] bool isEmpty() const override { return m_key.most() == 0; }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

    /// The row at that place of the y axis, 0-based; nothing outside.
    [[nodiscard]] std::optional<std::size_t> rowAt(double y) const;

private:
    void paintPaths(QPainter& painter, const PlotFrame& frame) const;
    void paintVeil(QPainter& painter, const PlotFrame& frame) const;
    [[nodiscard]] QString cellText(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::size_t columnOf(double x) const;

    HeatGrid m_grid;
    Words m_words;
    std::vector<HeatPath> m_paths;
    std::optional<std::size_t> m_rowsInUse;
    HeatKey m_key;
};

/// One pixel for each pair of a row span and a column span: coloured by the largest count of the
/// cells that it stands for, transparent where that is 0. The first span of rows is the uppermost.
[[nodiscard]] QImage heatPicture(const HeatGrid& grid, std::span<const BinSpan> columns,
                                 std::span<const BinSpan> rows,
                                 const std::function<QColor(std::uint64_t)>& colorOf);

/// Rows of counts as a heat picture. Clicking a row tells which.
class HeatPlot : public ContentPlot<HeatContent>
{
    Q_OBJECT

public:
    explicit HeatPlot(QWidget* parent = nullptr);

    void setGrid(HeatGrid grid, HeatContent::Words words)
    {
        change(&HeatContent::setGrid, std::move(grid), std::move(words));
    }
    void setPaths(std::vector<HeatPath> paths) { change(&HeatContent::setPaths, std::move(paths)); }
    void setRowsInUse(std::size_t rows) { change(&HeatContent::setRowsInUse, rows); }

Q_SIGNALS:
    void rowClicked(std::size_t row);
};

/// Where the values of each channel lie: channels along x in a given order, the value along y,
/// colour by the logarithm of the count. Magnitudes have a logarithmic axis on which the first
/// column of the strip stands for 0. Where channels or columns of the strip are finer than pixels,
/// a pixel shows the largest count.
class ChannelHeatContent : public ChannelsContent
{
public:
    /// `order`: the channel at each place, one for each row of the strip.
    void setStrip(const Strip& strip, Domain domain, std::vector<std::size_t> order,
                  const QString& xTitle);
    /// Of one scale for the tensor: lines at its ends; nothing: none.
    void setTensorClip(std::optional<Range> clip) { m_tensorClip = clip; }

    [[nodiscard]] bool isEmpty() const override { return m_key.most() == 0; }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override { return m_key.legend(); }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    [[nodiscard]] QImage picture(const PlotFrame& frame, const QSize& pixels, const AxisScale& x,
                                 const AxisScale& y) const;
    void paintTensorClip(QPainter& painter, const PlotFrame& frame) const;
    void paintChosen(QPainter& painter, const PlotFrame& frame) const;

    HeatGrid m_grid;  ///< rows: columns of the strip; columns: channels in their order
    HeatKey m_key;
    std::optional<Range> m_tensorClip;

    /// The last picture: choosing a channel draws lines over the same one.
    struct Drawn
    {
        QSize pixels;
        Range x;
        Range y;
        bool isDark = false;
        QImage image;
    };
    mutable std::optional<Drawn> m_drawn;
};

}  // namespace calibscope
