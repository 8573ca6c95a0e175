#include "core/report/html/tensor_page.h"

#include "core/report/html/html.h"
#include "core/report/html/statements.h"
#include "core/report/tables/table.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace calibscope::report {

namespace {

/// From tensor/NAME.html to the report's folder.
constexpr std::string_view up = "../";

std::string neighbourLink(const std::optional<Neighbour>& neighbour, std::string_view arrow,
                          bool isBefore)
{
    if (!neighbour)
        return {};
    const std::string text = isBefore ? std::string(arrow) + " " + neighbour->name
                                      : neighbour->name + " " + std::string(arrow);
    return html::link(std::string(up) + neighbour->page, text);
}

std::string header(const ReportedTensor& part, const PageContext& context)
{
    const TensorInfo& info = part.profile.info;
    std::string facts = std::string(roleText(info.role));
    for (const std::string& fact : {info.op, shapeText(info.shape), typeText(info)})
        if (!fact.empty())
            facts += " · " + fact;
    return "<nav><span>" + html::link(std::string(up) + "index.html", "All tensors") +
           (part.channelPage.empty() ? std::string()
                                     : html::link(std::string(up) + part.channelPage, "Channels")) +
           "</span><span>" + neighbourLink(context.previous, "←", true) +
           neighbourLink(context.next, "→", false) + "</span></nav>\n<header>\n<h1>" +
           html::escaped(info.name) + "</h1>\n<p class=\"quiet\">" + html::escaped(facts) + " · " +
           html::escaped(fileName(*context.source)) + "</p>\n</header>\n";
}

std::string picture(const std::string& place, std::string_view what, const std::string& name)
{
    if (place.empty())
        return {};
    const std::string address = html::escaped(std::string(up) + place);
    return "<figure><a href=\"" + address + "\"><img src=\"" + address + "\" alt=\"" +
           html::escaped(std::string(what) + " of " + name) + "\" loading=\"lazy\"></a></figure>\n";
}

std::string pictures(const ReportedTensor& part)
{
    const std::string& name = part.profile.info.name;
    return picture(part.pictures.histogram, "Histogram with the clip ranges", name) +
           picture(part.pictures.curve, "Objective against threshold", name) +
           picture(part.pictures.channels, "Scale of each channel", name);
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : ", ") + text;
    return all;
}

std::string labelCell(const Result& result)
{
    const Choice& choice = result.outcome.choice;
    return "<i class=\"swatch\" style=\"background:" + html::escaped(result.color) + "\"></i>" +
           "<strong>" + html::escaped(result.label) + "</strong><br><small>" +
           html::escaped(joined(result.recipes)) + "</small><br><small class=\"quiet\">" +
           html::escaped(schemeText(choice.scheme.kind)) + ", " +
           std::to_string(choice.scheme.bits) + " bits, per " +
           std::string(granularityText(choice.granularity)) + "</small>";
}

/// The result with the highest SQNR, if there are different ones.
const Result* bestOf(const std::vector<Result>& results)
{
    const auto sqnr = [](const Result& result) { return result.outcome.whole.metric("sqnr_db"); };
    const Result* best = nullptr;
    bool differ = false;
    for (const Result& result : results) {
        if (!sqnr(result))
            continue;
        differ = differ || (best != nullptr && sqnr(result) != sqnr(*best));
        if (best == nullptr || *sqnr(result) > *sqnr(*best))
            best = &result;
    }
    return differ ? best : nullptr;
}

std::vector<std::string> resultCells(const Result& result, bool isBest)
{
    const ScaleRow& whole = result.outcome.whole;
    std::vector<std::string> cells = {labelCell(result)};
    for (const ResultColumn& column : resultColumns()) {
        if (!column.isOnPages)
            continue;
        const std::optional<double> value = column.number(whole);
        const std::string mark = value && column.isMetric && !whole.hasExactMetrics ? "≈" : "";
        std::string cell = mark + html::result(column, value) + column.bar(whole);
        if (isBest && column.id == "sqnr_db")
            cell = "<strong title=\"highest SQNR\">★ " + cell + "</strong>";
        cells.push_back(std::move(cell));
    }
    return cells;
}

/// "Zero point", "SQNR, dB".
std::string titleOf(const ResultColumn& column)
{
    std::string title = column.title + (column.unit.empty() ? "" : ", ") + column.unit;
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    return title;
}

std::string resultTable(const ReportedTensor& part)
{
    html::Table table;
    table.column("Calibrator, recipes, scheme");
    for (const ResultColumn& column : resultColumns())
        if (column.isOnPages)
            table.column(titleOf(column), column.isNumeric);
    const Result* best = bestOf(part.results);
    for (const Result& result : part.results)
        if (result.outcome.problem.empty())
            table.row(resultCells(result, &result == best));
    std::string html = table.html();
    const auto isPerChannel = [](const Result& result) { return result.outcome.isPerChannel(); };
    if (std::ranges::any_of(part.results, isPerChannel))
        html += "<p class=\"quiet\">Where there is a scale for each channel or row, low, high and "
                "scale are those of the widest; the metrics are of the whole tensor quantized so."
                "</p>\n";
    return html;
}

