// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/layer_results.h"
#include "ui/charts/side_by_side_content.h"
#include "ui/plot/plot_view.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

/// A layer in a plot; every number in dB.
struct LayerMark
{
    QString name;
    std::optional<double> output;  ///< SQNR of its output; nothing: not known
    double interval = 0.0;         ///< it lies within +- so much
    std::optional<double> ac;      ///< of the signal without the channels' means
    std::optional<double> input;   ///< with the input alone quantized
    std::optional<double> weight;  ///< with the weight alone quantized
    bool isRough = false;          ///< of few positions, to be refined
    QString reason = {};           ///< why nothing is known
    QByteArray needs = {};         ///< of its name's parts, see elidedName()
};

/// Layers from left to right.
struct LayersMark
{
    std::vector<LayerMark> layers;
    QString xTitle;
    QColor inputColor;
    QColor weightColor;
    QColor inkColor;  ///< of what is drawn in the colour of text, for the legend
};

/// Numbers in dB of the parts of a network side by side, one of which may be chosen. x is the
/// position, from 1.
class DecibelsContent : public SideBySideContent
{
public:
    using SideBySideContent::SideBySideContent;

    /// None unless it is set.
    void setChosen(std::optional<std::size_t> index) { m_chosen = index; }
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }

protected:
    void paintChosen(QPainter& painter, const PlotFrame& frame) const;
    /// For numbers in that range; 0 is in it, and only negative numbers are below.
    [[nodiscard]] static std::vector<YAxis> decibelAxis(Range range, const QString& title);
    [[nodiscard]] static double dotRadius(const PlotFrame& frame)
    {
        return std::clamp(roomOf(frame) * 0.25, 2.0, 6.0);
    }

private:
    std::optional<std::size_t> m_chosen;
};

/// A part is chosen by a click, and by Left and Right from the one that is.
class DecibelsPlot : public PlotView
{
    Q_OBJECT

public:
    explicit DecibelsPlot(std::unique_ptr<DecibelsContent> content, QWidget* parent = nullptr);

    /// In view.
    void setChosen(std::optional<std::size_t> part);

protected:
    void keyPressEvent(QKeyEvent* event) override;

Q_SIGNALS:
    void partChosen(std::size_t part);

private:
    DecibelsContent& m_content;
};

/// The layers of a network side by side: for each two faint bars, what the output would be worth if
/// only the input, only the weight were quantized, over them a dot with a whisker for both, in the
/// colour of its grade below the limits of SQNR, and a ring for the same without the channels'
/// means; a line at the limit. Infinite numbers are drawn at the upper edge. A layer
/// of which nothing is known is a cross on the x axis. The names stand below the axis.
class LayersContent : public DecibelsContent
{
public:
    LayersContent()
        : DecibelsContent(1.0, tr("Layers are shown side by side; their axis is linear."))
    {}

    void setLayers(LayersMark mark);
    [[nodiscard]] std::size_t count() const override { return m_mark.layers.size(); }
    [[nodiscard]] bool isEmpty() const override { return m_mark.layers.empty(); }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<PlaceName> xNames() const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    static void paintLimit(QPainter& painter, const PlotFrame& frame);
    void paintBars(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    void paintWhiskers(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    void paintDots(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    void paintMissing(QPainter& painter, const PlotFrame& frame, const Places& places) const;
    [[nodiscard]] QString factsOf(const LayerMark& layer, const QString& separator) const;

    LayersMark m_mark;
};

class LayersPlot : public ContentPlot<LayersContent, DecibelsPlot>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    /// x stays as it is where there are as many layers as before.
    void setLayers(LayersMark mark);
};

/// The error of a layer's output channel by channel.
struct LayerChannelsMark
{
    LayerChannels channels;
    QColor meanColor;
    QColor spreadColor;
};

/// Mean error of each output channel as a column up or down from 0, before the root of the mean
/// squared error as a fainter column to both sides: what correcting the bias removes, of what there
/// is. Where there are more channels than pixels, the largest of each pixel. x is the channel.
class LayerChannelsContent : public SideBySideContent
{
public:
    LayerChannelsContent() { m_xTitle = tr("output channel"); }
    void setChannels(LayerChannelsMark mark) { m_mark = std::move(mark); }

    [[nodiscard]] std::size_t count() const override { return m_mark.channels.size(); }
    [[nodiscard]] bool isEmpty() const override { return count() == 0; }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override { m_mark = {}; }
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    LayerChannelsMark m_mark;
};

/// Errors by output channel.
class LayerChannelsPlot : public ContentPlot<LayerChannelsContent>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    void setChannels(LayerChannelsMark mark)
    {
        shown().setChannels(std::move(mark));
        update(true);
    }
};

}  // namespace calibscope
