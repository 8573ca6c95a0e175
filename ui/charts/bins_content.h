// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace calibscope {

/// A number that a format has: where it lies, and what is known of it.
struct LevelMark
{
    double x = 0.0;
    QString text;  ///< lines: number, patterns, counts
};

/// An end of what a format holds, as a dashed line.
struct LimitMark
{
    double x = 0.0;
    QString text;
};

/// A histogram of anything along any axis.
struct BinsMark
{
    Histogram bins;
    Range all;        ///< of x
    QString title;    ///< of x
    QString counted;  ///< "blocks": of y
    /// Position along x in words, with the ends of its bin.
    std::function<QString(const Range& bin)> at = {};
    std::vector<PlaceName> names = {};   ///< instead of numbers along x
    std::optional<Range> inside = {};    ///< bins with their centre elsewhere are paler
    bool isBand = false;                 ///< that range is drawn as a band
    std::vector<LevelMark> levels = {};  ///< ascending along x
    std::vector<LimitMark> limits = {};
    std::optional<PlotHandle> handle = {};
    QString sentence;  ///< all of it in words
};

/// Counts as columns; over them levels as ticks, shaded where they are too dense, and limits.
class BinsContent : public PlotContent
{
public:
    void setMark(BinsMark mark) { m_mark = std::move(mark); }
    void setLogCount(bool isLog) { m_isLogCount = isLog; }
    [[nodiscard]] const BinsMark& mark() const { return m_mark; }
    /// The nearest level; nullptr without any.
    [[nodiscard]] const LevelMark* levelAt(double x) const;

    [[nodiscard]] bool isEmpty() const override { return m_mark.bins.counts.empty(); }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<PlaceName> xNames() const override { return m_mark.names; }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    [[nodiscard]] bool isLegendNeeded() const override { return !legend().empty(); }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;
    [[nodiscard]] std::vector<PlotHandle> handles() const override;

protected:
    [[nodiscard]] QString sentences() const override { return m_mark.sentence; }
    void clear() override { m_mark = {}; }

private:
    void paintLevels(QPainter& painter, const PlotFrame& frame) const;
    [[nodiscard]] QString binText(double x) const;  ///< blank outside

    BinsMark m_mark;
    bool m_isLogCount = true;
};

class BinsPlot : public ContentPlot<BinsContent>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    enum class Zoom { ShowAll, Keep };
    void setMark(BinsMark mark, Zoom zoom)
    {
        shown().setMark(std::move(mark));
        update(zoom == Zoom::ShowAll);
    }
    void setLogCount(bool isLog) { change(&BinsContent::setLogCount, isLog); }
};

}  // namespace calibscope
