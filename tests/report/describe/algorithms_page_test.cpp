// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/algorithms_page.h"

#include "core/calibrators/calibrator.h"
#include "core/metrics/metric.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "core/report/describe/sections.h"
#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"

#include <set>
#include <sstream>
#include <string>

namespace algorithms_page_test {

using namespace calibscope;
using calibscope::test::containsText;

/// The page from a heading to the next one of any level.
std::string section(const std::string& heading)
{
    const std::string text = algorithmsPage();
    const std::size_t begin = text.find("\n" + heading + "\n");
    if (begin == std::string::npos)
        return {};
    const std::size_t end = text.find("\n#", begin + heading.size());
    return text.substr(begin, end - begin);
}

std::string row(const Parameter& parameter)
{
    return "| `" + parameter.id + "` | `" + parameter.fallback + "` |";
}

/// The ids that begin the rows of a section's table.
std::set<std::string> rowIds(const std::string& text)
{
    std::set<std::string> ids;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("| `"))
            ids.insert(line.substr(3, line.find('`', 3) - 3));
    return ids;
}

template <typename Descriptors>
std::set<std::string> idsOf(const Descriptors& descriptors)
{
    std::set<std::string> ids;
    for (const auto& descriptor : descriptors)
        ids.emplace(descriptor.id);
    return ids;
}

TEST_CASE("the page of algorithms has a section for every calibrator, with its parameters")
{
    for (const Calibrator& algorithm : calibrators()) {
        const std::string heading =
            "### " + std::string(algorithm.title) + ": `" + std::string(algorithm.id) + "`";
        INFO(heading);
        const std::string text = section(heading);
        REQUIRE_FALSE(text.empty());
        CHECK_THAT(text, containsText("Source: "));
        CHECK(rowIds(text) == idsOf(algorithm.parameters));
        for (const Parameter& parameter : algorithm.parameters) {
            CHECK_THAT(text, containsText(row(parameter)));
            for (const std::string& word : parameter.words)
                CHECK_THAT(text + section("## Histograms and how they grow"),
                           containsText("`" + word + "`"));
        }
    }
}

TEST_CASE("the page of algorithms lists schemes, their parameters, growth rules and metrics")
{
    std::set<std::string> schemes = idsOf(schemeParameters());
    for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::SymmetricFull,
                                  SchemeKind::Affine, SchemeKind::AffineReal})
        schemes.emplace(schemeText(kind));
    CHECK(rowIds(section("## Schemes")) == schemes);
    for (const Parameter& parameter : schemeParameters()) {
        CHECK_THAT(section("## Schemes"), containsText(row(parameter)));
        for (const std::string& word : parameter.words)
            CHECK_THAT(section("## Schemes"), containsText("`" + word + "`"));
    }
    CHECK(rowIds(section("## Histograms and how they grow")) == idsOf(growthRules()));
    CHECK(rowIds(section("## Metrics")) == idsOf(metrics()));
    for (const Metric& metric : metrics())
        CHECK_THAT(section("## Metrics"),
                   containsText("| `" + std::string(metric.id) + "` | " +
                                (metric.unit.empty() ? "" : std::string(metric.unit) + " ") + "|"));
}

TEST_CASE("the page of algorithms tells what recipes state and chose, and where presets are from")
{
    for (const Recipe& recipe : recipes()) {
        const std::string text = section("### " + recipe.title + ": `" + recipe.id + "`");
        INFO(recipe.id);
        for (const std::string& sentence : recipe.states)
            CHECK_THAT(text, containsText("\n- " + sentence + "\n"));
        for (const std::string& sentence : recipe.chosen)
            CHECK_THAT(text, containsText("\n- " + sentence + "\n"));
        for (const RecipeRule& rule : recipe.rules)
            CHECK_THAT(text, containsText("| `" + rule.choice.calibrator + "`"));
    }
    CHECK(rowIds(section("## Presets")) == idsOf(presets()));
}

TEST_CASE("a calibrator names the presets and recipes that use it")
{
    const std::string text = algorithmsPagePart("percentile");
    CHECK_THAT(text, containsText("`rebellions-percentile`"));
    CHECK_THAT(text, containsText("`rebellions-vision`"));
    CHECK_THAT(algorithmsPagePart("min-max"), !containsText("`rebellions-percentile`"));
}

TEST_CASE("an id that several things have gives the parts of all of them")
{
    const std::string text = algorithmsPagePart("fixed");
    CHECK_THAT(text, containsText("### Fixed: `fixed`"));
    CHECK_THAT(text, containsText("| rule | bins | of | what it does |"));
    CHECK_THROWS_WITH(algorithmsPagePart("nothing"), containsText("calib describe without an id"));
}

TEST_CASE("a parameter tells its words and range, a bar in a cell is escaped")
{
    const std::vector<Parameter> parameters = {{.id = "levels",
                                                .label = "Levels",
                                                .help = "Of |x|.",
                                                .kind = Parameter::Kind::NumberOrWord,
                                                .fallback = "qmax",
                                                .least = 2,
                                                .greatest = 16,
                                                .words = {"qmax", "all"},
                                                .isWhole = true}};
    CHECK(describe::parameterTable(parameters) ==
          "| parameter | default | accepted | meaning |\n| --- | --- | --- | --- |\n"
          "| `levels` | `qmax` | `qmax`, `all`; whole numbers 2 to 16 | Of \\|x\\|. |\n");
}

TEST_CASE("a part takes the place of its line, and a text without that line is refused")
{
    CHECK(describe::withPart("a {x} b\n{x}\nc\n", "x", "1\n2\n") == "a {x} b\n1\n2\nc\n");
    CHECK_THROWS_AS(describe::withPart("a {x} b\n", "x", "1\n"), std::invalid_argument);
}

}  // namespace algorithms_page_test
