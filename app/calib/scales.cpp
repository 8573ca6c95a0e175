#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/dump/dump_file.h"
#include "core/recipes/make_choice.h"
#include "core/report/tables/scales_table.h"
#include "core/report/tables/table.h"
#include "core/stats/lossless_sketch.h"
#include "core/tensor/no_values.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

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
    std::uint64_t jobs = 0;  ///< threads; 0: as many as there are processors
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
            makeTable();
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
        if (m_table)
            m_options.output.tellLeftOut(m_columns.columns().size(), scaleColumns().size(),
                                         m_table->leftOut());
    }

private:
    void makeTable()
    {
        m_table = std::make_unique<TableWriter>(m_output.sink(), m_format, m_columns.columns());
        m_options.output.fit(*m_table);
    }

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
        const std::optional<std::size_t> found = dump.find(path);
        if (!found)
            throw Error(Fault::Input, dump.identity().path + ": there is no tensor " + path);
        return dump.source(options.layoutOverride.applied(dump.tensors()[*found]),
                           options.layoutOverride.batches);
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
                                const Consumers& consumers, const ScalesOptions& options,
                                const Reading& reading)
{
    std::vector<Choice> choices = options.choices.choicesFor(tensor, consumers);
    if (choices.empty())
        return {};
    if (options.channel.channel)
        for (Choice& choice : choices)
            choice = forOneChannel(choice, *options.channel.channel, tensor.channelCount());
    reading.at(dump.identity().path, tensor.path);
    // Several passes follow, and decoding costs most of one.
    const ValueSource source =
        heldIfSmall(options.channel.applied(dump.source(tensor, options.layoutOverride.batches)),
                    AnalyseOptions{}.memoryBytes, reading.progress());
    TensorProfile profile = collectProfile(source, reading.progress());
    if (options.exact && source.storedProfile && !isLossless(profile.sketch))
        throw Error(Fault::Input, NoValues(dump.identity().path + ":" + tensor.path).what());
    const AnalyseOptions analysis{.effort = options.effort(),
                                  .channelMetrics = options.rows == "channel",
                                  .channelTraces = options.rows == "channel" && options.curves,
                                  .otherTensor = otherTensors(dump, options)};
    return analyse(source, profile, choices, analysis, reading.progress());
}

void answerFor(const DumpFile& dump, const Consumers& consumers, const ScalesOptions& options,
               const Reading& reading, Answer& answer)
{
    if (!answer.tensor.isReadable()) {
        if (options.tensors.asksFor(answer.tensor))
            answer.problem = dump.identity().path + ":" + answer.tensor.path + ": " +
                             answer.tensor.unreadable.sentence;
        return;
    }
    const std::optional<std::string> problem = inputProblem(
        [&] { answer.outcomes = outcomesOf(dump, answer.tensor, consumers, options, reading); });
    if (problem)
        answer.problem = *problem;
}

