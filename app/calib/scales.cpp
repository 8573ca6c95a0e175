// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/tensor_pass.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/dump/dump_file.h"
#include "core/report/tables/scales_table.h"
#include "core/report/tables/table.h"
#include "core/stats/lossless_sketch.h"
#include "core/tensor/no_values.h"

#include <algorithm>
#include <cstdlib>
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
    EffortOptions effort;
    bool curves = false;
    bool sha256 = false;
    ChoiceOptions choices;
    LayoutOverrideOptions layoutOverride;
    ChannelOption channel;
    OpeningOptions opening;
    std::uint64_t jobs = 0;  ///< threads; 0: as many as there are processors
    OutputOptions output;
};

/// Writes outcomes as they come.
class ScalesWriter
{
public:
    /// Throws for unknown columns. begin() follows.
    explicit ScalesWriter(const ScalesOptions& options) : m_options(options)
    {
        constexpr std::string_view forScreen =
            "tensor,channel,recipe,preset,calibrator,threshold,scale,zero_point,sqnr_db,"
            "sqnr_bound_db,notes";
        const std::string file = options.files.size() > 1 ? "file," : "";
        if (options.output.tableFormat() != TableFormat::Json)
            m_table.emplace(options.output, scaleColumns(), file + std::string(forScreen));
        else if (!options.output.columns.empty())
            throw Error(Fault::Usage,
                        "--columns: JSON always has all members; choose csv or table");
    }

    void begin(std::span<const FileIdentity> files)
    {
        if (!m_table)
            m_json.emplace(m_options.output.path).write(scalesJsonBegin(files));
    }

    void write(const Outcome& outcome)
    {
        m_totals.add(outcome);
        const bool withChannels = m_options.rows == "channel";
        if (m_table) {
            if (m_options.curves)
                writeCurve(outcome.curve);
            for (const std::vector<Cell>& row : scaleRows(outcome, withChannels))
                m_table->row(row);
        } else {
            m_json->write(m_isFirst ? "\n" : ",\n");
            m_json->write(outcomeJson(outcome, withChannels, m_options.curves));
            m_isFirst = false;
        }
    }

    void finish()
    {
        if (m_table)
            return m_table->finish();
        m_json->write("\n" + scalesJsonEnd(m_totals) + "\n");
        m_json->finish();
    }

private:
    /// Named by the row that is written next.
    void writeCurve(const Curve& curve)
    {
        if (curve.threshold.empty())
            return;
        const std::string name = "curve/" + std::to_string(m_table->rowCount());
        m_table->array(name + "/threshold", {curve.threshold.begin(), curve.threshold.end()});
        m_table->array(name + "/objective", {curve.value.begin(), curve.value.end()});
        m_table->array(name + "/chosen", {std::uint64_t{curve.chosen}});
    }

    const ScalesOptions& m_options;
    std::optional<TableOutput> m_table;
    std::optional<Output> m_json;
    ErrorTotals m_totals;
    bool m_isFirst = true;
};

/// A tensor with its outcomes.
struct Analysed
{
    TensorInfo tensor;
    std::vector<Outcome> outcomes = {};
};

std::vector<Outcome> outcomesOf(const DumpFile& dump, const TensorInfo& tensor,
                                const Consumers& consumers, const ScalesOptions& options,
                                const Reading& reading)
{
    const std::vector<Choice> choices =
        choicesFor(tensor, consumers, options.choices, options.channel);
    if (choices.empty())
        return {};
    // Several passes follow, and decoding costs most of one.
    const ValueSource source =
        heldIfSmall(options.channel.applied(dump.source(tensor, options.layoutOverride.batches)),
                    AnalyseOptions{}.memoryBytes, reading.progress());
    TensorProfile profile = collectProfile(source, reading.progress());
    if (options.effort.exact && source.storedProfile && !isLossless(profile.sketch))
        throw Error(Fault::Input, NoValues(dump.identity().path + ":" + tensor.path).what());
    const bool withChannels = options.rows == "channel";
    const AnalyseOptions analysis{.effort = options.effort.effort(),
                                  .channelMetrics = withChannels,
                                  .channelTraces = withChannels && options.curves,
                                  .otherTensor = otherTensors(dump, options.layoutOverride),
                                  .ask = reading.ask()};
    return analyse(source, profile, choices, analysis, reading.progress());
}

void write(const DumpFile& dump, const ScalesOptions& options, Analysed& analysed,
           ScalesWriter& writer, Complaints& complaints)
{
    const std::string where = dump.identity().path + ":" + analysed.tensor.path + ": ";
    if (!analysed.outcomes.empty())
        warnOfDoubts(dump.identity().path, analysed.tensor);
    else if (options.tensors.asksFor(analysed.tensor))
        warn(where +
             (analysed.tensor.holdsIntegers() ? "holds integers, which no recipe calibrates"
                                              : "no recipe calibrates it") +
             "; name a calibrator with --calibrator");
    for (Outcome& outcome : analysed.outcomes) {
        outcome.file = dump.identity().path;
        outcome.channel = options.channel.channel;
        if (outcome.problem.empty())
            writer.write(outcome);
        else
            complaints.add(where + outcome.choice.calibrator + ": " + outcome.problem);
    }
}

void writeDump(const DumpFile& dump, const ScalesOptions& options, const Reading& reading,
               ScalesWriter& writer, Complaints& complaints)
{
    options.layoutOverride.check(dump);
    const Consumers consumers(dump.tensors());
    std::vector<Analysed> items;
    const bool asksForBiases = !options.role.empty() || !options.tensors.patterns.empty();
    for (TensorInfo& tensor :
         selectedTensors(dump, options.tensors, options.layoutOverride, parseRole(options.role)))
        if (tensor.role != Role::Bias || asksForBiases)
            items.push_back({.tensor = std::move(tensor)});
    forEachTensor(
        {dump, options.tensors, reading, complaints, AnalyseOptions{}.memoryBytes},
        std::move(items),
        [&](Analysed& item) {
            item.outcomes = outcomesOf(dump, item.tensor, consumers, options, reading);
        },
        [&](Analysed& item) { write(dump, options, item, writer, complaints); });
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
    options.choices.resolve();
    ScalesWriter writer(options);
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
    writer.begin(identities);
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
    command.add(requiredFiles(options->files));
    options->choices.declare(command);
    options->tensors.declare(command);
    command.add(
        roleOption(options->role,
                   "Only activations, weights, or biases, which are left out unless asked for"));
    command.add(rowsOption(options->rows));
    options->layoutOverride.declare(command);
    options->channel.declare(command);
    options->effort.declare(
        command, "Metrics from the sketch alone, with bounds, however wide these are: without a "
                 "pass over the values; none per channel");
    command.add({.names = "--curves",
                 .target = &options->curves,
                 .help = "Curves of searches, in JSON and NPZ"});
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
