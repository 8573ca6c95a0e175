// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/recipes/candidates.h"
#include "core/report/describe/report_data.h"
#include "core/report/html/output_folder.h"
#include "core/report/tables/output.h"
#include "core/report/tables/scales_table.h"
#include "core/report/tables/table.h"
#include "ui/queries/engine_calls.h"
#include "ui/report/report_files.h"
#include "ui/report/report_options.h"

#include <QByteArray>
#include <QString>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

class ReportTables;

/// A report's request for a tensor, and the place of the answer.
struct PlannedTensor
{
    std::size_t source = 0;
    TensorInfo info;
    std::string fileName;               ///< of its page and pictures, without an ending
    std::vector<Candidate> candidates;  ///< those that a recipe asks for
    protocol::ViewRequest request;      ///< its choices: one for each recipe, in their order
};

/// The tensors of all sources, in file order; `dumps` goes with the sources of the report.
[[nodiscard]] std::vector<PlannedTensor> planTensors(std::span<const protocol::DumpOpened> dumps,
                                                     std::span<const Recipe> recipes);

/// Places of its pages, seen from the report's folder.
[[nodiscard]] std::string pageOf(const PlannedTensor& planned);
[[nodiscard]] std::string channelPageOf(const PlannedTensor& planned);

/// The engine's answer as the report tells it, without pages, pictures and snippets. A candidate's
/// outcome is that of its first recipe.
[[nodiscard]] report::ReportedTensor partOf(const PlannedTensor& planned,
                                            const protocol::TensorView& view, bool isDark = false);

/// Leaves the tensors that the options' names and filter mean. A filter that asks for numbers of a
/// tensor (`sqnr<30`, `is:flagged`) has the engine look at each one; SQNR is that of the first
/// recipe. Throws Error(Usage) for a filter that can't be understood, Error(Input) for a name that
/// is in none of the dumps, Cancelled.
void keepScope(std::vector<PlannedTensor>& planned, const std::vector<protocol::DumpOpened>& dumps,
               const ReportOptions& options, EngineCalls& calls);

/// Writes a report's folder: index.html, ranking.html, tensor/NAME.html, channel/NAME.html,
/// scales.csv, channels.csv, scales.json, pictures in png and svg, report.pdf, as the options ask
/// for, and summary.json, by which a report is known. The same files and options give the same
/// bytes, but for the time and the id in a PDF.
class ReportWriter
{
public:
    /// Called with the tensors done, the tensors in all and the name of the one at work.
    using Observer = std::function<void(std::size_t, std::size_t, const std::string&)>;

    ReportWriter(EngineCalls& calls, ReportOptions options, Observer observer = {});

    /// Reads, computes and writes everything. What can't be read is reported in the report. Throws
    /// Error(Usage) for recipes, gates and filters that are none, Error(Input) where a tensor that
    /// was named is in no dump, Error(Output) where the folder can't be written, Cancelled; the
    /// folder is then as it was before.
    [[nodiscard]] report::Report write();

    /// Where everything goes. The pictures come last: they are written before the folder may go.
    struct Target
    {
        OutputFolder folder;
        ViewSpool spool{folder.path() / "views"};
        PictureSaver pictures = {};
    };

private:
    void beginReport();
    void makeFolders(const Target& target) const;
    void openSources();
    /// Empty where it can't be read.
    [[nodiscard]] std::string digestOf(const std::string& path);
    void plan();
    void writeTensors(Target& target);
    void writeTensor(Target& target, ReportTables& tables, std::size_t place);
    void writeWorstPictures(Target& target);
    [[nodiscard]] QByteArray pdf(Target& target);
    void writePages(Target& target, std::size_t place, report::ReportedTensor& part,
                    bool withPictures) const;
    void savePictures(Target& target, std::size_t place, report::ReportedTensor& part) const;
    [[nodiscard]] report::ReportedTensor pagePart(std::size_t place,
                                                  const protocol::TensorView& view) const;
    void addLine(const report::ReportedTensor& part);
    [[nodiscard]] Answer<protocol::TensorView> read(const PlannedTensor& planned);
    void observe(std::size_t done, std::size_t total, const std::string& what) const;
    [[nodiscard]] bool hasPictures() const;
    [[nodiscard]] bool drawsAll() const;
    [[nodiscard]] std::vector<std::size_t> worstLines() const;

    EngineCalls& m_calls;
    ReportOptions m_options;
    Observer m_observer;
    report::Report m_report;
    std::vector<protocol::DumpOpened> m_dumps;  ///< by source; empty where that has a problem
    std::vector<PlannedTensor> m_planned;       ///< by line of the report
    std::map<std::size_t, QString> m_lost;      ///< why a source can't be reached any more
};

/// The tables of a report, written row by row: scales.csv with the rows of `calib scales`,
/// channels.csv with one row for each channel under each result, scales.json.
class ReportTables
{
public:
    /// Makes the files that the options ask for. Throws Error(Output), as do those below.
    ReportTables(const std::filesystem::path& folder, const ReportOptions& options,
                 std::span<const report::Source> sources);

    /// One for each recipe.
    void add(std::span<const Outcome> outcomes);
    void finish();

private:
    struct Csv
    {
        Csv(const std::filesystem::path& path, const std::vector<Column>& columns);

        Output output;
        TableWriter table;
    };

    std::unique_ptr<Csv> m_scales;
    std::unique_ptr<Csv> m_channels;
    std::unique_ptr<Output> m_json;
    ErrorTotals m_totals;
    bool m_isFirst = true;
};

}  // namespace calibscope
