// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "ui/plot/plot_content.h"

#include <memory>
#include <optional>
#include <utility>

namespace calibscope {

/// The values along one axis of a tensor, all other indices fixed: of each cell the reach from its
/// least value to its greatest. What lies outside of the clip range is in another colour; a mark at
/// the lower edge stands for NaN and infinities.
class SliceLineContent : public PlotContent
{
public:
    using Shared = std::shared_ptr<const Slice>;

    /// A slice of one row (or of one column, which is turned). `length`: of the axis.
    void setLine(Shared line, std::uint64_t length);
    void setTitle(const QString& axis) { m_xTitle = axis; }
    /// Nothing: not known, or not the same for all.
    void setClip(std::optional<Range> clip) { m_clip = clip; }
    [[nodiscard]] const Shared& line() const { return m_line; }

    [[nodiscard]] bool isEmpty() const override { return m_line == nullptr; }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    [[nodiscard]] bool isLegendNeeded() const override { return false; }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override { m_line.reset(); }
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    [[nodiscard]] Range valueRange(const Range& shown) const;
    /// First cell and one behind the last that reach into a range of indices.
    [[nodiscard]] std::pair<std::size_t, std::size_t> cellsIn(const Range& shown) const;
    [[nodiscard]] Range indicesOf(std::size_t cell) const;
    [[nodiscard]] std::optional<std::size_t> cellAt(double x) const;

    Shared m_line;
    std::uint64_t m_length = 0;
    std::uint64_t m_first = 0;  ///< of the line's own axis
    std::uint64_t m_step = 1;
    QString m_xTitle;
    std::optional<Range> m_clip;
};

}  // namespace calibscope
