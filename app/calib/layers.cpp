// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/layer_input.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/collect/analyse.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/layers/layer_errors.h"
#include "core/layers/operand_search.h"
#include "core/quant/element_format.h"
#include "core/recipes/candidates.h"
#include "core/recipes/make_choice.h"
#include "core/report/tables/layer_report.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct LayersOptions : LayerInput
{
    bool channels = false;
    bool candidates = false;
    bool equalization = false;
    std::string analysis;  ///< empty: none
    std::vector<std::string> formats;
    std::string inputFormat = "int8";
    OutputOptions output;

    [[nodiscard]] const std::vector<Column>& columns() const
    {
        if (!analysis.empty())
            return operandTrialColumns();
        if (channels)
            return layerChannelColumns();
        if (candidates)
            return layerCandidateColumns();
        return equalization ? equalizationColumns() : layerColumns();
    }
};

/// The candidates of the published recipes on a tensor, as the window has them, with the scheme, bits
/// and granularity that were given; those without such a form are left out, and what becomes equal is
/// there once.
std::vector<Candidate> givenCandidates(const TensorInfo& tensor, const Consumers& consumers,
                                       const ChoiceOptions& given)
{
    std::vector<Candidate> candidates = candidatesFor(tensor, consumers, recipes());
    if (!given.overrides())
        return candidates;
    std::vector<Candidate> remade;
    for (Candidate& candidate : candidates) {
        try {
            candidate.choice = fittedTo(given.overridden(std::move(candidate.choice)), tensor);
        } catch (const Error&) {
            continue;
        }
        candidate.id = candidateId(candidate.choice);
        if (std::ranges::find(remade, candidate.id, &Candidate::id) == remade.end())
            remade.push_back(std::move(candidate));
    }
    return remade;
}

/// Computed in one go.
std::vector<layers::OperandCandidate> candidatesOn(const DumpFile& dump, const TensorInfo& tensor,
                                                   const std::vector<Candidate>& candidates,
                                                   const Reading& reading)
{
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
    analysis.ask = reading.ask();
    std::vector<Outcome> outcomes = analyse(source, profile, choices, analysis, reading.progress());
    std::vector<layers::OperandCandidate> computed;
    for (std::size_t index = 0; index < candidates.size(); ++index)
        computed.push_back({.id = candidates[index].id,
                            .label = candidates[index].label,
                            .tensor = {.file = dump.identity().path,
                                       .info = tensor,
                                       .outcome = std::move(outcomes[index]),
                                       .graphName = {}}});
    return computed;
}

void writeCandidates(const DecidedLayers& layers, const ChoiceOptions& given,
                     const Reading& reading, TableOutput& table)
{
    const Consumers consumers(layers.tensors);
    layers::LayerOptions none = layers.options;
    none.withChannels = false;
    for (const std::string& layer : layers::layerNames(layers.tensors, none)) {
        const LayerCandidates candidates = layers::layerCandidates(
            layers.asLayers(), layer, layers.decided,
            [&](const TensorInfo& tensor) {
                return candidatesOn(*layers.dump, tensor, givenCandidates(tensor, consumers, given),
                                    reading);
            },
            none, reading.progress());
        for (const std::vector<Cell>& row : layerCandidateRows(candidates))
            table.row(row);
    }
}

layers::OperandOptions operandOptions(const LayersOptions& options)
{
    layers::OperandOptions analysis{.analysis = layers::operandAnalysis(options.analysis)};
    for (const std::string& id : options.formats)
        analysis.formats.push_back(parseBlockFormat(id));
    if (analysis.analysis != OperandAnalysis::Formats && analysis.formats.size() > 1)
        throw Error(Fault::Usage, "--analysis {} tries one number format", options.analysis);
    if (options.inputFormat != "int8")
        analysis.input = elementFormat(options.inputFormat).numbers();
    return analysis;
}

void writeLayers(const DecidedLayers& layers, const LayersOptions& options, const Reading& reading,
                 TableOutput& table)
{
    std::vector<std::vector<Cell>> rows;
    if (options.candidates) {
        writeCandidates(layers, options.decisions.choices(), reading, table);
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

int runLayers(LayersOptions& options, const Reading& reading)
{
    const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
    const bool isAnalysis = !options.analysis.empty();
    const int kinds = (options.channels ? 1 : 0) + (options.candidates ? 1 : 0) +
                      (options.equalization ? 1 : 0) + (isAnalysis ? 1 : 0);
    if (kinds > 1)
        throw Error(Fault::Usage,
                    "one table at a time: --channels, --candidates, --equalization or --analysis");
    if (!isAnalysis && !options.formats.empty())
        throw Error(Fault::Usage, "--number-format is for --analysis");
    layers::OperandOptions analysis =
        isAnalysis ? operandOptions(options) : layers::OperandOptions();
    options.decides = !isAnalysis;
    options.resolve(options.output);
    const bool isOfLayers = kinds == 0;
    TableOutput table(options.output, options.columns(),
                      isOfLayers ? "layer,output_sqnr_db,interval_db,output_ac_db,input_db,"
                                   "weight_db,notes"
                                 : "");
    Complaints complaints;
    complaints.add(options.decisions.problems());
    for (std::size_t index = 0; index < options.files.size(); ++index) {
        if (isAnalysis) {
            const DecidedLayers found = undecidedLayers(options, index, reading, complaints);
            analysis.layers = found.options;
            for (const std::vector<Cell>& row : operandTrialRows(
                     layers::operandTrials(found.asLayers(), analysis, reading.progress())))
                table.row(row);
            continue;
        }
        DecidedLayers layers = decidedLayers(options, index, reading, complaints);
        layers.options.withChannels = options.channels;
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
    options->declare(command);
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
    command.add({.names = "--analysis",
                 .target = &options->analysis,
                 .help = "Trials on a layer's operands by its output: " +
                         joinedText(operandAnalysisWords, ", "),
                 .type = "WORD"});
    command.add({.names = "--number-format",
                 .target = &options->formats,
                 .help = "--analysis: number format of the weight (calib formats lists them); of "
                         "formats repeated",
                 .type = "ID[:PARAMETER=VALUE,...]",
                 .isOneByOne = true});
    command.add({.names = "--input-format",
                 .target = &options->inputFormat,
                 .help = "--analysis smooth: element format of the input, with one scale",
                 .type = "ID",
                 .showsDefault = true});
    options->opening.declare(command);
    command.add(jobsOption(options->jobs));
    options->output.declare(command);
    command.run = underGuard(options, runLayers);
    return command;
}

}  // namespace calibscope::cli
