#include "app/calib/channel_option.h"
#include "app/calib/choice_options.h"
#include "app/calib/complaints.h"
#include "app/calib/crash_sentence.h"
#include "app/calib/jobs_option.h"
#include "app/calib/kept_memory.h"
#include "app/calib/layout_override_options.h"
#include "app/calib/opening_options.h"
#include "app/calib/output_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/tensor_options.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/dump/dump_file.h"
#include "core/dump/file_sha256.h"
#include "core/recipes/make_choice.h"
#include "core/report/tables/column_choice.h"
#include "core/report/tables/error_totals.h"
#include "core/report/tables/scales_table.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace calibscope::cli {

namespace {

struct ScalesOptions
{
    std::vector<std::string> files;
    TensorOptions tensors;
    std::string role;
    std::string rows = "tensor";
    bool exact = false;
    bool estimate = false;
    bool curves = false;
    bool sha256 = false;
    ChoiceOptions choices;
    LayoutOverrideOptions layoutOverride;
    ChannelOption channel;
    OpeningOptions opening;
    JobsOption jobs;
    OutputOptions output;

    [[nodiscard]] MetricEffort effort() const
    {
        if (exact)
            return MetricEffort::Exact;
        return estimate ? MetricEffort::Estimate : MetricEffort::Budget;
    }
};

/// Writes outcomes as they come.
class ScalesWriter
{
public:
    ScalesWriter(const ScalesOptions& options, ColumnChoice columns,
                 std::span<const FileIdentity> files)
        : m_options(options),
          m_format(options.output.tableFormat()),
          m_columns(std::move(columns)),
          m_output(options.output.path)
    {
        if (m_format == TableFormat::Json)
            m_output.write(scalesJsonBegin(files));
        else
            m_table = std::make_unique<TableWriter>(m_output.sink(), m_format, m_columns.columns());
    }

    void write(const Outcome& outcome)
    {
        m_totals.add(outcome);
        const bool withChannels = m_options.rows == "channel";
        if (m_table) {
            for (const std::vector<Cell>& row : scaleRows(outcome, withChannels))
                m_table->row(m_columns.cells(row));
        } else {
            m_output.write(m_isFirst ? "\n" : ",\n");
            m_output.write(outcomeJson(outcome, withChannels, m_options.curves));
            m_isFirst = false;
        }
    }

