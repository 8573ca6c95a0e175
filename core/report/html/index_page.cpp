#include "core/report/html/index_page.h"

#include "core/report/html/html.h"
#include "core/report/html/statements.h"
#include "core/report/html/tensor_link.h"

#include <algorithm>
#include <map>

namespace calibscope::report {

namespace {

std::string header(const Report& report)
{
    std::string files;
    for (const Source& source : report.sources) {
        files += (files.empty() ? "" : " · ") + html::escaped(fileName(source));
        const auto model = source.attributes.find("model");
        if (model != source.attributes.end())
            files += " (" + html::escaped(model->second) + ")";
    }
    return "<header>\n<h1>Calibration report</h1>\n<p class=\"quiet\">" + files +
           "</p>\n</header>\n";
}

std::string tile(const std::string& number, std::string_view what, bool isBad = false)
{
    return std::string(isBad ? "<div class=\"tile bad\">" : "<div class=\"tile\">") + "<b>" +
           number + "</b><span>" + html::escaped(what) + "</span></div>\n";
}

std::string tiles(const Report& report)
{
    const auto countOf = [&report](auto matches) {
        return static_cast<std::uint64_t>(std::ranges::count_if(report.lines, matches));
    };
    const std::uint64_t unreadable =
        countOf([](const TensorLine& line) { return !line.problem.empty(); });
    const std::uint64_t notFinite = countOf(
        [](const TensorLine& line) { return line.extents.nan + line.extents.infinite() > 0; });
    std::string html =
        tile(html::count(
                 countOf([](const TensorLine& line) { return line.info.role != Role::Weight; })),
             "activations") +
        tile(html::count(
                 countOf([](const TensorLine& line) { return line.info.role == Role::Weight; })),
             "weights") +
        tile(html::count(report.recipes.size()), "recipes");
    if (notFinite > 0)
        html += tile(html::count(notFinite), "with NaN or infinities", true);
    if (unreadable > 0)
        html += tile(html::count(unreadable), "unreadable", true);
    if (!report.gates.empty())
        html += tile(report.offences.empty() ? "passed" : "failed",
                     report.gates.size() == 1 ? "gate" : "gates", !report.offences.empty());
    return "<div class=\"tiles\">\n" + html + "</div>\n";
}

std::string gates(const Report& report)
{
    html::Table table;
    table.column("Condition");
    table.column("Tensor");
    table.column("Result");
    table.column("Value", true);
    for (const Offence& offence : report.offences)
        table.row({"<code>" + html::escaped(offence.gate) + "</code>",
                   tensorLink(report, report.lines[offence.line]), html::escaped(offence.label),
                   html::number(offence.value)});
    return table.html();
}

/// SQNR of one recipe over all tensors.
struct RecipeSummary
{
    std::vector<std::pair<double, std::size_t>> sqnrAndLine;  ///< ascending
    std::uint64_t bestCount = 0;  ///< tensors on which no other recipe has a higher SQNR
};

bool isBest(const TensorLine& line, double sqnrDb)
{
    return std::ranges::none_of(line.results, [sqnrDb](const ResultLine& result) {
        return result.sqnrDb && *result.sqnrDb > sqnrDb;
    });
}

RecipeSummary summaryOf(const Report& report, const Recipe& recipe)
{
    RecipeSummary summary;
    for (std::size_t place = 0; place < report.lines.size(); ++place) {
        const ResultLine* result = report.lines[place].resultOf(recipe.id);
        if (result == nullptr || !result->sqnrDb)
            continue;
        summary.sqnrAndLine.emplace_back(*result->sqnrDb, place);
        summary.bestCount += isBest(report.lines[place], *result->sqnrDb) ? 1U : 0U;
    }
    std::ranges::sort(summary.sqnrAndLine);
    return summary;
}

std::string errorSumCell(const Report& report, const Recipe& recipe)
{
    const ErrorSum sum = report.errorSum(recipe.id);
    return sum.activations == 0 ? "–" : html::number(sum.squaredError, 5);
}

std::string recipeTable(const Report& report)
{
    html::Table table;
    table.column("Recipe");
    table.column("Tensors", true);
    table.column("Lowest SQNR, dB", true);
    table.column("on");
    table.column("Median SQNR, dB", true);
    table.column("Highest of all recipes on", true);
    table.column("Sum of squared errors of the activations", true);
    for (const Recipe& recipe : report.recipes) {
        const RecipeSummary summary = summaryOf(report, recipe);
        const auto& list = summary.sqnrAndLine;
        const std::string name = report.has(Content::Statements)
                                     ? html::link("#" + recipe.id, recipe.title)
                                     : html::escaped(recipe.title);
        if (list.empty())
            table.row({name, "0", "–", "–", "–", "–", "–"});
        else
            table.row({name, html::count(list.size()), html::sqnrBar(list.front().first, true),
                       tensorLink(report, report.lines[list.front().second]),
                       html::sqnrBar(list[list.size() / 2].first, true),
                       html::count(summary.bestCount), errorSumCell(report, recipe)});
    }
    return table.html();
}

std::string sqnrCell(const ResultLine* result)
{
    if (result == nullptr)
        return {};
    if (!result->problem.empty())
        return "no result";
    return html::sqnrBar(result->sqnrDb, result->hasExactMetrics);
}

std::string ranking(const Report& report)
{
    html::Table table;
    table.column("Tensor");
    table.column("Distribution");
    table.column("Role");
    table.column("Op");
    table.column("Shape");
    for (const Recipe& recipe : report.recipes)
        table.column(recipe.title, true);
    for (const std::size_t place : report.ranking()) {
        const TensorLine& line = report.lines[place];
        const std::string range =
            "from " + html::number(line.extents.min) + " to " + html::number(line.extents.max);
        std::vector<std::string> cells = {
            tensorLink(report, line), html::sparkline(line.sparkline, "values " + range),
            std::string(roleText(line.info.role)), html::escaped(line.info.op),
            html::escaped(shapeText(line.info.shape))};
        for (const Recipe& recipe : report.recipes)
            cells.push_back(sqnrCell(line.resultOf(recipe.id)));
        table.row(cells);
    }
    if (table.isEmpty())
        return {};
    return "<p class=\"quiet\">SQNR in dB under each recipe; the tensor with the lowest one comes "
           "first. An empty cell: the recipe leaves that tensor out. See also " +
           html::link("ranking.html", "results and sums in order") + ".</p>\n" + table.html();
}

std::string layout(const Report& report)
{
    std::map<std::pair<bool, std::string>, std::uint64_t> tensorsByRule;
    for (const TensorLine& line : report.lines)
        if (!line.info.layoutRule.empty())
            ++tensorsByRule[{!line.info.isGuess, line.info.layoutRule}];
    html::Table table;
    table.column("Rule");
    table.column("Certainty");
    table.column("Tensors", true);
    for (const auto& [rule, tensors] : tensorsByRule)
        table.row({html::escaped(rule.second), rule.first ? "recorded" : "a guess",
                   html::count(tensors)});
    return table.html();
}

std::string methods(const Report& report)
{
    std::string statements;
    for (const Recipe& recipe : report.recipes)
        statements += "<div id=\"" + html::escaped(recipe.id) + "\">\n" + recipeStatement(recipe) +
                      "</div>\n";
    return statements;
}

std::string files(const Report& report)
{
    std::string html;
    for (const Source& source : report.sources) {
        html::Facts facts = {{"File", html::escaped(source.identity.path)}};
        if (source.problem.empty()) {
            facts.emplace_back("Bytes", html::count(source.identity.bytes));
            facts.emplace_back("Changed", html::escaped(source.identity.modified));
        }
        if (!source.identity.sha256.empty())
            facts.emplace_back("SHA-256", html::escaped(source.identity.sha256));
        for (const auto& [name, value] : source.attributes)
            facts.emplace_back(name, html::escaped(value));
        html += html::facts(facts);
    }
    return html;
}

std::string environment(const Report& report)
{
    html::Facts facts;
    for (const auto& [name, value] : report.environment)
        facts.emplace_back(name, html::escaped(value));
    return html::facts(facts);
}

/// Sentences in the order in which they came up, each told once, with its tensors.
class Warnings
{
public:
    explicit Warnings(const Report& report) : m_report(report) {}

