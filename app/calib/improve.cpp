// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/improve_options.h"
#include "app/calib/subcommands.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/at_once.h"
#include "core/model/fold_search.h"
#include "core/report/tables/layer_report.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace calibscope::cli {

namespace {

std::size_t indexOf(const std::vector<std::string_view>& words, std::string_view word)
{
    return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
}

std::vector<std::string> textsOf(const std::vector<std::string_view>& words)
{
    return {words.begin(), words.end()};
}

/// "3 of 24 layers improved: channels of 1, bias of 2; 1 stay float", or that there is nothing to improve.
void reportChosen(const ImprovementReport& report)
{
    const ImprovementCounts counts = countsOf(report);
    const auto [floats, divided, rounded, moved] = counts.of;
    if (counts.computed == 0)
        return;
    sayOnStderr("calib: " + report.dump + ": " +
                (counts.improved + floats == 0
                     ? "nothing to improve: no remedy gains more than its interval and 0.1 dB"
                     : std::to_string(counts.improved) + " of " +
                           countText(counts.computed, "layer", "layers") +
                           " improved: channels of " + std::to_string(divided) +
                           (rounded == 0 ? "" : ", rounding of " + std::to_string(rounded)) +
                           ", bias of " + std::to_string(moved) + "; " + std::to_string(floats) +
                           " stay float"));
}

int runImprove(ImproveCommandOptions& options, const Reading& reading)
{
    const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
    options.resolve(options.output);
    OutputOptions toScreen = options.output;
    toScreen.path.clear();
    TableOutput table(toScreen, improvementColumns(),
                      "layer,remedy,setting,held_out_db,gain_db,interval_db,chosen,changes,notes");
    Complaints complaints;
    complaints.add(options.decisions.problems());
    deploy::SavedImprovements saved = savedImprovements(options);
    for (std::size_t index = 0; index < options.files.size(); ++index) {
        const ImprovedDump improved =
            improvedDump(options, index, options.improveOptions().remedies, reading, complaints);
        for (const std::vector<Cell>& row : improvementRows(improved.report))
            table.row(row);
        if (!improved.report.layers.empty())
            reportChosen(improved.report);
        if (!options.output.path.empty())
            saved.dumps.push_back(savedDump(options, improved, index, reading));
    }
    reading.ends();
    table.finish(complaints.exitCode() == 0 ? "no layer has an operand in the dump" : "");
    if (!options.output.path.empty())
        writeOutput(options.output.path, deploy::improvementsJson(saved));
    return complaints.exitCode();
}

}  // namespace

layers::ImproveOptions ImproveCommandOptions::improveOptions() const
{
    layers::ImproveOptions options;
    options.heldOut = static_cast<layers::SplitRule>(indexOf(layers::splitWords(), heldOut));
    options.remedies.clear();
    for (const std::string& remedy : remedies)
        options.remedies.insert(static_cast<Remedy>(indexOf(layers::remedyWords(), remedy)));
    for (const std::string& given : without) {
        const std::size_t colon = given.rfind(':');
        const std::size_t word =
            indexOf(layers::remedyWords(), std::string_view(given).substr(colon + 1));
        if (colon == std::string::npos || word == layers::remedyWords().size())
            throw Error(Fault::Usage, "--without {}: has to be LAYER:REMEDY, as in conv1:bias",
                        given);
        options.without.emplace(given.substr(0, colon), static_cast<Remedy>(word));
    }
    return options;
}

void ImproveCommandOptions::prepareRuns(std::string_view option, const std::string& figures)
{
    if (files.size() != 1)
        throw Error(Fault::Usage, "{} takes one dump", option);
    if (model.empty())
        throw Error(Fault::Usage, "{} runs the model; add --onnx MODEL", option);
    OutputOptions rows = output;
    rows.path.clear();  // the file is of what is improved
    static_cast<void>(rows.tableFormat());
    runs.dump = files.front();
    runs.map = map;
    runs.opening = opening;
    runs.check.model = model;
    runs.check.judgesEnds = true;
    runs.output.path = figures;
}

/// That of the reading; with --progress each layer is reported, too.
Progress ImproveCommandOptions::progressOf(const Reading& reading) const
{
    if (!runs.tellsProgress)
        return reading.progress();
    const auto last = std::make_shared<std::atomic<std::uint64_t>>(0);
    return Progress({}, [&progress = reading.progress(), last, of = runs.progressOf](
                            std::uint64_t done, std::uint64_t total, std::string_view what) {
        progress.step(done, total, what);
        if (what == "layers" && last->exchange(done) != done)
            sayOnStderr("progress: " + of + std::to_string(done) + " of " +
                        countText(total, "layer", "layers"));
    });
}

