// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/decision_input.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/deploy/names/dump_names.h"
#include "core/deploy/names/graph_ops.h"
#include "core/layers/layer_errors.h"
#include "core/recipes/candidates.h"
#include "core/report/tables/layer_report.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct LayersOptions
{
    std::vector<std::string> files;
    DecisionInput decisions;
    std::string model;  ///< tells the operators; empty: the dump does
    std::string map;
    std::vector<std::string> layers;
    std::uint64_t positions = 4096;
    std::uint64_t seed = 1;
    bool exact = false;
    bool channels = false;
    bool candidates = false;
    bool equalization = false;
    std::uint64_t jobs = 0;  ///< threads; 0: as many as there are processors
    OpeningOptions opening;
    OutputOptions output;

    [[nodiscard]] const std::vector<Column>& columns() const
    {
        if (channels)
            return layerChannelColumns();
        if (candidates)
            return layerCandidateColumns();
        return equalization ? equalizationColumns() : layerColumns();
    }
};

/// One dump with what was decided on it.
struct DecidedLayers
{
    std::shared_ptr<const DumpFile> dump;
    std::vector<TensorInfo> tensors;  ///< with their operators
    std::vector<DecidedTensor> decided;
    layers::LayerOptions options;

    /// The dump with these tensors; `this` must outlive it.
    [[nodiscard]] layers::LayerDump asLayers() const
    {
        return {dump->identity().path, tensors,
                [this](const TensorInfo& understood, std::uint64_t firstBatches) {
                    return dump->source(understood, firstBatches);
                }};
    }
};

/// The candidates of the published recipes on a tensor, as the window has them, computed in one go.
std::vector<layers::OperandCandidate> candidatesOn(const DumpFile& dump, const Consumers& consumers,
                                                   const TensorInfo& tensor, const Reading& reading)
{
    const std::vector<Candidate> candidates = candidatesFor(tensor, consumers, recipes());
    std::vector<Choice> choices;
    for (const Candidate& candidate : candidates)
        choices.push_back(candidate.choice);
    reading.at(dump.identity().path, tensor.path);
    const ValueSource source =
        heldIfSmall(dump.source(tensor), AnalyseOptions{}.memoryBytes, reading.progress());
    TensorProfile profile = collectProfile(source, reading.progress());
    AnalyseOptions analysis;
    analysis.effort = MetricEffort::None;
    analysis.otherTensor = [&dump](const std::string& path) {
        return dump.source(dump.indexOf(path));
    };
    std::vector<Outcome> outcomes = analyse(source, profile, choices, analysis, reading.progress());
    std::vector<layers::OperandCandidate> computed;
    for (std::size_t place = 0; place < candidates.size(); ++place)
        computed.push_back({.id = candidates[place].id,
                            .label = candidates[place].label,
                            .tensor = {.file = dump.identity().path,
                                       .info = tensor,
                                       .outcome = std::move(outcomes[place]),
                                       .graphName = {}}});
    return computed;
}

void writeCandidates(const DecidedLayers& layers, const Reading& reading, TableOutput& table)
{
    const Consumers consumers(layers.tensors);
    layers::LayerOptions none = layers.options;
    none.withChannels = false;
    for (const std::string& layer : layers::layerNames(layers.tensors, none)) {
        const LayerCandidates candidates = layers::layerCandidates(
            layers.asLayers(), layer, layers.decided,
            [&](const TensorInfo& tensor) {
                return candidatesOn(*layers.dump, consumers, tensor, reading);
            },
            none, reading.progress());
        for (const std::vector<Cell>& row : layerCandidateRows(candidates))
            table.row(row);
    }
}

void writeLayers(const DecidedLayers& layers, const LayersOptions& options, const Reading& reading,
                 TableOutput& table)
{
    std::vector<std::vector<Cell>> rows;
    if (options.candidates) {
        writeCandidates(layers, reading, table);
    } else if (options.equalization) {
        rows = equalizationRows(layers::equalizations(layers.asLayers(), layers.decided,
                                                      layers.options, reading.progress()));
    } else {
        const LayerReport report = layers::layerReport(layers.asLayers(), layers.decided,
                                                       layers.options, reading.progress());
        rows = options.channels ? layerChannelRows(report) : layerRows(report);
    }
    for (const std::vector<Cell>& row : rows)
        table.row(row);
}

/// Why there are layers, but no rows of the table that was asked for.
std::string_view whyNoRows(const LayersOptions& options)
{
    if (options.equalization)
        return "no two layers follow each other with nothing but moves of values and ReLU between "
               "them, all of them in the dump";
    return options.channels ? "no layer can be computed; the table without --channels says why"
                            : "no layer has an operand in the dump";
}

layers::LayerOptions layerOptions(const LayersOptions& options, const DumpFile& dump,
                                  const Reading& reading)
{
    return {.positions = options.exact ? 0 : options.positions,
            .seed = options.seed,
            .withChannels = options.channels,
            .memoryBytes = options.opening.dumpOptions().memoryBytes,
            .layers = {options.layers.begin(), options.layers.end()},
            .begins = [&dump, &reading](const TensorInfo& tensor) {
                reading.at(dump.identity().path, tensor.path);
            }};
}

