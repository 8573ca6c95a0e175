#include "ui/pages/channels/channels_page.h"

#include "ui/pages/channels/channel_controls.h"
#include "ui/pages/channels/channel_marks.h"
#include "ui/pages/channels/channel_plots.h"
#include "ui/pages/channels/channel_side.h"

namespace calibscope {

void ChannelsPage::showScales()
{
    showGains();
    const ChannelScalesAnswer& first = m_reader.scales(0);
    if (!first.perChannel) {
        m_plots->clearScales(first.isPending ? tr("Computing the scales of the channels…")
                                             : QString());
        m_side->setFacts({});
        return;
    }
    if (!first.perChannel->problem.empty()) {
        m_plots->clearScales(QString::fromStdString(first.perChannel->problem));
        m_side->setFacts({});
        return;
    }
    if (const QString nothing = nothingToShow(first.perChannel->whole.extents); !nothing.isEmpty())
        return say({tr("No channel has a scale"), nothing});
    m_channelFacts = channelFacts(*first.perChannel, first.perTensor ? &*first.perTensor : nullptr);
    m_side->setFacts(m_channelFacts);
    m_controls->setOutliers(m_channelFacts.countOf(ChannelState::Outlier));
    m_plots->setScales(scaleRows(m_channelFacts, {&first, &m_reader.scales(1)},
                                 m_session.workbench().channels.order, chartColors(palette())));
    m_plots->setTensorClip(first.perTensor && first.perTensor->problem.empty()
                               ? std::optional(first.perTensor->whole.quantizer.clip)
                               : std::nullopt);
    m_plots->setMarks([this](std::size_t channel) { return marksOf(channel); });
    m_side->setChosen(m_chosen);
    if (m_wantsOutliers)
        chooseOutliers();
}

void ChannelsPage::showStrip()
{
    const QString& problem = m_reader.stripProblem();
    m_plots->setStrip(m_reader.strip(), m_session.display().domain,
                      problem.isEmpty() ? tr("Counting the values of each channel…") : problem);
}

void ChannelsPage::showGains()
{
    const ChartColors& colors = chartColors(palette());
    const std::array ids = m_controls->calibrators();
    const std::array styles = channelRowStyles(ids, colors);
    std::array<ChannelSide::Gain, 2> gains;
    for (std::size_t place = 0; place < gains.size(); ++place) {
        if (ids[place].empty())
            continue;
        gains[place] = {.label = calibratorTitle(ids[place]),
                        .color = readableOn(colors.background, styles[place].color),
                        .scales = &m_reader.scales(place)};
    }
    m_side->setGains(gains);
}

std::vector<ThresholdMark> ChannelsPage::marksOf(std::size_t channel) const
{
    return channelThresholds(channel, {&m_reader.scales(0), &m_reader.scales(1)},
                             chartColors(palette()));
}

}  // namespace calibscope
