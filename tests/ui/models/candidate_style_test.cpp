// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/candidate_style.h"

#include "core/recipes/candidates.h"
#include "tests/support/catch.h"
#include "ui/document/outcome_rows.h"

#include <set>
#include <tuple>
#include <utility>

namespace candidate_style_test {

using namespace calibscope;

std::tuple<QRgb, int, int> seen(const SeriesStyle& style)
{
    return {style.color.rgb(), int(style.pen), int(style.marker)};
}

/// An id for each of the recipes' choices, and those of the standard list.
std::set<std::string> knownIds()
{
    std::set<std::string> ids = {manualId};
    for (const Recipe& recipe : recipes())
        for (const RecipeRule& rule : recipe.rules)
            ids.insert(choiceId(rule.choice));
    for (const Candidate& candidate : candidatesFor({}, Consumers({}), {}))
        ids.insert(candidate.id);
    return ids;
}

TEST_CASE("no two candidates of the recipes share colour and dashes, per channel or not")
{
    const std::set<std::string> ids = knownIds();
    REQUIRE(ids.size() > seriesColorCount);
    for (const ChartColors* colors : {&lightChartColors(), &darkChartColors()}) {
        std::set<std::pair<QRgb, int>> looks;
        for (const std::string& id : ids) {
            const SeriesStyle style = candidateStyle(id, *colors);
            looks.emplace(style.color.rgb(), int(style.pen));
        }
        CHECK(looks.size() == ids.size());
    }
}

TEST_CASE("the manual range has a colour that nothing else has")
{
    for (const ChartColors* colors : {&lightChartColors(), &darkChartColors()}) {
        const QColor manual = candidateStyle(manualId, *colors).color;
        CHECK(manual == manualStyle(*colors).color);
        for (std::size_t place = 0; place < seriesStyleCount; ++place)
            CHECK(seriesStyle(static_cast<int>(place), *colors).color != manual);
        CHECK(manual != colors->text);
    }
}

TEST_CASE("all styles differ")
{
    std::set<std::tuple<QRgb, int, int>> looks;
    for (std::size_t place = 0; place < seriesStyleCount; ++place)
        looks.insert(seen(seriesStyle(static_cast<int>(place), lightChartColors())));
    CHECK(looks.size() == seriesStyleCount);
}

TEST_CASE("a candidate looks the same wherever it stands in a list")
{
    const ChartColors& colors = lightChartColors();
    // The colours that the guide names: grey for min-max, blue for entropy.
    CHECK(candidateStyle("min-max", colors).color == seriesStyle(5, colors).color);
    CHECK(candidateStyle("entropy", colors).color == seriesStyle(0, colors).color);
    CHECK(seen(candidateStyle("percentile 97.3", colors)) ==
          seen(candidateStyle("percentile 97.3", colors)));
}

TEST_CASE("what a user adds looks like none of the known")
{
    std::set<std::tuple<QRgb, int, int>> known;
    for (const std::string& id : knownIds())
        known.insert(seen(candidateStyle(id, lightChartColors())));
    for (const char* id : {"percentile:97", "entropy:8192", "l2#2"})
        CHECK_FALSE(known.contains(seen(candidateStyle(id, lightChartColors()))));
}

}  // namespace candidate_style_test
