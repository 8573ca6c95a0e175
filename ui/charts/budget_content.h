// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

/// A model whose layers are in part more than int8, predicted.
struct BudgetMark
{
    double extraPercent = 0.0;  ///< cost beyond that of what is decided
    double db = 0.0;  ///< SQNR at the network's end; infinite: no noise is left; NaN: not known
    std::optional<double> lowDb;  ///< of its interval
    std::optional<double> highDb;
    QString changes;  ///< "2 layers in int16"
};

/// SQNR at the network's end by cost: a line through the points with their intervals, and a handle
/// on the chosen one. Points without noise are beyond the upper edge.
class BudgetContent : public PlotContent
{
public:
    /// In the order of their costs.
    void setPoints(std::vector<BudgetMark> points);
    [[nodiscard]] const std::vector<BudgetMark>& points() const { return m_points; }
    void setChosen(std::size_t point) { m_chosen = point; }
    [[nodiscard]] std::size_t chosen() const { return m_chosen; }
    /// The point whose cost is next to that by ratio; the first one at the left end.
    [[nodiscard]] std::size_t nearest(double extraPercent) const;

    [[nodiscard]] bool isEmpty() const override { return m_points.empty(); }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;
    [[nodiscard]] std::vector<PlotHandle> handles() const override;

protected:
    [[nodiscard]] QString sentences() const override;
    void clear() override { m_points.clear(); }

private:
    [[nodiscard]] QStringList factsOf(const BudgetMark& point) const;

    std::vector<BudgetMark> m_points;
    std::size_t m_chosen = 0;
};

/// The budget; dragging its handle, or a click, chooses a point.
class BudgetPlot : public ContentPlot<BudgetContent>
{
    Q_OBJECT

public:
    explicit BudgetPlot(QWidget* parent = nullptr);

    void setPoints(std::vector<BudgetMark> points);
    void setChosen(std::size_t point) { change(&BudgetContent::setChosen, point); }

protected:
    /// Left and Right go from point to point, however near they are.
    void keyPressEvent(QKeyEvent* event) override;

Q_SIGNALS:
    void pointChosen(std::size_t point);
};

}  // namespace calibscope