    /// `line`: nullptr for a sentence that is about no tensor.
    void add(const std::string& sentence, const TensorLine* line = nullptr)
    {
        auto found = std::ranges::find(m_entries, sentence, &Entry::sentence);
        if (found == m_entries.end())
            found = m_entries.insert(m_entries.end(), {sentence, {}});
        if (line != nullptr && (found->lines.empty() || found->lines.back() != line))
            found->lines.push_back(line);
    }

    [[nodiscard]] std::string html() const
    {
        std::vector<std::string> items;
        for (const Entry& entry : m_entries)
            items.push_back(html::escaped(entry.sentence) + tensors(entry.lines));
        return html::list(items);
    }

private:
    struct Entry
    {
        std::string sentence;
        std::vector<const TensorLine*> lines;
    };

    /// Links; long lists are folded.
    [[nodiscard]] std::string tensors(const std::vector<const TensorLine*>& lines) const
    {
        constexpr std::size_t mostUnfolded = 8;
        std::string links;
        for (const TensorLine* line : lines)
            links += (links.empty() ? "" : ", ") + tensorLink(m_report, *line);
        if (lines.size() > mostUnfolded)
            return "<details><summary>" + html::count(lines.size()) + " tensors</summary>" + links +
                   "</details>";
        return links.empty() ? links : "<br><small>" + links + "</small>";
    }