void write(const DumpFile& dump, const ScalesOptions& options, Answer answer, ScalesWriter& writer,
           Complaints& complaints)
{
    if (!answer.problem.empty())
        complaints.add(answer.problem);
    if (!answer.outcomes.empty())
        warnOfDoubts(dump.identity().path, answer.tensor);
    else if (answer.problem.empty() && options.tensors.asksFor(answer.tensor))
        warn(dump.identity().path + ":" + answer.tensor.path +
             (answer.tensor.holdsIntegers() ? ": holds integers, which no recipe calibrates"
                                            : ": no recipe calibrates it") +
             "; name a calibrator with --calibrator");
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

void writeDump(const DumpFile& dump, const ScalesOptions& options, const Reading& reading,
               ScalesWriter& writer, Complaints& complaints)
{
    options.layoutOverride.check(dump);
    const Consumers consumers(dump.tensors());
    std::vector<Answer> answers;
    const bool asksForBiases = !options.role.empty() || !options.tensors.patterns.empty();
    for (const std::size_t index : options.tensors.selected(dump, parseRole(options.role))) {
        TensorInfo tensor = options.layoutOverride.applied(dump.tensors()[index]);
        if (tensor.role != Role::Bias || asksForBiases)
            answers.push_back({.tensor = std::move(tensor)});
    }
    // Each analysis may take the whole budget; a small tensor's takes four times its values at
    // most.
    const std::uint64_t smallBytes = AnalyseOptions{}.memoryBytes / 4 / threadsAtMost();
    inOrder(answers.size(),
            {.work =
                 [&](std::size_t index) {
                     answerFor(dump, consumers, options, reading, answers[index]);
                 },
             .deliver =
                 [&](std::size_t index) {
                     write(dump, options, std::exchange(answers[index], {}), writer, complaints);
                 },
             .isAlone =
                 [&](std::size_t index) {
                     return answers[index].tensor.valueCount() * sizeof(float) > smallBytes;
                 }});
}

/// From now on freed blocks of some MiB stay with the process, for the next tensor: given back to
/// the system, each page would be cleared again when it is used next.
void keepFreedMemory()
{
#ifdef __GLIBC__
    constexpr int mostBlock = 64 << 20;  // larger ones are mapped for themselves
    constexpr int mostKept = 128 << 20;  // at the heap's end
    mallopt(M_MMAP_THRESHOLD, mostBlock);
    mallopt(M_TRIM_THRESHOLD, mostKept);
#endif
}

int runScales(ScalesOptions& options, const Reading& reading)
{
    const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
    keepFreedMemory();
    refuseOverwriting(options.output, options.files);
    if (options.output.tableFormat() == TableFormat::Json && !options.output.columns.empty())
        throw Error(Fault::Usage, "--columns: JSON has all members; choose csv or table");
    options.choices.resolve();
    constexpr std::string_view forScreen =
        "tensor,channel,recipe,preset,calibrator,threshold,scale,zero_point,sqnr_db,sqnr_bound_db,"
        "notes";
    const ColumnChoice columns = options.output.choice(
        scaleColumns(), (options.files.size() > 1 ? "file," : "") + std::string(forScreen));
    Complaints complaints;
    std::vector<std::shared_ptr<const DumpFile>> dumps;
    std::vector<FileIdentity> identities;
    for (const std::string& path : options.files) {
        try {
            dumps.push_back(reading.open(path, options.opening.dumpOptions()));
            identities.push_back(dumps.back()->identity());
            if (options.sha256)
                identities.back().sha256 =
                    fileSha256(path, [&] { reading.progress().step(0, 0, path); });
        } catch (const Error& error) {
            complaints.add(error.what());
        }
    }
    ScalesWriter writer(options, columns, identities);
    for (const auto& dump : dumps) {
        complaints.attempt([&] { writeDump(*dump, options, reading, writer, complaints); });
    }
    reading.ends();
    writer.finish();
    return complaints.exitCode();
}

}  // namespace

Command scalesCommand()
{
    const auto options = std::make_shared<ScalesOptions>();
    Command command{.name = "scales", .help = "Scales that calibrators and recipes choose"};
    command.add({.names = "files",
                 .target = &options->files,
                 .help = "Dumps",
                 .type = "FILE",
                 .isRequired = true});
    options->choices.declare(command);
    options->tensors.declare(command);
    command.add(
        {.names = "--role",
         .target = &options->role,
         .help = "Only activations, weights, or biases, which are left out unless asked for",
         .type = "ROLE",
         .words = {"activation", "weight", "bias", "unknown"}});
    command.add(rowsOption(options->rows));
    options->layoutOverride.declare(command);
    options->channel.declare(command);
    command.add({.names = "--exact",
                 .target = &options->exact,
                 .help = "Metrics from all values, however many there are"});
    command.add(
        {.names = "--estimate",
         .target = &options->estimate,
         .help =
             "Metrics from the sketch alone, with bounds, however wide these are: without a pass "
             "over the values; none per channel",
         .excludes = "--exact"});
    command.add(
        {.names = "--curves", .target = &options->curves, .help = "Curves of searches, in JSON"});
    command.add({.names = "--sha256",
                 .target = &options->sha256,
                 .help = "Checksums of the files, in JSON"});
    options->opening.declare(command);
    command.add(jobsOption(options->jobs));
    options->output.declare(command);
    command.run = underGuard(options, runScales);
    return command;
}

}  // namespace calibscope::cli
