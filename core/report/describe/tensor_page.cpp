// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/tensor_page.h"

#include "core/base/join.h"
#include "core/recipes/diagnosis.h"
#include "core/report/describe/page_parts.h"
#include "core/report/tables/table.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace calibscope::report {

namespace {

using Kind = Page::Piece::Kind;
using Section = Page::Section;

/// From tensor/NAME.html to the report's folder.
const std::string up = "../";

/// Links back, to the channels, and on.
void addLinks(Page& page, const ReportedTensor& part, const PageContext& context)
{
    Page::Line back{piece::link(up + "index.html", "All tensors")};
    if (!part.channelPage.empty())
        back.push_back(piece::link(up + part.channelPage, "Channels"));
    Page::Line on;
    if (context.previous)
        on.push_back(piece::link(up + context.previous->page, "← " + context.previous->name));
    if (context.next)
        on.push_back(piece::link(up + context.next->page, context.next->name + " →"));
    page.routes = {std::move(back), std::move(on)};
}

std::string subtitle(const TensorInfo& info, const Source& source)
{
    std::string facts(roleText(info.role));
    for (const std::string& fact : {info.op, shapeText(info.shape), typeText(info)})
        if (!fact.empty())
            facts += " · " + fact;
    return facts + " · " + fileName(source);
}

Page::Plots plots(const ReportedTensor& part)
{
    Page::Plots plots;
    for (const Picture& picture : part.pictures) {
        plots.plots.push_back({.drawing = picture.drawing, .files = picture.files});
        for (std::string& file : plots.plots.back().files)
            file = up + file;
    }
    return plots;
}

/// Titles have commas.
std::string titlesOf(const std::vector<std::string>& ids, const std::vector<Recipe>& recipes)
{
    std::string titles;
    for (const std::string& id : ids) {
        const auto recipe = std::ranges::find(recipes, id, &Recipe::id);
        titles += (titles.empty() ? "" : "; ") + (recipe == recipes.end() ? id : recipe->title);
    }
    return titles;
}

Page::Line labelCell(const Result& result, const std::vector<Recipe>& recipes)
{
    const Choice& choice = result.outcome.choice;
    return {piece::text(result.color, Kind::Swatch),
            piece::text(result.label, Kind::Strong),
            {.kind = Kind::Break},
            piece::text(titlesOf(result.recipes, recipes), Kind::Small),
            {.kind = Kind::Break},
            piece::text(std::string(schemeText(choice.scheme.kind)) + ", " +
                            std::to_string(choice.scheme.bits) + " bits, per " +
                            choice.granularity.text(),
                        Kind::SmallAside)};
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

/// "Zero point", "SQNR, dB".
std::string titleOf(const ResultColumn& column)
{
    std::string title = column.title + (column.unit.empty() ? "" : ", ") + column.unit;
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    return title;
}

/// Columns of pages and paper.
std::vector<const ResultColumn*> shownColumns()
{
    std::vector<const ResultColumn*> shown;
    for (const ResultColumn& column : resultColumns())
        if (column.isOnPages || column.isOnPaper)
            shown.push_back(&column);
    return shown;
}

Medium mediumOf(const ResultColumn& column)
{
    if (column.isOnPages && column.isOnPaper)
        return Medium::Both;
    return column.isOnPages ? Medium::Screen : Medium::Paper;
}

Page::Table resultTable(const ReportedTensor& part, const std::vector<Recipe>& recipes)
{
    const std::vector<const ResultColumn*> shown = shownColumns();
    Page::Table table{{{"Calibrator, recipes, scheme"}}, {}};
    for (const ResultColumn* column : shown)
        table.columns.push_back({titleOf(*column), column->isNumeric, mediumOf(*column)});
    const Result* best = bestOf(part.results);
    for (const Result& result : part.results) {
        if (!result.outcome.problem.empty())
            continue;
        const ScaleRow& whole = result.outcome.whole;
        std::vector<Page::Line> cells = {labelCell(result, recipes)};
        for (const ResultColumn* column : shown) {
            cells.push_back({piece::result(*column, column->number(whole),
                                           !column->isMetric || whole.hasExactMetrics,
                                           &result == best && column->id == "sqnr_db")});
            cells.back().front().text = column->bar(whole);
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

/// Its plots, and over them what is odd about it under what the report's first recipe chooses.
Section lead(const ReportedTensor& part, const std::vector<Recipe>& recipes)
{
    const Outcome* chosen = nullptr;
    std::vector<Outcome> others;
    for (const Result& result : part.results) {
        others.push_back({.choice = result.outcome.choice,
                          .whole = result.outcome.whole,
                          .problem = result.outcome.problem});
        if (!recipes.empty() &&
            std::ranges::find(result.recipes, recipes.front().id) != result.recipes.end())
            chosen = &result.outcome;
    }
    const Diagnosis diagnosis = diagnosed(part.profile, chosen, others);
    const std::string text = diagnosisText(
        diagnosis, diagnosis.better ? part.results[diagnosis.better->index].label : std::string());
    Section section{.title = {}, .blocks = {}};
    if (!text.empty())
        section.blocks.emplace_back(Page::Paragraph{textLine(text)});
    section.blocks.emplace_back(plots(part));
    return section;
}

Section results(const ReportedTensor& part, const std::vector<Recipe>& recipes)
{
    Section section{.title = "Results", .blocks = {}};
    if (part.results.empty()) {
        section.blocks = {
            Page::Paragraph{textLine("No recipe of this report chooses for this tensor.")}};
        return section;
    }
    section.blocks = {resultTable(part, recipes)};
    const auto isPerChannel = [](const Result& result) { return result.outcome.isPerChannel(); };
    if (std::ranges::any_of(part.results, isPerChannel))
        section.blocks.emplace_back(Page::Paragraph{
            textLine("Where there is a scale for each channel or row, low, high and scale are "
                     "those of the widest; the metrics are of the whole tensor quantized so."),
            true});
    return section;
}

Page::List notes(const ReportedTensor& part)
{
    Page::List list;
    for (const Result& result : part.results) {
        const auto add = [&](const std::string& note) {
            list.items.push_back(
                {piece::text(result.label, Kind::Strong), piece::text(": " + note)});
        };
        if (!result.outcome.problem.empty())
            add("no result: " + result.outcome.problem);
        for (const std::string& note : notesOf(result))
            add(note);
    }
    for (const Histogram& histogram : part.profile.histograms)
        for (const std::string& note : histogram.notes)
            list.items.push_back(textLine(histogramText(histogram.spec) + ": " + note));
    return list;
}

/// "3", or "3, first at [0, 4]".
Page::Line placedCount(std::uint64_t count, const TensorProfile& profile,
                       const std::optional<std::uint64_t>& firstIndex)
{
    Page::Line line{piece::count(count)};
    if (firstIndex)
        line.push_back(piece::text(", first at " + indexText(profile.info.shape, *firstIndex)));
    return line;
}

Page::Facts statistics(const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    Page::Facts list{
        {{"Values", {piece::count(extents.values())}},
         {"Zeros", {piece::count(extents.zeros)}},
         {"NaN", placedCount(extents.nan, profile, profile.firstNotFinite.nan)},
         {"Infinite", placedCount(extents.infinite(), profile, profile.firstNotFinite.infinite)}}};
    const auto add = [&list](const char* name, Page::Line line) {
        list.facts.emplace_back(name, std::move(line));
    };
    if (profile.info.mask)
        add("Mask", textLine(maskText(profile.info)));
    if (const std::vector<std::string> losses = lossNotes(extents); !losses.empty())
        add("Lost in float32", textLine(joinedNotes(losses)));
    if (extents.finite > 0) {
        add("Minimum", {piece::number(extents.min, 6)});
        add("Maximum", {piece::number(extents.max, 6)});
        add("Mean", {piece::number(profile.moments.mean)});
        add("Standard deviation", {piece::number(profile.moments.standardDeviation())});
        add("Excess kurtosis", {piece::number(profile.moments.kurtosis())});
    }
    add("Batches", {piece::count(profile.info.batchCount())});
    if (profile.info.channelAxis)
        add("Channels", {piece::count(profile.info.channelCount()),
                         piece::text(" on axis " + std::to_string(*profile.info.channelAxis))});
    return list;
}

Page::Facts origin(const TensorInfo& info, const Source& source)
{
    Page::Facts list{
        {{"File", textLine(source.identity.path)},
         {"Dataset", textLine(info.path)},
         {"Layout rule", textLine(info.layoutRule + (info.isGuess ? " (a guess)" : ""))}}};
    if (!info.layout.empty())
        list.facts.emplace_back("Layout", textLine(info.layout));
    list.facts.emplace_back("Compression", textLine(info.compression));
    list.facts.emplace_back("Checksum", textLine(info.checksum));
    return list;
}

/// The calibrators of the results, and the recipes that ask for one of them.
Section methods(const ReportedTensor& part, const std::vector<Recipe>& recipes)
{
    Section section{.title = "Methods", .blocks = {}, .medium = Medium::Screen};
    for (Page::Statement& statement : calibratorStatements(part.results))
        section.blocks.emplace_back(std::move(statement));
    for (const Recipe& recipe : recipes)
        if (std::ranges::any_of(part.results, [&recipe](const Result& result) {
                return std::ranges::find(result.recipes, recipe.id) != result.recipes.end();
            }))
            section.blocks.emplace_back(recipeStatement(recipe));
    return section;
}

Section programs(const ReportedTensor& part)
{
    Section section{.title = "As Python", .blocks = {}, .medium = Medium::Screen};
    if (part.snippets.empty())
        return section;
    section.blocks.emplace_back(Page::Paragraph{
        textLine("Programs for h5py and NumPy that recompute what stands above."), true});
    for (const Snippet& snippet : part.snippets)
        section.blocks.emplace_back(Page::Program{snippet.title, snippet.code});
    return section;
}

}  // namespace

Page tensorPage(const ReportedTensor& part, const PageContext& context)
{
    const TensorInfo& info = part.profile.info;
    Page page{
        .title = info.name, .subtitle = subtitle(info, *context.source), .isDark = context.isDark};
    addLinks(page, part, context);
    page.sections = {lead(part, context.recipes),
                     results(part, context.recipes),
                     {.title = "Notes", .blocks = {notes(part)}},
                     {.title = "Statistics", .blocks = {statistics(part.profile)}},
                     {.title = "Where it comes from", .blocks = {origin(info, *context.source)}},
                     programs(part)};
    if (context.hasStatements)
        page.sections.push_back(methods(part, context.recipes));
    return page;
}

}  // namespace calibscope::report