/// The dump's tensors, with the operators of the model if one is given.
std::vector<TensorInfo> tensorsWithOperators(const LayersOptions& options, const DumpFile& dump,
                                             const Reading& reading)
{
    if (options.model.empty())
        return dump.tensors();
    const auto model = model::ModelFile::read(options.model);
    const deploy::NameMap map =
        options.map.empty() ? deploy::NameMap{} : deploy::readNameMap(options.map);
    const std::vector<deploy::GraphName> names =
        deploy::namesIn(*model, deploy::tensorsOf(dump), map, false, reading.progress());
    if (const std::string none = deploy::whyNoneIsThere(dump.tensors(), model->tensors(), names);
        !none.empty())
        throw Error(Fault::Input, "{}: {}", options.model, none);
    return deploy::withOperators(dump.tensors(), names, *model);
}

int runLayers(LayersOptions& options, const Reading& reading)
{
    const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
    const int kinds =
        (options.channels ? 1 : 0) + (options.candidates ? 1 : 0) + (options.equalization ? 1 : 0);
    if (!options.map.empty() && options.model.empty())
        throw Error(Fault::Usage, "--map needs a model; add --onnx MODEL");
    if (kinds > 1)
        throw Error(Fault::Usage,
                    "one table at a time: --channels, --candidates or --equalization");
    std::vector<std::string> inputs = options.files;
    inputs.insert(inputs.end(), {options.model, options.map});
    refuseOverwriting(options.output, inputs);
    options.decisions.resolve(options.files);
    const bool isOfLayers = kinds == 0;
    TableOutput table(options.output, options.columns(),
                      isOfLayers ? "layer,output_sqnr_db,interval_db,output_ac_db,input_db,"
                                   "weight_db,notes"
                                 : "");
    Complaints complaints;
    complaints.add(options.decisions.problems());
    for (std::size_t place = 0; place < options.files.size(); ++place) {
        DecidedLayers layers{.dump =
                                 reading.open(options.files[place], options.opening.dumpOptions()),
                             .tensors = {},
                             .decided = {},
                             .options = {}};
        layers.tensors = tensorsWithOperators(options, *layers.dump, reading);
        if (const std::string why = layers::whyNoLayers(layers.tensors); !why.empty())
            complaints.add(layers.dump->identity().path + ": " + why +
                           (options.model.empty() && !layers.tensors.empty()
                                ? "; an ONNX model supplies them: --onnx MODEL"
                                : ""));
        layers.options = layerOptions(options, *layers.dump, reading);
        const std::set<std::string> operands = layers::operandPaths(layers.tensors);
        deploy::Decisions decisions = options.decisions.decidedOn(
            *layers.dump, place, MetricEffort::None, reading,
            [&](const TensorInfo& tensor) { return operands.contains(tensor.path); });
        reportDoubts(decisions, complaints);
        layers.decided = std::move(decisions.tensors);
        for (const std::string& name : layers::missingLayers(layers.tensors, layers.options))
            complaints.add(layers.dump->identity().path + ": there is no layer " + name);
        writeLayers(layers, options, reading, table);
    }
    reading.ends();
    table.finish(complaints.exitCode() == 0 ? whyNoRows(options) : std::string_view());
    return complaints.exitCode();
}

}  // namespace

Command layersCommand()
{
    const auto options = std::make_shared<LayersOptions>();
    Command command{.name = "layers",
                    .help = "Errors of layers' outputs that quantizing their operands causes"};
    command.add(requiredFiles(options->files));
    options->decisions.declare(command);
    command.add({.names = "--onnx",
                 .target = &options->model,
                 .help = "ONNX model that tells the operators, where the dump does not",
                 .type = "MODEL"});
    command.add(mapOption(options->map));
    command.add({.names = "--layer",
                 .target = &options->layers,
                 .help = "Only that layer, by its output's name or path; may be repeated",
                 .type = "NAME"});
    command.add({.names = "--positions",
                 .target = &options->positions,
                 .help = "Positions of each output that are computed, drawn from all samples alike",
                 .type = "N",
                 .showsDefault = true,
                 .range = OptionRange{1, std::int64_t{1} << 40}});
    command.add({.names = "--exact",
                 .target = &options->exact,
                 .help = "All positions",
                 .excludes = "--positions"});
    command.add({.names = "--seed",
                 .target = &options->seed,
                 .help = "Of the positions",
                 .type = "N",
                 .showsDefault = true,
                 .range = OptionRange{0, std::int64_t{1} << 53}});
    command.add(
        {.names = "--channels",
         .target = &options->channels,
         .help = "A row for each output channel: its mean error, and the gain of correcting it"});
    command.add({.names = "--candidates",
                 .target = &options->candidates,
                 .help = "Effect of each candidate on an operand, and the best pair"});
    command.add({.names = "--equalization",
                 .target = &options->equalization,
                 .help = "Gains of equalizing channels between layers"});
    options->opening.declare(command);
    command.add(jobsOption(options->jobs));
    options->output.declare(command);
    command.run = underGuard(options, runLayers);
    return command;
}

}  // namespace calibscope::cli
