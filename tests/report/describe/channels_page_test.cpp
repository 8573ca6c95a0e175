// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/channels_page.h"

#include "core/report/html/html.h"
#include "tests/report/describe/some_report.h"
#include "tests/support/catch.h"

namespace describe_channels_page_test {

using namespace calibscope;
using namespace calibscope::report;
using namespace calibscope::test;

Extents reaching(double absMax)
{
    return {.finite = 4, .min = -absMax, .max = absMax / 2.0};
}

/// Channels 1 and 5 stand out, 2 is dead.
ReportedTensor partWithChannels()
{
    ReportedTensor part = somePart("w");
    part.profile.channels = {reaching(1.0), reaching(9.0), {.finite = 4, .zeros = 4},
                             reaching(1.5), reaching(2.0), reaching(8.0),
                             reaching(1.2)};
    part.results = {someResult("a", 40.0)};
    for (std::size_t channel = 0; channel < part.profile.channels.size(); ++channel)
        part.results[0].outcome.channels.push_back(
            {.quantizer = {.scale = 0.125 * static_cast<double>(channel + 1)}});
    return part;
}

TEST_CASE("channels that stand out and dead ones are found")
{
    const ChannelSurvey survey = surveyChannels(partWithChannels().profile);
    CHECK(survey.medianAbsMax == 2.0);
    CHECK(survey.outliers == std::vector<std::size_t>{1, 5});
    CHECK(survey.dead == std::vector<std::size_t>{2});
}

TEST_CASE("channels that are all dead, or none at all, have no outliers")
{
    TensorProfile profile;
    CHECK(surveyChannels(profile).medianAbsMax == 0.0);
    profile.channels = {{}, {.finite = 2, .zeros = 2}};
    CHECK(surveyChannels(profile).dead.size() == 2);
    CHECK(surveyChannels(profile).outliers.empty());
}

TEST_CASE("the page of channels has the scale of each under each result per channel")
{
    const Source source{.identity = {.path = "/d/dump.h5"}};
    ReportedTensor part = partWithChannels();
    part.results.push_back(someResult("b", 30.0));  // one scale: no column
    const std::string page = html::page(channelsPage(part, {.source = &source}));
    CHECK_THAT(page, containsText("Scale, min-max of a"));
    CHECK(page.find("Scale, min-max of b") == std::string::npos);
    CHECK_THAT(page, containsText(">0.875<"));
    CHECK_THAT(page, containsText("href=\"../tensor/w.html\""));
}

}  // namespace describe_channels_page_test
