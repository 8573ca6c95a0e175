// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/layer_input.h"
#include "app/calib/subcommands.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/at_once.h"
#include "core/deploy/improvement_file.h"
#include "core/layers/improvements.h"
#include "core/model/fold_search.h"
#include "core/report/tables/layer_report.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct ImproveCommandOptions : LayerInput
{
    ImproveCommandOptions() { computesOutputs = true; }

    std::vector<std::string> remedies = {"precision", "channels", "bias"};
    std::string heldOut = "alternate";
    OutputOptions output;  ///< its path is that of the chosen improvements

    [[nodiscard]] layers::ImproveOptions improveOptions() const
    {
        layers::ImproveOptions options;
        options.heldOut = static_cast<layers::SplitRule>(indexOf(layers::splitWords(), heldOut));
        options.remedies.clear();
        for (const std::string& remedy : remedies)
            options.remedies.insert(static_cast<Remedy>(indexOf(layers::remedyWords(), remedy)));
        return options;
    }

private:
    static std::size_t indexOf(const std::vector<std::string_view>& words, std::string_view word)
    {
        return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
    }
};

std::vector<std::string> textsOf(const std::vector<std::string_view>& words)
{
    return {words.begin(), words.end()};
}

/// "3 of 24 layers improved: channels of 1, bias of 2, 1 float", or that there is nothing to improve.
void reportChosen(const ImprovementReport& report)
{
    std::uint64_t computed = 0;
    std::uint64_t improved = 0;
    std::uint64_t shifted = 0;
    std::uint64_t divided = 0;
    std::uint64_t floats = 0;
    for (const LayerImprovement& layer : report.layers) {
        computed += layer.decided.whyNot.empty() ? 1U : 0U;
        improved += layer.isImproved() ? 1U : 0U;
        shifted += layer.biasShift.empty() ? 0U : 1U;
        divided += layer.division.factors.empty() ? 0U : 1U;
        floats += layer.isFloat ? 1U : 0U;
    }
    if (computed == 0)
        return;
    sayOnStderr("calib: " + report.dump + ": " +
                (improved == 0
                     ? "nothing to improve: no remedy gains more than its interval"
                     : std::to_string(improved) + " of " + countText(computed, "layer", "layers") +
                           " improved: channels of " + std::to_string(divided) + ", bias of " +
                           std::to_string(shifted) + ", " + std::to_string(floats) + " float"));
}

int runImprove(ImproveCommandOptions& options, const Reading& reading)
{
    const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
    options.resolve(options.output);
    OutputOptions toScreen = options.output;
    toScreen.path.clear();
    TableOutput table(toScreen, improvementColumns(),
                      "layer,remedy,setting,held_out_db,gain_db,interval_db,chosen,changes,notes");
    layers::ImproveOptions improve = options.improveOptions();
    Complaints complaints;
    complaints.add(options.decisions.problems());
    deploy::SavedImprovements saved{.heldOut = options.heldOut,
                                    .positions = options.positionsOfLayer(),
                                    .seed = options.seed,
                                    .dumps = {}};
    for (std::size_t index = 0; index < options.files.size(); ++index) {
        const DecidedLayers layers = decidedLayers(options, index, reading, complaints);
        improve.layers = layers.options;
        improve.foldOf = {};
        if (layers.model) {
            const auto folds = std::make_shared<const model::ModelFolds>(*layers.model);
            improve.foldOf = [folds](const TensorInfo& tensor) {
                return folds->of(tensor.graphName);
            };
        }
        const ImprovementReport report =
            layers::improvements(layers.asLayers(), layers.decided, improve, reading.progress());
        for (const std::vector<Cell>& row : improvementRows(report))
            table.row(row);
        if (!report.layers.empty())
            reportChosen(report);
        if (options.output.path.empty())
            continue;
        const std::string& file = options.files[index];
        saved.dumps.push_back(deploy::savedDump(
            report, fileSha256(file, [&] { reading.progress().step(0, 0, file); }),
            layers.decided));
    }
    reading.ends();
    table.finish(complaints.exitCode() == 0 ? "no layer has an operand in the dump" : "");
    if (!options.output.path.empty())
        writeOutput(options.output.path, deploy::improvementsJson(saved));
    return complaints.exitCode();
}

}  // namespace

Command improveCommand()
{
    const auto options = std::make_shared<ImproveCommandOptions>();
    Command command{.name = "improve",
                    .help = "Remedies for layers, and their gains on samples held out"};
    options->declare(command);
    command.add({.names = "--remedies",
                 .target = &options->remedies,
                 .help = "Which remedies are tried: precision, channels, bias",
                 .type = "NAME,...",
                 .showsDefault = true,
                 .delimiter = ',',
                 .words = textsOf(layers::remedyWords())});
    command.add({.names = "--held-out",
                 .target = &options->heldOut,
                 .help = "Samples that judge: every second one, the last half, or none",
                 .showsDefault = true,
                 .words = textsOf(layers::splitWords())});
    options->opening.declare(command);
    command.add(jobsOption(options->jobs));
    options->output.declare(command);
    command.options.back().help =
        "File for the chosen improvements, for calib materialize --improve";
    command.run = underGuard(options, runImprove);
    return command;
}

}  // namespace calibscope::cli