std::string notes(const ReportedTensor& part)
{
    std::vector<std::string> items;
    for (const Result& result : part.results) {
        const std::string who = "<strong>" + html::escaped(result.label) + "</strong>: ";
        if (!result.outcome.problem.empty())
            items.push_back(who + "no result: " + html::escaped(result.outcome.problem));
        for (const std::string& note : notesOf(result))
            items.push_back(who + html::escaped(note));
    }
    for (const Histogram& histogram : part.profile.histograms)
        for (const std::string& note : histogram.notes)
            items.push_back(html::escaped(histogramText(histogram.spec) + ": " + note));
    return html::list(items);
}

/// "3", or "3, first at [0, 4]".
std::string placedCount(std::uint64_t count, const TensorProfile& profile,
                        const std::optional<std::uint64_t>& firstIndex)
{
    return html::count(count) +
           (firstIndex ? ", first at " + indexText(profile.info.shape, *firstIndex) : "");
}

std::string statistics(const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    html::Facts facts = {
        {"Values", html::count(extents.values())},
        {"Zeros", html::count(extents.zeros)},
        {"NaN", placedCount(extents.nan, profile, profile.firstNotFinite.nan)},
        {"Infinite", placedCount(extents.infinite(), profile, profile.firstNotFinite.infinite)},
    };
    if (const std::vector<std::string> losses = lossNotes(extents); !losses.empty())
        facts.emplace_back("Lost in float32", html::escaped(joinedNotes(losses)));
    if (extents.finite > 0) {
        facts.emplace_back("Minimum", html::number(extents.min, 6));
        facts.emplace_back("Maximum", html::number(extents.max, 6));
        facts.emplace_back("Mean", html::number(profile.moments.mean));
        facts.emplace_back("Standard deviation", html::number(profile.moments.standardDeviation()));
        facts.emplace_back("Excess kurtosis", html::number(profile.moments.kurtosis()));
    }
    facts.emplace_back("Batches", html::count(profile.info.batchCount()));
    if (profile.info.channelAxis)
        facts.emplace_back("Channels", html::count(profile.info.channelCount()) + " on axis " +
                                           std::to_string(*profile.info.channelAxis));
    return html::facts(facts);
}

std::string origin(const TensorInfo& info, const Source& source)
{
    html::Facts facts = {
        {"File", html::escaped(source.identity.path)},
        {"Dataset", html::escaped(info.path)},
        {"Layout rule", html::escaped(info.layoutRule) + (info.isGuess ? " (a guess)" : "")}};
    if (!info.layout.empty())
        facts.emplace_back("Layout", html::escaped(info.layout));
    facts.emplace_back("Compression", html::escaped(info.compression));
    facts.emplace_back("Checksum", html::escaped(info.checksum));
    return html::facts(facts);
}

/// The recipes that ask for one of the results.
std::string methods(const ReportedTensor& part, const std::vector<Recipe>& recipes)
{
    std::string statements = calibratorStatements(part.results);
    for (const Recipe& recipe : recipes)
        if (std::ranges::any_of(part.results, [&recipe](const Result& result) {
                return std::ranges::find(result.recipes, recipe.id) != result.recipes.end();
            }))
            statements += recipeStatement(recipe);
    return statements;
}

std::string snippets(const ReportedTensor& part)
{
    std::string html;
    for (const Snippet& snippet : part.snippets)
        html += html::foldedCode(snippet.title, snippet.code);
    if (html.empty())
        return html;
    return "<p class=\"quiet\">Programs for h5py and NumPy that recompute what stands "
           "above.</p>\n" +
           html;
}

}  // namespace

std::string tensorPage(const ReportedTensor& part, const PageContext& context)
{
    const std::string results = part.results.empty()
                                    ? "<p>No recipe of this report chooses for this tensor.</p>\n"
                                    : resultTable(part);
    const std::string body =
        header(part, context) + "<main>\n" + pictures(part) + html::section("Results", results) +
        html::section("Notes", notes(part)) +
        html::section("Statistics", statistics(part.profile)) +
        html::section("Where it comes from", origin(part.profile.info, *context.source)) +
        html::section("As Python", snippets(part)) +
        (context.hasStatements ? html::section("Methods", methods(part, context.recipes))
                               : std::string()) +
        "</main>\n" + html::footer();
    return html::page(part.profile.info.name, body, context.isDark);
}

}  // namespace calibscope::report
