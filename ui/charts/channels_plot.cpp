#include "ui/charts/channels_plot.h"

#include "ui/charts/channels_content.h"

namespace calibscope {

ChannelsPlot::ChannelsPlot(QWidget* parent) : PlotView(std::make_unique<ChannelsContent>(), parent)
{
    setScales({});
}

void ChannelsPlot::setScales(const ChannelScales& scales)
{
    static_cast<ChannelsContent&>(content()).setScales(scales);
    refresh(true);
}

void ChannelsPlot::clear(const QString& reason)
{
    static_cast<ChannelsContent&>(content()).setEmpty(reason);
    refresh(true);
}

}  // namespace calibscope
