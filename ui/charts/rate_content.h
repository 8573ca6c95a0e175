// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

/// A tensor under a number format.
struct RateMark
{
    QString format;
    QString family;  ///< marks of one follow each other and are joined by a line
    double bits = 0.0;
    double db = 0.0;
    bool isBest = false;  ///< no other one has as high an SQNR with so few bits
};

/// What a rate curve's points lie along, and what they show.
struct RateAxes
{
    QString x;            ///< title
    QString y;            ///< title
    bool areBits = true;  ///< else x is a setting: the nearest point is read out
    QString all;          ///< "SQNR by effective bits of %1", of so many points
    /// A level to compare with, drawn through; without, none.
    std::optional<double> level = {};
    QString levelName = {};
};

/// Of a tensor's rate curve.
[[nodiscard]] RateAxes rateAxes();

/// SQNR by effective bits: a line for each family of number formats, the points that none exceeds
/// filled. Or by another setting.
class RateContent : public PlotContent
{
public:
    /// Without a point beyond any scale, in the order of the families.
    void setMarks(std::vector<RateMark> marks) { m_marks = std::move(marks); }
    [[nodiscard]] const std::vector<RateMark>& marks() const { return m_marks; }
    /// Effective bits and SQNR of a tensor, without it.
    void setAxes(RateAxes axes) { m_axes = std::move(axes); }
    void setChosen(std::optional<std::size_t> mark) { m_chosen = mark; }
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }
    /// The mark nearest to that point, distances being shares of the axes.
    [[nodiscard]] std::size_t nearest(double bits, double db) const;

    [[nodiscard]] bool isEmpty() const override { return m_marks.empty(); }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    /// Lines have their names next to their points.
    [[nodiscard]] bool isLegendNeeded() const override { return false; }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

protected:
    [[nodiscard]] QString sentences() const override;
    void clear() override
    {
        m_marks.clear();
        m_chosen.reset();
    }

private:
    struct Line
    {
        std::size_t first = 0;
        std::size_t end = 0;
    };
    [[nodiscard]] std::vector<Line> lines() const;
    [[nodiscard]] Range valuesOf(double RateMark::*value) const;
    void paintNames(QPainter& painter, const PlotFrame& frame) const;

    [[nodiscard]] QString textOf(const RateMark& mark) const;
    void paintLevel(QPainter& painter, const PlotFrame& frame) const;

    std::vector<RateMark> m_marks;
    RateAxes m_axes = rateAxes();
    std::optional<std::size_t> m_chosen;
};

/// The rate curve; a click, Left or Right chooses a point.
class RatePlot : public ContentPlot<RateContent>
{
    Q_OBJECT

public:
    explicit RatePlot(QWidget* parent = nullptr);

    void setMarks(std::vector<RateMark> marks);
    void setAxes(RateAxes axes) { change(&RateContent::setAxes, std::move(axes)); }
    void setChosen(std::optional<std::size_t> mark) { change(&RateContent::setChosen, mark); }

Q_SIGNALS:
    void markChosen(std::size_t mark);

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace calibscope