    const Report& m_report;
    std::vector<Entry> m_entries;
};

void addData(Warnings& warnings, const TensorLine& line)
{
    const Extents& extents = line.extents;
    if (extents.nan + extents.infinite() > 0)
        warnings.add("Holds NaN or infinities, which are left out.", &line);
    if (extents.finite == 0)
        warnings.add("Holds no finite value.", &line);
    else if (extents.zeros == extents.finite)
        warnings.add("All values are zero.", &line);
    else if (extents.min == extents.max)
        warnings.add("All values are the same.", &line);
    if (!lossNotes(extents).empty())
        warnings.add("Holds values that float32 does not: they were read as infinite, as 0, or "
                     "with fewer digits.",
                     &line);
    if (line.info.isGuess)
        warnings.add("Role and axes are guessed (" + line.info.layoutRule + ").", &line);
}

void addNotes(Warnings& warnings, const TensorLine& line)
{
    for (const ResultLine& result : line.results)
        for (const std::string& note : result.notes)
            warnings.add(result.label + ": " + note, &line);
}

}  // namespace

std::string indexPage(const Report& report)
{
    const auto section = [&report](Content content, std::string_view title,
                                   std::string (*html)(const Report&)) {
        return report.has(content) ? html::section(title, html(report)) : std::string();
    };
    const std::string body =
        header(report) + "<main>\n" + tiles(report) + html::section("Failed gates", gates(report)) +
        html::section("Not read or not computed", problems(report)) +
        section(Content::Summary, "Recipes", recipeTable) +
        section(Content::Ranking, "Tensors", ranking) +
        section(Content::Summary, "Warnings", warnings) +
        section(Content::Summary, "How the layout was determined", layout) +
        section(Content::Statements, "Methods", methods) +
        section(Content::Environment, "Files", files) +
        section(Content::Environment, "Environment", environment) + "</main>\n" + html::footer();
    return html::page("Calibration report", body, report.isDark);
}

std::string problems(const Report& report)
{
    Warnings problems(report);
    for (const Source& source : report.sources)
        if (!source.problem.empty())
            problems.add(source.problem);
    for (const TensorLine& line : report.lines) {
        if (!line.problem.empty())
            problems.add(line.problem, &line);
        for (const ResultLine& result : line.results)
            if (!result.problem.empty())
                problems.add(result.label + ": no result: " + result.problem, &line);
    }
    return problems.html();
}

std::string warnings(const Report& report)
{
    Warnings warnings(report);
    for (const Source& source : report.sources)
        for (const std::string& sentence : source.warnings)
            warnings.add(source.identity.path + ": " + sentence);
    for (const TensorLine& line : report.lines)
        if (line.problem.empty())
            addData(warnings, line);
    for (const TensorLine& line : report.lines)
        addNotes(warnings, line);
    return warnings.html();
}

}  // namespace calibscope::report
