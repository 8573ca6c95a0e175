// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/side_by_side_content.h"
#include "ui/plot/plot_view.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

/// Largest magnitudes of a layer's input channels and of the weights that meet them.
struct OperandChannels
{
    std::vector<double> input;
    std::vector<double> weight;
    /// What the input's channels are divided by and the weight's multiplied with; empty: nothing.
    std::vector<float> factors = {};
};

/// Both operands' largest magnitudes by input channel, the loudest channel first: as they are, as
/// faint lines, and with factors. Channels of zeros are left out of the lines.
class OperandChannelsContent : public SideBySideContent
{
public:
    void setChannels(OperandChannels channels);
    [[nodiscard]] const OperandChannels& channels() const { return m_channels; }

    [[nodiscard]] std::size_t count() const override { return m_order.size(); }
    [[nodiscard]] bool isEmpty() const override { return m_order.empty(); }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

protected:
    [[nodiscard]] QString sentences() const override;
    void clear() override { setChannels({}); }

private:
    [[nodiscard]] double inputAt(std::size_t channel, bool isScaled) const;
    [[nodiscard]] double weightAt(std::size_t channel, bool isScaled) const;

    OperandChannels m_channels;
    std::vector<std::size_t> m_order;
};

class OperandChannelsPlot : public ContentPlot<OperandChannelsContent>
{
    Q_OBJECT

public:
    explicit OperandChannelsPlot(QWidget* parent = nullptr) : ContentPlot(parent) {}
    void setChannels(OperandChannels channels)
    {
        change(&OperandChannelsContent::setChannels, std::move(channels));
    }
};

}  // namespace calibscope
