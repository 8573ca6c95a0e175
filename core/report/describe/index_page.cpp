// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/index_page.h"

#include "core/base/number_text.h"
#include "core/report/describe/page_parts.h"
#include "core/report/tables/ladder_report.h"
#include "core/report/tables/layer_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <variant>

namespace calibscope::report {

namespace {

using Kind = Page::Piece::Kind;
using Section = Page::Section;

const std::string dash = "–";

Page::Line countLine(std::uint64_t value)
{
    return {piece::count(value)};
}

std::string subtitle(const Report& report)
{
    std::string files;
    for (const Source& source : report.sources) {
        files += (files.empty() ? "" : " · ") + fileName(source);
        const auto model = source.attributes.find("model");
        if (model != source.attributes.end())
            files += " (" + model->second + ")";
    }
    return files;
}

Page::Tiles tiles(const Report& report)
{
    const auto countOf = [&report](auto matches) {
        return static_cast<std::uint64_t>(std::ranges::count_if(report.lines, matches));
    };
    const std::uint64_t unreadable =
        countOf([](const TensorLine& line) { return !line.problem.empty(); });
    const std::uint64_t notFinite = countOf(
        [](const TensorLine& line) { return line.extents.nan + line.extents.infinite() > 0; });
    const std::uint64_t weights =
        countOf([](const TensorLine& line) { return line.info.role == Role::Weight; });
    Page::Tiles all{{{countLine(report.lines.size() - weights), "activations"},
                     {countLine(weights), "weights"},
                     {countLine(report.recipes.size()), "recipes"}}};
    if (notFinite > 0)
        all.tiles.push_back({countLine(notFinite), "with NaN or infinities", true});
    if (unreadable > 0)
        all.tiles.push_back({countLine(unreadable), "unreadable", true});
    if (!report.gates.empty())
        all.tiles.push_back({textLine(report.offences.empty() ? "passed" : "failed"),
                             report.gates.size() == 1 ? "gate" : "gates",
                             !report.offences.empty()});
    return all;
}

Page::Table gates(const Report& report)
{
    Page::Table table{{{"Condition"}, {"Tensor"}, {"Result"}, {"Value", true}}, {}};
    for (const Offence& offence : report.offences)
        table.rows.push_back({{piece::text(offence.gate, Kind::Code)},
                              tensorLink(report, report.lines[offence.line]),
                              textLine(offence.label),
                              {piece::number(offence.value)}});
    return table;
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

std::vector<Page::Line> recipeCells(const Report& report, const Recipe& recipe)
{
    const RecipeSummary summary = summaryOf(report, recipe);
    const auto& list = summary.sqnrAndLine;
    const ErrorSum sum = report.errorSum(recipe.id);
    const Page::Line name = report.has(Content::Statements)
                                ? Page::Line{piece::link("#" + recipe.id, recipe.title)}
                                : textLine(recipe.title);
    const Page::Line none = textLine(dash);
    if (list.empty())
        return {name, textLine("0"), none, none, none, none, countLine(sum.activations), none};
    return {name,
            countLine(list.size()),
            {piece::sqnr(list.front().first, true, report.limits)},
            tensorLink(report, report.lines[list.front().second]),
            {piece::sqnr(list[list.size() / 2].first, true, report.limits)},
            countLine(summary.bestCount),
            countLine(sum.activations),
            sum.activations == 0 ? none : Page::Line{piece::number(sum.squaredError, 5)}};
}

Page::Table recipeTable(const Report& report)
{
    Page::Table table{{{"Recipe"},
                       {"Tensors", true},
                       {"Lowest SQNR, dB", true},
                       {"on", false, Medium::Screen},
                       {"Median SQNR, dB", true},
                       {"Highest of all recipes on", true, Medium::Screen},
                       {"Activations", true, Medium::Paper},
                       {"Sum of squared errors of the activations", true}},
                      {}};
    for (const Recipe& recipe : report.recipes)
        table.rows.push_back(recipeCells(report, recipe));
    return table;
}

Page::Line sqnrCell(const Report& report, const ResultLine* result,
                    const std::optional<double>& worst)
{
    if (result == nullptr)
        return {};
    if (!result->problem.empty())
        return textLine("no result");
    return {piece::sqnr(result->sqnrDb, result->hasExactMetrics, report.limits,
                        result->sqnrDb && result->sqnrDb == worst)};
}

Page::Line sparkline(const TensorLine& line)
{
    return {{.kind = Kind::Sparkline,
             .columns = line.sparkline,
             .range = {line.extents.min, line.extents.max}}};
}

Page::Table tensorTable(const Report& report)
{
    Page::Table table{{{"Tensor"},
                       {"Page", true, Medium::Paper},
                       {"Distribution", false, Medium::Screen},
                       {"Role"},
                       {"Op"},
                       {"Shape"}},
                      {}};
    for (const Recipe& recipe : report.recipes)
        table.columns.push_back({recipe.title, true, Medium::Both, true});
    for (const std::size_t place : report.ranking()) {
        const TensorLine& line = report.lines[place];
        std::vector<Page::Line> cells = {
            tensorLink(report, line), {{.kind = Kind::SheetOf, .line = place}},
            sparkline(line),          textLine(std::string(roleText(line.info.role))),
            textLine(line.info.op),   textLine(shapeText(line.info.shape))};
        for (const Recipe& recipe : report.recipes)
            cells.push_back(sqnrCell(report, line.resultOf(recipe.id), line.worstSqnr()));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Section ranking(const Report& report)
{
    const std::string what =
        "SQNR in dB under each recipe; the tensor with the lowest one comes first.";
    Page::Table table = tensorTable(report);
    Section section{.title = "Tensors", .blocks = {}, .startsSheet = true};
    if (!table.rows.empty())
        section.blocks = {
            Page::Paragraph{{piece::text(what + " An empty cell: the recipe leaves that tensor "
                                                "out. See also "),
                             piece::link("ranking.html", "results and sums in order"),
                             piece::text(".")},
                            true,
                            Medium::Screen},
            Page::Paragraph{textLine(what), true, Medium::Paper}, std::move(table)};
    return section;
}

Page::Table layout(const Report& report)
{
    std::map<std::pair<bool, std::string>, std::uint64_t> tensorsByRule;
    for (const TensorLine& line : report.lines)
        if (!line.info.layoutRule.empty())
            ++tensorsByRule[{!line.info.isGuess, line.info.layoutRule}];
    Page::Table table{{{"Rule"}, {"Certainty"}, {"Tensors", true}}, {}};
    for (const auto& [rule, tensors] : tensorsByRule)
        table.rows.push_back({textLine(rule.second), textLine(rule.first ? "recorded" : "a guess"),
                              countLine(tensors)});
    return table;
}

Section methods(const Report& report)
{
    Section section{.title = "Methods", .blocks = {}, .startsSheet = true, .isBehindAll = true};
    for (const Recipe& recipe : report.recipes) {
        Page::Statement statement = recipeStatement(recipe);
        statement.isTarget = true;
        section.blocks.emplace_back(std::move(statement));
    }
    return section;
}

Section files(const Report& report)
{
    Section section{.title = "Files", .blocks = {}};
    for (const Source& source : report.sources) {
        Page::Facts facts{{{"File", textLine(source.identity.path)}}};
        if (source.problem.empty()) {
            facts.facts.emplace_back("Bytes", countLine(source.identity.bytes));
            facts.facts.emplace_back("Changed", textLine(source.identity.modified));
        }
        if (!source.identity.sha256.empty())
            facts.facts.emplace_back("SHA-256", textLine(source.identity.sha256));
        for (const auto& [name, value] : source.attributes)
            facts.facts.emplace_back(name, textLine(value));
        section.blocks.emplace_back(std::move(facts));
    }
    return section;
}

Page::Facts environment(const Report& report)
{
    Page::Facts facts;
    for (const auto& [name, value] : report.environment)
        facts.facts.emplace_back(name, textLine(value));
    return facts;
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

    [[nodiscard]] Page::List list() const
    {
        Page::List list;
        for (const Entry& entry : m_entries) {
            Page::Piece names{.kind = Kind::Names};
            for (const TensorLine* line : entry.lines)
                names.names.push_back(tensorLink(m_report, *line));
            list.items.push_back({piece::text(entry.sentence), std::move(names)});
        }
        return list;
    }

private:
    struct Entry
    {
        std::string sentence;
        std::vector<const TensorLine*> lines;
    };

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

/// Files and tensors that could not be read and results that could not be computed.
Page::List problems(const Report& report)
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
    return problems.list();
}

/// All that is odd: what the reader of a file warns of, NaN and infinities, data without a range,
/// guesses, notes of the calibrators.
Page::List warnings(const Report& report)
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
    return warnings.list();
}

Page::Line cellLine(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return textLine(*text);
    if (const auto* number = std::get_if<double>(&cell)) {
        constexpr double hundredths = 100.0;
        return textLine(numberText(std::round(*number * hundredths) / hundredths));
    }
    if (const auto* count = std::get_if<std::uint64_t>(&cell))
        return countLine(*count);
    return {};
}

/// The wanted ones of a table's columns.
Page::Table chosenColumns(const std::vector<Column>& columns, const std::set<std::string>& wanted,
                          const auto& parts, const auto& rowsOf)
{
    Page::Table table;
    for (const Column& column : columns)
        if (wanted.contains(column.id))
            table.columns.push_back({column.title, column.isNumeric});
    for (const auto& part : parts)
        for (const std::vector<Cell>& row : rowsOf(part)) {
            std::vector<Page::Line>& cells = table.rows.emplace_back();
            for (std::size_t index = 0; index < columns.size(); ++index)
                if (wanted.contains(columns[index].id))
                    cells.push_back(cellLine(row[index]));
        }
    return table;
}

/// Change, gain and reason of each remedy, and the steps at the network's end.
Section improvements(const Report& report)
{
    Section section{.title = "Improvements", .blocks = {}};
    const auto add = [&section](const char* text, Page::Table table) {
        if (table.rows.empty())
            return;
        section.blocks.emplace_back(Page::Paragraph{textLine(text)});
        section.blocks.emplace_back(std::move(table));
    };
    add("Remedies of layers, made from one half of the samples. Gains are of the layer's own "
        "output, on the other half; a remedy is chosen where its gain is above half its interval "
        "and not below 0.1 dB.",
        chosenColumns(improvementColumns(),
                      {"layer", "op", "remedy", "setting", "held_out_db", "gain_db", "interval_db",
                       "changes", "notes"},
                      report.improvements, chosenRows));
    add("At the network's end, on the samples held out: all of them pooled, the median and the "
        "least one. A step is off where it surely lowers the pooled figure or the median.",
        chosenColumns(ladderColumns(),
                      {"step", "pooled_db", "median_db", "least_db", "gain_db", "low_db", "high_db",
                       "samples", "accepted", "notes"},
                      report.ladders, ladderRows));
    return section;
}

}  // namespace

Page indexPage(const Report& report)
{
    Page page{.title = "Calibration report", .subtitle = subtitle(report), .isDark = report.isDark};
    const auto add = [&](Content content, Section section) {
        if (report.has(content))
            page.sections.push_back(std::move(section));
    };
    Section onPaper = files(report);
    onPaper.title.clear();
    onPaper.medium = Medium::Paper;
    page.sections = {{.title = {}, .blocks = {tiles(report)}, .medium = Medium::Screen},
                     std::move(onPaper),
                     {.title = "Failed gates", .blocks = {gates(report)}},
                     {.title = "Not read or not computed", .blocks = {problems(report)}}};
    add(Content::Summary, {.title = "Recipes", .blocks = {recipeTable(report)}});
    add(Content::Summary, improvements(report));
    add(Content::Ranking, ranking(report));
    add(Content::Summary,
        {.title = "Warnings", .blocks = {warnings(report)}, .medium = Medium::Screen});
    add(Content::Summary, {.title = "How the layout was determined",
                           .blocks = {layout(report)},
                           .medium = Medium::Screen});
    add(Content::Statements, methods(report));
    Section atEnd = files(report);
    atEnd.medium = Medium::Screen;
    add(Content::Environment, std::move(atEnd));
    add(Content::Environment,
        {.title = "Environment", .blocks = {environment(report)}, .isBehindAll = true});
    return page;
}

}  // namespace calibscope::report
