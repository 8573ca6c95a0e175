// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/report_data.h"

#include "core/base/error.h"
#include "core/base/join.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace calibscope::report {

namespace {

constexpr std::size_t sparklineColumns = 32;

/// Counts of the signed histogram in fewer columns.
std::vector<double> sparklineOf(const TensorProfile& profile)
{
    std::vector<double> columns(sparklineColumns, 0.0);
    for (const Histogram& histogram : profile.histograms) {
        if (histogram.spec.domain != Domain::Signed)
            continue;
        for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
            columns[bin * sparklineColumns / histogram.counts.size()] +=
                static_cast<double>(histogram.counts[bin]);
        break;
    }
    return columns;
}

ResultLine lineOf(const Result& result)
{
    const Outcome& outcome = result.outcome;
    return {.label = result.label,
            .recipes = result.recipes,
            .sqnrDb = outcome.whole.metric("sqnr_db"),
            .squaredError = outcome.whole.metric("squared_error"),
            .clippedShare = outcome.whole.metric("clipped_share"),
            .hasExactMetrics = outcome.whole.hasExactMetrics,
            .notes = notesOf(result),
            .problem = outcome.problem};
}

/// The values whose words stand in a list with commas between them.
template <typename Value>
std::set<Value> parsed(std::string_view option, std::string_view words,
                       const std::vector<Value>& all, std::string_view (*wordOf)(Value))
{
    std::set<Value> found;
    const std::string known = joinedText(all, ", ", wordOf);
    std::size_t start = 0;
    while (start <= words.size()) {
        const std::size_t comma = std::min(words.find(',', start), words.size());
        const std::string_view word = words.substr(start, comma - start);
        const std::size_t before = found.size();
        for (const Value value : all)
            if (wordOf(value) == word)
                found.insert(value);
        if (found.size() == before)
            throw Error(Fault::Usage, "{} {}: \"{}\" is unknown or repeated: {}", option, words,
                        word, known);
        start = comma + 1;
    }
    return found;
}

}  // namespace

std::string fileName(const Source& source)
{
    const std::string& path = source.identity.path;
    return path.substr(path.find_last_of('/') + 1);
}

std::vector<std::string> notesOf(const Result& result)
{
    std::vector<std::string> notes = result.outcome.whole.notes;
    const std::string& ofRule = result.outcome.choice.note;
    if (!ofRule.empty() && std::ranges::find(notes, ofRule) == notes.end())
        notes.insert(notes.begin(), ofRule);
    return notes;
}

std::optional<double> TensorLine::worstSqnr() const
{
    std::optional<double> worst;
    for (const ResultLine& result : results)
        if (result.sqnrDb)
            worst = std::min(worst.value_or(*result.sqnrDb), *result.sqnrDb);
    return worst;
}

const ResultLine* TensorLine::resultOf(const std::string& recipe) const
{
    const auto found = std::ranges::find_if(results, [&recipe](const ResultLine& result) {
        return std::ranges::find(result.recipes, recipe) != result.recipes.end();
    });
    return found == results.end() ? nullptr : &*found;
}

TensorLine lineOf(const ReportedTensor& part)
{
    TensorLine line{.source = part.source,
                    .page = part.page,
                    .info = part.profile.info,
                    .extents = part.profile.extents(),
                    .sparkline = sparklineOf(part.profile)};
    for (const Result& result : part.results)
        line.results.push_back(lineOf(result));
    return line;
}

std::vector<std::size_t> Report::ranking() const
{
    const auto key = [this](std::size_t line) {
        // Behind even what is without error: there is nothing to judge.
        const std::optional<double> worst = lines[line].worstSqnr();
        return std::pair(!worst, worst.value_or(0.0));
    };
    std::vector<std::size_t> order(lines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [this](std::size_t line) { return !lines[line].problem.empty(); });
    std::ranges::stable_sort(order, {}, key);
    return order;
}

ErrorSum Report::errorSum(const std::string& recipe) const
{
    ErrorSum sum;
    for (std::size_t index = 0; index < lines.size(); ++index) {
        const TensorLine& line = lines[index];
        const ResultLine* result = line.resultOf(recipe);
        if (line.info.role == Role::Weight || result == nullptr || !result->squaredError)
            continue;
        ++sum.activations;
        sum.lines.push_back(index);
        sum.squaredError += *result->squaredError;
    }
    return sum;
}

bool Report::isComplete() const
{
    const auto isWhole = [](const TensorLine& line) {
        return line.problem.empty() &&
               std::ranges::all_of(line.results, &std::string::empty, &ResultLine::problem);
    };
    return std::ranges::all_of(sources, &std::string::empty, &Source::problem) &&
           std::ranges::all_of(lines, isWhole);
}

std::string_view contentWord(Content content)
{
    switch (content) {
    case Content::Summary: return "summary";
    case Content::Ranking: return "ranking";
    case Content::Tensors: return "tensors";
    case Content::Channels: return "channels";
    case Content::Statements: return "statements";
    case Content::Environment: return "environment";
    }
    return "";
}

std::string_view formatWord(Format format)
{
    switch (format) {
    case Format::Html: return "html";
    case Format::Csv: return "csv";
    case Format::Json: return "json";
    case Format::Png: return "png";
    case Format::Svg: return "svg";
    case Format::Pdf: return "pdf";
    }
    return "";
}

const std::vector<Content>& contents()
{
    static const std::vector<Content> all = {Content::Summary,    Content::Ranking,
                                             Content::Tensors,    Content::Channels,
                                             Content::Statements, Content::Environment};
    return all;
}

const std::vector<Format>& formats()
{
    static const std::vector<Format> all = {Format::Html, Format::Csv, Format::Json,
                                            Format::Png,  Format::Svg, Format::Pdf};
    return all;
}

std::set<Content> parseContents(std::string_view words)
{
    return parsed("--content", words, contents(), contentWord);
}

std::set<Format> parseFormats(std::string_view words)
{
    return parsed("--format", words, formats(), formatWord);
}

}  // namespace calibscope::report
