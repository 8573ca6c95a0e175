#pragma once

#include "ui/charts/marks.h"
#include "ui/charts/plot_view.h"

namespace calibscope {

/// The scale of each channel on a logarithmic axis, and the scale of the whole tensor as a line.
class ChannelsPlot : public PlotView
{
    Q_OBJECT

public:
    explicit ChannelsPlot(QWidget* parent = nullptr);

    void setScales(const ChannelScales& scales);
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason);
};

}  // namespace calibscope
