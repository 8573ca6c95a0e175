#include "core/calibrators/calibrator.h"
#include "core/metrics/metric.h"
#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

using namespace calibscope;
using calibscope::test::containsText;

// resources/docs/algorithms.md names everything that the catalogue holds, with its defaults, and
// nothing else.

namespace {

std::string page()
{
    std::ifstream file(CALIBSCOPE_SOURCE_DIR "/resources/docs/algorithms.md");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The page from a heading to the next one of any level.
std::string section(const std::string& heading)
{
    const std::string text = page();
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

}  // namespace

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

TEST_CASE("the page of algorithms describes no calibrator that does not exist")
{
    std::istringstream lines(page());
    std::size_t headings = 0;
    for (std::string line; std::getline(lines, line);)
        headings += line.starts_with("### ") ? 1U : 0U;
    CHECK(headings == calibrators().size());
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
