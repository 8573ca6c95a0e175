// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/metrics/sqnr_limits.h"
#include "core/recipes/outcome.h"
#include "core/recipes/recipe.h"
#include "core/report/tables/gate.h"
#include "core/results/improvement_results.h"
#include "core/results/ladder_results.h"
#include "core/stats/profile.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Contents of a report, apart from how it looks.

/// Parts of a report.

namespace calibscope::report {

enum class Content {
    Summary,      ///< recipes and what they keep, warnings, how the layout was understood
    Ranking,      ///< tensors and results, the worst first; sums over the network
    Tensors,      ///< a page for each tensor, with its pictures
    Channels,     ///< a page for the channels of each tensor that has some
    Statements,   ///< what the sources state, what was chosen, settings
    Environment,  ///< files with their SHA-256, versions, options
};

enum class Format { Html, Csv, Json, Png, Svg, Pdf };

/// Its word on the command line.
[[nodiscard]] std::string_view contentWord(Content content);
[[nodiscard]] std::string_view formatWord(Format format);

/// All of them, in their order.
[[nodiscard]] const std::vector<Content>& contents();
[[nodiscard]] const std::vector<Format>& formats();

/// The contents of "summary,ranking". Throws Error(Usage) that lists the words for any other, and
/// for none.
[[nodiscard]] std::set<Content> parseContents(std::string_view words);
[[nodiscard]] std::set<Format> parseFormats(std::string_view words);

/// A dump that the report is about, or was meant to be.
struct Source
{
    FileIdentity identity;
    std::map<std::string, std::string> attributes;
    std::vector<std::string> warnings;
    std::string problem;  ///< why it could not be opened; empty: it was
};

/// The last part of its path.
[[nodiscard]] std::string fileName(const Source& source);

/// One computation on a tensor and the recipes that ask for it.
struct Result
{
    std::string label;                 ///< short, differs from all others of the tensor
    std::vector<std::string> recipes;  ///< ids
    std::string color;                 ///< as in the pictures, "#rrggbb"
    Outcome outcome;
    std::string id = {};  ///< of the candidate: what the pictures' colours go by
};

/// Notes for its reader: the note of the recipe's rule, then those of the outcome.
[[nodiscard]] std::vector<std::string> notesOf(const Result& result);

/// A plot of a tensor.
struct Picture
{
    std::string drawing;             ///< of its page: an element `svg`, as it is
    std::vector<std::string> files;  ///< of the same, seen from the report's folder
};

/// A program in Python that recomputes what a page shows.
struct Snippet
{
    std::string title;
    std::string code;
};

/// All that a tensor's page shows.
struct ReportedTensor
{
    std::size_t source = 0;
    std::string page;         ///< "tensor/NAME.html"; empty: there is none
    std::string channelPage;  ///< "channel/NAME.html"; empty: there is none
    TensorProfile profile;
    std::vector<Result> results;
    std::vector<Picture> pictures;
    std::vector<Snippet> snippets;
};

/// The front page's facts of a result.
struct ResultLine
{
    std::string label;
    std::vector<std::string> recipes;
    std::optional<double> sqnrDb;
    std::optional<double> squaredError;
    std::optional<double> clippedShare;
    bool hasExactMetrics = false;
    std::vector<std::string> notes;  ///< notesOf()
    std::string problem;
};

/// The front page's facts of a tensor.
struct TensorLine
{
    std::size_t source = 0;
    std::string page;
    TensorInfo info;
    Extents extents;
    std::vector<double> sparkline;
    std::vector<ResultLine> results;
    std::string problem;  ///< why it could not be read; empty: it was

    /// The lowest SQNR of its results.
    [[nodiscard]] std::optional<double> worstSqnr() const;
    /// The line of the result that the recipe asks for; nullptr if there is none.
    [[nodiscard]] const ResultLine* resultOf(const std::string& recipe) const;
};

[[nodiscard]] TensorLine lineOf(const ReportedTensor& part);

/// A result that fails a gate.
struct Offence
{
    std::string gate;    ///< the expression
    std::string metric;  ///< id
    std::size_t line = 0;
    std::string label;
    double value = 0.0;
};

/// Effect of a recipe on all activations together.
struct ErrorSum
{
    std::uint64_t activations = 0;
    double squaredError = 0.0;
    std::vector<std::size_t> lines = {};  ///< indices of the activations in the report's lines
};

/// The whole report. Lines are in file order.
struct Report
{
    std::vector<Source> sources;
    std::vector<Recipe> recipes;
    std::vector<TensorLine> lines;
    std::vector<Gate> gates;
    std::vector<Offence> offences;
    std::set<Content> contents{report::contents().begin(), report::contents().end()};
    /// Names and values: versions and the options that made the report.
    std::vector<std::pair<std::string, std::string>> environment;
    std::vector<ImprovementReport> improvements = {};   ///< the remedies that are ticked
    std::vector<std::vector<LadderRung>> ladders = {};  ///< their steps at the networks' ends
    bool isDark = false;                                ///< pages and pictures
    SqnrLimits limits = {};                             ///< what bars of SQNR are graded by

    [[nodiscard]] bool has(Content content) const { return contents.contains(content); }
    /// The squared errors of the activations under that recipe, added up.
    [[nodiscard]] ErrorSum errorSum(const std::string& recipe) const;
    /// Indices in `lines`, the lowest SQNR first, then those without an SQNR; without those that
    /// could not be read.
    [[nodiscard]] std::vector<std::size_t> ranking() const;
    /// Whether all that was asked for could be read and computed.
    [[nodiscard]] bool isComplete() const;
};

}  // namespace calibscope::report
