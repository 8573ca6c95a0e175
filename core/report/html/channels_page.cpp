#include "core/report/html/channels_page.h"

#include "core/report/html/html.h"

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

std::string numbers(const std::vector<std::size_t>& channels)
{
    constexpr std::size_t mostListed = 50;
    std::string text;
    for (std::size_t index = 0; index < std::min(channels.size(), mostListed); ++index)
        text += (index == 0 ? "" : ", ") + std::to_string(channels[index]);
    if (channels.size() > mostListed)
        text += " and " + html::count(channels.size() - mostListed) + " more";
    return text.empty() ? "none" : text;
}

std::string survey(const TensorProfile& profile)
{
    const ChannelSurvey found = surveyChannels(profile);
    return html::facts({{"Channels", html::count(profile.channels.size())},
                        {"Median of max |x|", html::number(found.medianAbsMax, 5)},
                        {"More than three times the median", numbers(found.outliers)},
                        {"All zero or not finite", numbers(found.dead)}});
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

std::string channelTable(const ReportedTensor& part)
{
    const std::vector<const Result*> results = perChannel(part);
    html::Table table;
    table.column("Channel");
    for (const char* title : {"Minimum", "Maximum", "Zeros"})
        table.column(title, true);
    for (const Result* result : results)
        table.column("Scale, " + result->label, true);
    const std::vector<Extents>& channels = part.profile.channels;
    for (std::size_t channel = 0; channel < std::min(channels.size(), mostRows); ++channel) {
        const Extents& extents = channels[channel];
        std::vector<std::string> cells = {
            std::to_string(channel), extents.finite > 0 ? html::number(extents.min, 5) : "–",
            extents.finite > 0 ? html::number(extents.max, 5) : "–", html::count(extents.zeros)};
        for (const Result* result : results)
            cells.push_back(html::number(result->outcome.channels[channel].quantizer.scale, 5));
        table.row(cells);
    }
    return table.html() + (channels.size() > mostRows
                               ? "<p class=\"quiet\">The first " + html::count(mostRows) + " of " +
                                     html::count(channels.size()) + ".</p>\n"
                               : std::string());
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

std::string channelsPage(const ReportedTensor& part, const PageContext& context)
{
    const TensorInfo& info = part.profile.info;
    const std::string back = part.page.empty()
                                 ? std::string()
                                 : html::link(std::string(parentFolder) + part.page, info.name);
    const std::string body =
        "<nav><span>" + html::link(std::string(parentFolder) + "index.html", "All tensors") + back +
        "</span></nav>\n<header>\n<h1>Channels of " + html::escaped(info.name) +
        "</h1>\n<p class=\"quiet\">" + html::escaped(shapeText(info.shape)) + " · axis " +
        (info.channelAxis ? std::to_string(*info.channelAxis) : "–") + " · " +
        html::escaped(fileName(*context.source)) + "</p>\n</header>\n<main>\n" +
        survey(part.profile) + html::section("Channels", channelTable(part)) + "</main>\n" +
        html::footer();
    return html::page("Channels of " + info.name, body, context.isDark);
}

}  // namespace calibscope::report
