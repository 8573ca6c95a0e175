// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/channels_page.h"

#include "core/report/describe/page_parts.h"

#include <algorithm>

namespace calibscope::report {

namespace {

constexpr std::string_view parentFolder = "../";
constexpr std::size_t mostRows = 5000;
constexpr double outlierFactor = 3.0;

bool isDead(const Extents& channel)
{
    return channel.finite == 0 || channel.zeros == channel.finite;
}

Page::Line numbers(const std::vector<std::size_t>& channels)
{
    constexpr std::size_t mostListed = 50;
    std::string text;
    for (std::size_t index = 0; index < std::min(channels.size(), mostListed); ++index)
        text += (index == 0 ? "" : ", ") + std::to_string(channels[index]);
    if (channels.empty())
        return textLine("none");
    if (channels.size() <= mostListed)
        return textLine(text);
    return {piece::text(text + " and "), piece::count(channels.size() - mostListed),
            piece::text(" more")};
}

Page::Facts survey(const TensorProfile& profile)
{
    const ChannelSurvey found = surveyChannels(profile);
    return {{{"Channels", {piece::count(profile.channels.size())}},
             {"Median of max |x|", {piece::number(found.medianAbsMax, 5)}},
             {"More than three times the median", numbers(found.outliers)},
             {"All zero or not finite", numbers(found.dead)}}};
}

std::vector<const Result*> perChannel(const ReportedTensor& part)
{
    std::vector<const Result*> found;
    for (const Result& result : part.results)
        if (result.outcome.problem.empty() &&
            result.outcome.channels.size() == part.profile.channels.size())
            found.push_back(&result);
    return found;
}

Page::Table channelTable(const ReportedTensor& part)
{
    const std::vector<const Result*> results = perChannel(part);
    Page::Table table{{{"Channel"}, {"Minimum", true}, {"Maximum", true}, {"Zeros", true}}, {}};
    for (const Result* result : results)
        table.columns.push_back({"Scale, " + result->label, true});
    const std::vector<Extents>& channels = part.profile.channels;
    for (std::size_t channel = 0; channel < std::min(channels.size(), mostRows); ++channel) {
        const Extents& extents = channels[channel];
        const auto end = [&extents](double value) {
            return extents.finite > 0 ? Page::Line{piece::number(value, 5)} : textLine("–");
        };
        std::vector<Page::Line> cells = {textLine(std::to_string(channel)),
                                         end(extents.min),
                                         end(extents.max),
                                         {piece::count(extents.zeros)}};
        for (const Result* result : results)
            cells.push_back({piece::number(result->outcome.channels[channel].quantizer.scale, 5)});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace

ChannelSurvey surveyChannels(const TensorProfile& profile)
{
    ChannelSurvey survey;
    std::vector<double> living;
    for (std::size_t channel = 0; channel < profile.channels.size(); ++channel)
        if (isDead(profile.channels[channel]))
            survey.dead.push_back(channel);
        else
            living.push_back(profile.channels[channel].absMax());
    if (living.empty())
        return survey;
    std::ranges::nth_element(living,
                             living.begin() + static_cast<std::ptrdiff_t>(living.size() / 2));
    survey.medianAbsMax = living[living.size() / 2];
    for (std::size_t channel = 0; channel < profile.channels.size(); ++channel)
        if (!isDead(profile.channels[channel]) &&
            profile.channels[channel].absMax() > outlierFactor * survey.medianAbsMax)
            survey.outliers.push_back(channel);
    return survey;
}

Page channelsPage(const ReportedTensor& part, const PageContext& context)
{
    const TensorInfo& info = part.profile.info;
    const std::string up(parentFolder);
    Page::Line links{piece::link(up + "index.html", "All tensors")};
    if (!part.page.empty())
        links.push_back(piece::link(up + part.page, info.name));
    Page::Section channels{.title = "Channels", .blocks = {channelTable(part)}};
    if (part.profile.channels.size() > mostRows)
        channels.blocks.emplace_back(
            Page::Paragraph{{piece::text("The first "), piece::count(mostRows), piece::text(" of "),
                             piece::count(part.profile.channels.size()), piece::text(".")},
                            true});
    return {.title = "Channels of " + info.name,
            .subtitle = shapeText(info.shape) + " · axis " +
                        (info.channelAxis ? std::to_string(*info.channelAxis) : "–") + " · " +
                        fileName(*context.source),
            .routes = {std::move(links)},
            .sections = {{.title = {}, .blocks = {survey(part.profile)}}, std::move(channels)},
            .isDark = context.isDark};
}

}  // namespace calibscope::report
