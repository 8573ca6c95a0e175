// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels/channel_marks.h"

#include "core/recipes/candidates.h"
#include "core/recipes/make_choice.h"
#include "ui/document/tensor_text.h"
#include "ui/models/candidate_style.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <limits>

namespace calibscope {

namespace {

bool hasScales(const ChannelScalesAnswer& answer)
{
    return answer.perChannel && answer.perChannel->problem.empty() &&
           answer.perChannel->isPerChannel();
}

bool hasOneScale(const ChannelScalesAnswer& answer)
{
    return answer.perTensor && answer.perTensor->problem.empty();
}

QString labelOf(const Outcome& outcome)
{
    return calibratorTitle(outcome.choice.calibrator);
}

std::array<SeriesStyle, 2> stylesOf(const ChannelAnswers& answers, const ChartColors& colors)
{
    std::array<std::string, 2> ids;
    for (std::size_t place = 0; place < ids.size(); ++place)
        if (hasScales(*answers[place]))
            ids[place] = answers[place]->perChannel->choice.calibrator;
    return channelRowStyles(ids, colors);
}

QString orderTitle(ChannelOrder order)
{
    switch (order) {
    case ChannelOrder::Index: return tr("channel");
    case ChannelOrder::Scale: return tr("channels by scale, ascending");
    case ChannelOrder::State: return tr("channels, outliers first");
    }
    return {};
}

}  // namespace

QString calibratorTitle(const std::string& id)
{
    const std::string_view title = calibrator(id).title;
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

std::array<SeriesStyle, 2> channelRowStyles(const std::array<std::string, 2>& ids,
                                            const ChartColors& colors)
{
    std::array<SeriesStyle, 2> styles;
    for (std::size_t place = 0; place < ids.size(); ++place)
        if (!ids[place].empty())
            styles[place] = candidateStyle(
                candidateId(makeChoice(ids[place], {}, SchemeKind::SymmetricRestricted,
                                       Granularity::Tensor)),
                colors);
    for (int further = 0; styles[1].color == styles[0].color && further < seriesColorCount;
         ++further)
        styles[1].color = seriesStyle(further, colors).color;
    // Drawn full and as rings; their lines differ, too.
    styles[0].pen = Qt::SolidLine;
    styles[1].pen = Qt::DashLine;
    return styles;
}

ScaleRowsMark scaleRows(const ChannelFacts& facts, const ChannelAnswers& answers,
                        ChannelOrder order, const ChartColors& colors)
{
    ScaleRowsMark mark{.rows = {},
                       .order = channelOrder(facts, order),
                       .xTitle = orderTitle(order),
                       .median = facts.median,
                       .outlierFactor = outlierFactor};
    for (std::size_t channel = 0; channel < facts.channels.size(); ++channel)
        if (facts.channels[channel].state == ChannelState::BelowStep)
            mark.effectivelyDead.push_back(channel);
    const std::array styles = stylesOf(answers, colors);
    for (std::size_t place = 0; place < answers.size(); ++place) {
        const ChannelScalesAnswer& answer = *answers[place];
        if (!hasScales(answer) || answer.perChannel->channels.size() != facts.channels.size())
            continue;
        ScaleRowMark row{.label = labelOf(*answer.perChannel),
                         .color = styles[place].color,
                         .isHollow = place > 0,
                         .scales = {},
                         .tensorScale = std::nullopt};
        for (const ScaleRow& channel : answer.perChannel->channels)
            row.scales.push_back(channel.extents.absMax() > 0.0
                                     ? channel.quantizer.scale
                                     : std::numeric_limits<double>::quiet_NaN());
        if (hasOneScale(answer))
            row.tensorScale = answer.perTensor->whole.quantizer.scale;
        mark.rows.push_back(std::move(row));
    }
    return mark;
}

std::vector<ThresholdMark> channelThresholds(std::size_t channel, const ChannelAnswers& answers,
                                             const ChartColors& colors)
{
    std::vector<ThresholdMark> marks;
    const std::array styles = stylesOf(answers, colors);
    for (std::size_t place = 0; place < answers.size(); ++place) {
        const ChannelScalesAnswer& answer = *answers[place];
        if (!hasScales(answer) || channel >= answer.perChannel->channels.size())
            continue;
        marks.push_back({.label = labelOf(*answer.perChannel),
                         .color = styles[place].color,
                         .style = styles[place].pen,
                         .clip = answer.perChannel->channels[channel].quantizer.clip});
    }
    const ChannelScalesAnswer& first = *answers.front();
    if (hasOneScale(first))
        marks.push_back({.label = tr("one for the tensor"),
                         .color = colors.faintText,
                         .style = Qt::DotLine,
                         .clip = first.perTensor->whole.quantizer.clip});
    return marks;
}

std::optional<ChannelsNotice> whyNoChannels(const TensorInfo* tensor)
{
    if (!tensor)
        return ChannelsNotice{tr("No tensor"), tr("Select a tensor to see its channels.")};
    if (!tensor->isReadable())
        return ChannelsNotice{tr("This tensor can't be read"),
                              QString::fromStdString(tensor->unreadable.sentence)};
    if (!tensor->channelAxis)
        return ChannelsNotice{
            tr("This tensor has no channel axis"),
            tr("Neither the file nor a rule says which of its axes (%1) holds channels.")
                .arg(shapeLabel(*tensor)),
            tr("Choose the channel axis")};
    return std::nullopt;
}

QString nothingToShow(const Extents& extents)
{
    if (extents.values() == 0)
        return tr("This tensor has no values.");
    if (extents.finite == 0 && extents.overflowed > 0)
        return countText(extents.values(),
                         tr("Its only value is beyond float32, as which values are read: no scale "
                            "can be found for any channel."),
                         tr("None of its %1 values can be used: %2 are finite in the file but "
                            "beyond float32, as which values are read. No scale can be found for "
                            "any channel."))
            .arg(countLabel(extents.overflowed));
    if (extents.finite == 0)
        return countText(
            extents.values(),
            tr("Its only value is not finite: no scale can be found for any channel."),
            tr("None of its %1 values is finite: no scale can be found for any channel."));
    if (extents.absMax() == 0.0)
        return countText(extents.finite,
                         tr("Its only finite value is zero: every channel has the scheme's scale "
                            "for all-zero data."),
                         tr("All its %1 finite values are zero: every channel has the scheme's "
                            "scale for all-zero data."));
    return {};
}

std::vector<std::size_t> withClicked(std::vector<std::size_t> chosen, std::size_t channel,
                                     bool isAdded)
{
    const auto found = std::ranges::find(chosen, channel);
    const bool wasChosen = found != chosen.end();
    if (!isAdded)
        return wasChosen && chosen.size() == 1 ? std::vector<std::size_t>{}
                                               : std::vector<std::size_t>{channel};
    if (wasChosen)
        chosen.erase(found);
    else
        chosen.push_back(channel);
    return chosen;
}

}  // namespace calibscope
