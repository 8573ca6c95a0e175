// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "ui/charts/slice_colors.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <QImage>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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
    [[nodiscard]] std::vector<LegendEntry> legend() const override { return {}; }
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

/// Contents of a slice, for drawing and readout.
struct SliceWords
{
    QString rows;     ///< title of the row axis: "axis 2 (H)"
    QString columns;  ///< of the column axis
    QString clipped;  ///< of the legend: "clipped by entropy"; empty: nothing is said of clipping
    QString marked;   ///< "0.5 to 0.75"; empty: nothing is marked
    QString counted = {};     ///< what the indices count, "blocks"; empty: values
    bool isOneSided = false;  ///< 0 is a number as any other: colours go from least to greatest
    /// What is kept of all values alike; nothing where channels have ranges of their own.
    std::optional<Range> clip = {};
    /// Of the value (or values) at row and column, for readouts.
    std::function<QString(std::uint64_t row, std::uint64_t column)> at;
};

/// Of so many indices side by side.
[[nodiscard]] XAxis indexAxis(std::uint64_t count, const QString& title);

/// Two axes of a tensor as a picture: columns along x, rows downward, colour by the value of each
/// cell that is farthest from 0. Draws slices over one another, the coarser one below, so that
/// there is something to see while a part is read more closely. Images have as many pixels as the
/// slices have cells.
class SliceContent : public PlotContent
{
public:
    using Shared = std::shared_ptr<const Slice>;

    /// All of the axes.
    void setExtent(std::uint64_t rows, std::uint64_t columns)
    {
        m_rows = rows;
        m_columns = columns;
    }
    /// The whole, and perhaps a part of it closely.
    void setSlices(Shared whole, Shared part)
    {
        m_whole = std::move(whole);
        m_part = std::move(part);
    }
    void setRange(const Range& range) { m_range = range; }
    void setWords(SliceWords words) { m_words = std::move(words); }
    [[nodiscard]] const Shared& whole() const { return m_whole; }
    [[nodiscard]] const Shared& part() const { return m_part; }
    [[nodiscard]] const Range& range() const { return m_range; }
    [[nodiscard]] bool hasMarked() const { return !m_words.marked.isEmpty(); }

    [[nodiscard]] bool isEmpty() const override { return m_whole == nullptr; }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    /// Colours that stand for no value of the colour bar.
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    /// Room for a colour bar with its ticks, where the picture is high enough.
    [[nodiscard]] double bandHeight(const PlotRoom& room) const override;
    void paintBand(QPainter& painter, const PlotFrame& frame) const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

    /// The slice that shows a value most closely, and its cell there; nullptr: none shows it.
    struct Cell
    {
        const Slice* slice = nullptr;
        std::size_t place = 0;
    };
    [[nodiscard]] Cell cellAt(std::uint64_t row, std::uint64_t column) const;

private:
    struct Drawn
    {
        Shared slice;
        Range range;
        bool isDark = false;
        bool hasMarked = false;
        QImage image;
    };
    void paintBarTicks(QPainter& painter, const PlotFrame& frame, const Range& shown,
                       const QRectF& bar) const;
    const QImage& imageOf(const Shared& slice, Drawn& drawn, bool isDark) const;
    void draw(QPainter& painter, const PlotFrame& frame, const Shared& slice, Drawn& drawn) const;

    std::uint64_t m_rows = 0;
    std::uint64_t m_columns = 0;
    Shared m_whole;
    Shared m_part;
    Range m_range;
    SliceWords m_words;
    mutable Drawn m_drawnWhole;
    mutable Drawn m_drawnPart;
};

/// A slice as a picture. The arrow keys choose a value, with Shift one ten further; Page Up and
/// Page Down go along another axis; a click chooses a value, too.
class SlicePlot : public ContentPlot<SliceContent>
{
    Q_OBJECT

public:
    explicit SlicePlot(QWidget* parent = nullptr);

    /// A ring around that value.
    void setChosen(std::uint64_t row, std::uint64_t column);
    /// Zooms so far in or moves that the value is on screen.
    void reveal(std::uint64_t row, std::uint64_t column);

Q_SIGNALS:
    void chosen(quint64 row, quint64 column);
    /// From the chosen value.
    void moved(int rows, int columns);
    void turned(int indices);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace calibscope