    void finish()
    {
        if (m_table)
            m_table->finish();
        else
            m_output.write("\n" + scalesJsonEnd(m_totals) + "\n");
        m_output.finish();
    }

private:
    const ScalesOptions& m_options;
    TableFormat m_format;
    ColumnChoice m_columns;
    Output m_output;
    ErrorTotals m_totals;
    std::unique_ptr<TableWriter> m_table;
    bool m_isFirst = true;
};

/// The dump's tensors by path, understood as the options say.
std::function<ValueSource(const std::string&)> otherTensors(const DumpFile& dump,
                                                            const ScalesOptions& options)
{
    return [&dump, &options](const std::string& path) {
        const auto found = std::ranges::find(dump.tensors(), path, &TensorInfo::path);
        if (found == dump.tensors().end())
            throw Error(Fault::Input, dump.identity().path + ": there is no tensor " + path);
        return dump.source(options.layoutOverride.applied(*found), options.layoutOverride.batches);
    };
}

/// What came of a tensor: its outcomes, or why there are none.
struct Answer
{
    TensorInfo tensor;
    std::vector<Outcome> outcomes = {};
    std::string problem = {};
};

std::vector<Outcome> outcomesOf(const DumpFile& dump, const TensorInfo& tensor,
                                const Consumers& consumers, const ScalesOptions& options)
{
    std::vector<Choice> choices = options.choices.choicesFor(tensor, consumers);
    if (choices.empty())
        return {};
    if (options.channel.channel)
        std::ranges::transform(choices, choices.begin(), forOneChannel);
    // Several passes follow, and decoding costs most of one.
    const ValueSource source =
        heldIfSmall(options.channel.applied(dump.source(tensor, options.layoutOverride.batches)),
                    AnalyseOptions{}.memoryBytes);
    TensorProfile profile = collectProfile(source);
    const AnalyseOptions analysis{.effort = options.effort(),
                                  .channelMetrics = options.rows == "channel",
                                  .channelTraces = options.rows == "channel" && options.curves,
                                  .otherTensor = otherTensors(dump, options)};
    return analyse(source, profile, choices, analysis);
}

void answerFor(const DumpFile& dump, const Consumers& consumers, const ScalesOptions& options,
               Answer& answer)
{
    if (!answer.tensor.isReadable()) {
        if (options.tensors.asksFor(answer.tensor))
            answer.problem =
                dump.identity().path + ":" + answer.tensor.path + ": " + answer.tensor.unreadable;
        return;
    }
    try {
        answer.outcomes = outcomesOf(dump, answer.tensor, consumers, options);
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        answer.problem = error.what();
    }
}

void write(const DumpFile& dump, const ScalesOptions& options, Answer answer, ScalesWriter& writer,
           Complaints& complaints)
{
    if (!answer.problem.empty())
        complaints.add(answer.problem);
    for (Outcome& outcome : answer.outcomes) {
        outcome.file = dump.identity().path;
        outcome.channel = options.channel.channel;
        if (outcome.problem.empty())
            writer.write(outcome);
        else
            complaints.add(dump.identity().path + ":" + answer.tensor.path + ": " +
                           outcome.choice.calibrator + ": " + outcome.problem);
    }
}

void writeDump(const DumpFile& dump, const ScalesOptions& options, ScalesWriter& writer,
               Complaints& complaints)
{
    const CrashSentence crashSentence(dump.identity().path);
    options.layoutOverride.check(dump);
    const Consumers consumers(dump.tensors());
    std::vector<Answer> answers;
    for (const std::size_t index : options.tensors.selected(dump, parseRole(options.role)))
        answers.push_back({.tensor = options.layoutOverride.applied(dump.tensors()[index])});
    // Each analysis may take the whole budget; a small tensor's takes four times its values at
    // most.
    const std::uint64_t smallBytes = AnalyseOptions{}.memoryBytes / 4 / threadsAtMost();
    inOrder(
        answers.size(),
        {.work = [&](std::size_t index) { answerFor(dump, consumers, options, answers[index]); },
         .deliver =
             [&](std::size_t index) {
                 write(dump, options, std::exchange(answers[index], {}), writer, complaints);
             },
         .isAlone =
             [&](std::size_t index) {
                 return answers[index].tensor.valueCount() * sizeof(float) > smallBytes;
             }});
}

int run(const std::shared_ptr<ScalesOptions>& options)
{
    const ThreadLimit threads(options->jobs.jobs);
    keepFreedMemory();
    refuseOverwriting(options->output, options->files);
    if (options->output.tableFormat() == TableFormat::Json && !options->output.columns.empty())
        throw Error(Fault::Usage, "--columns: JSON has all members; choose csv or table");
    options->choices.resolve();
    const ColumnChoice columns(scaleColumns(), options->output.columns);
    Complaints complaints;
    std::vector<std::shared_ptr<const DumpFile>> dumps;
    std::vector<FileIdentity> identities;
    for (const std::string& path : options->files) {
        const CrashSentence crashSentence(path);
        try {
            dumps.push_back(DumpFile::open(path, options->opening.dumpOptions()));
            identities.push_back(dumps.back()->identity());
            if (options->sha256)
                identities.back().sha256 = fileSha256(path);
        } catch (const Error& error) {
            complaints.add(error.what());
        }
    }
    ScalesWriter writer(*options, columns, identities);
    for (const auto& dump : dumps) {
        try {
            writeDump(*dump, *options, writer, complaints);
        } catch (const Error& error) {
            if (error.fault() != Fault::Input)
                throw;
            complaints.add(error.what());
        }
    }
    writer.finish();
    return complaints.exitCode();
}

}  // namespace

void addScales(CLI::App& app, Action& action)
{
    auto options = std::make_shared<ScalesOptions>();
    CLI::App* scales = app.add_subcommand("scales", "Scales that calibrators and recipes choose");
    scales->add_option("files", options->files, "Dumps")->required()->type_name("FILE");
    options->choices.declare(*scales);
    options->tensors.declare(*scales);
    scales->add_option("--role", options->role, "Only activations, or only weights")
        ->type_name("ROLE")
        ->check(CLI::IsMember({"activation", "weight", "unknown"}));
    scales
        ->add_option("--rows", options->rows,
                     "One row for a tensor, or further ones for its channels")
        ->type_name("tensor|channel")
        ->check(CLI::IsMember({"tensor", "channel"}))
        ->capture_default_str();
    options->layoutOverride.declare(*scales);
    options->channel.declare(*scales);
    scales->add_flag("--exact", options->exact, "Metrics from all values, however many there are");
    scales
        ->add_flag("--estimate", options->estimate,
                   "Metrics from the sketch alone, without a pass; per channel none")
        ->excludes("--exact");
    scales->add_flag("--curves", options->curves, "Curves of searches, in JSON");
    scales->add_flag("--sha256", options->sha256, "Checksums of the files, in JSON");
    options->opening.declare(*scales);
    options->jobs.declare(*scales);
    options->output.declare(*scales);
    scales->callback([options, &action] { action = [options] { return run(options); }; });
}

}  // namespace calibscope::cli