ImprovedDump improvedDump(const ImproveCommandOptions& options, std::size_t index,
                          const std::set<Remedy>& remedies, const Reading& reading,
                          Complaints& complaints)
{
    ImprovedDump improved{.layers = decidedLayers(options, index, reading, complaints),
                          .report = {}};
    layers::ImproveOptions improve = options.improveOptions();
    improve.remedies = remedies;
    improve.layers = improved.layers.options;
    if (improved.layers.model) {
        const auto folds = std::make_shared<const model::ModelFolds>(*improved.layers.model);
        improve.foldOf = [folds, takesMul = options.insertsMul](const TensorInfo& tensor) {
            return folds->of(tensor.graphName, takesMul);
        };
    }
    improved.report = layers::improvements(improved.layers.asLayers(), improved.layers.decided,
                                           improve, options.progressOf(reading));
    for (const auto& [layer, remedy] : improve.without)
        if (std::ranges::none_of(improved.report.layers, [&](const LayerImprovement& found) {
                return found.decided.layer == layer;
            }))
            warn(fmt::format("--without {}: {} has no such layer; calib layers lists them", layer,
                             options.files[index]));
    return improved;
}

deploy::SavedDump savedDump(const ImproveCommandOptions& options, const ImprovedDump& improved,
                            std::size_t index, const Reading& reading)
{
    const std::string& file = options.files[index];
    return deploy::savedDump(improved.report,
                             fileSha256(file, [&] { reading.progress().step(0, 0, file); }),
                             improved.layers.decided);
}

deploy::SavedImprovements savedImprovements(const ImproveCommandOptions& options)
{
    return {.heldOut = options.heldOut,
            .positions = options.positionsOfLayer(),
            .seed = options.seed,
            .dumps = {}};
}

Command improveCommand()
{
    const auto options = std::make_shared<ImproveCommandOptions>();
    Command command{.name = "improve",
                    .help = "Remedies for layers, and their gains on samples held out"};
    options->declare(command);
    command.add({.names = "--remedies",
                 .target = &options->remedies,
                 .help = "Which remedies are tried: precision, channels, rounding, bias",
                 .type = "NAME,...",
                 .showsDefault = true,
                 .delimiter = ',',
                 .words = textsOf(layers::remedyWords())});
    command.add({.names = "--without",
                 .target = &options->without,
                 .help = "A remedy that is not chosen for that layer, whatever it gains; may be "
                         "repeated",
                 .type = "LAYER:REMEDY"});
    command.add({.names = "--insert-mul",
                 .target = &options->insertsMul,
                 .help = "Where no constant takes the factors of channels, a Mul in front of the "
                         "layer does: one more pass over its input"});
    command.add({.names = "--held-out",
                 .target = &options->heldOut,
                 .help = "Samples that judge: every second one, the last half, or none",
                 .showsDefault = true,
                 .words = textsOf(layers::splitWords())});
    command.add({.names = "--ladder",
                 .target = &options->climbs,
                 .help =
                     "Run the model with one remedy after the other, and keep those that do not "
                     "lower its output on the samples held out"});
    command.add({.names = "--sequential",
                 .target = &options->isSequential,
                 .help =
                     "With --ladder: at its end try biases by the errors of the quantized model "
                     "itself, layer after layer, instead of those by recorded operands"});
    command.add({.names = "--places",
                 .target = &options->places,
                 .help = "Of pairs in these models, as in calib materialize",
                 .showsDefault = true,
                 .words = {"operands", "layers", "decided"}});
    options->end.declare(command);
    command.add({.names = "--at",
                 .target = &options->runs.check.end,
                 .help = "With --end: which of the model's outputs, if it has several",
                 .type = "TENSOR"});
    command.add({.names = "--samples",
                 .target = &options->runs.check.samples,
                 .help = "With --end: only as many of the first batches as hold so many samples "
                         "(0: all)",
                 .type = "N",
                 .showsDefault = true,
                 .range = OptionRange{0, 1'000'000'000}});
    options->runs.declareRunner(command);
    command.add({.names = "--progress",
                 .target = &options->runs.tellsProgress,
                 .help = "Print progress to stderr"});
    options->opening.declare(command);
    command.add(jobsOption(options->jobs));
    options->output.declare(command);
    command.options.back().help =
        "File for the chosen improvements, for calib materialize --improve; or a name that ends in "
        ".onnx: the quantized model with those that --ladder keeps";
    command.run = [options] {
        if (!options->end.path.empty())
            return runEnd(*options);
        if (options->end.isAny())
            throw Error(
                Fault::Usage,
                "--adjoint, --predict, --known, --best, --budget, --measure and --draws need --end "
                "FILE");
        if (options->climbs || options->writesModel())
            return runLadder(*options);
        if (options->isSequential)
            throw Error(Fault::Usage, "--sequential needs --ladder, or -o with a name that ends in "
                                      ".onnx");
        return readUnderGuard(
            options->opening.limits, options->output.path,
            [&](const Reading& reading) { return runImprove(*options, reading); });
    };
    return command;
}

}  // namespace calibscope::cli
