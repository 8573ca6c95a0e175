// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/own_files.h"
#include "core/recipes/recipe.h"
#include "core/recipes/stand_in.h"
#include "core/recipes/steps.h"
#include "core/report/tables/steps_table.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace calibscope::cli {

namespace {

struct ExplainOptions
{
    std::string file;
    std::string tensor;
    std::string from;
    std::string to;
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    OutputOptions output;
};

/// The choice that such a text means for a tensor of that role: a preset, the user's own ones
/// included, else a calibrator. Throws Error(Usage) where there is neither.
Choice choiceFromText(const std::string& text, Role role)
{
    const auto [id, given] = idAndSettings(text);
    const Granularity granularity = defaultGranularity(role);
    const bool isPublished = std::ranges::find(presets(), id, &Preset::id) != presets().end();
    const bool isCalibrator =
        std::ranges::find(calibrators(), id, &Calibrator::id) != calibrators().end();
    if (isCalibrator && !isPublished)
        return makeChoice(id, given, SchemeKind::SymmetricRestricted, granularity);
    return makeChoice(presetOrOwn(id), given, SchemeKind::SymmetricRestricted, granularity);
}

TensorInfo tensorOf(const DumpFile& dump, const ExplainOptions& options)
{
    const TensorInfo& recorded = dump.tensors()[dump.indexOf(options.tensor)];
    const TensorInfo tensor = options.layoutOverride.applied(recorded);
    if (!tensor.isReadable())
        throw Error(Fault::Input, "{}:{}: {}", options.file, tensor.path,
                    tensor.unreadable.sentence);
    return tensor;
}

int runExplain(const ExplainOptions& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.file});
    TableOutput table(options.output, stepColumns());
    // Names and values are checked before the file is opened.
    static_cast<void>(choiceFromText(options.from, {}));
    static_cast<void>(choiceFromText(options.to, {}));
    const auto dump = reading.open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    const TensorInfo tensor = tensorOf(*dump, options);
    const std::vector<ChoiceStep> steps =
        stepsBetween(fittedTo(choiceFromText(options.from, tensor.role), tensor),
                     fittedTo(choiceFromText(options.to, tensor.role), tensor));
    std::vector<Choice> choices;
    for (const ChoiceStep& step : steps)
        choices.push_back(step.choice);
    reading.at(options.file, tensor.path);
    warnOfDoubts(options.file, tensor);
    const ValueSource source = dump->source(tensor, options.layoutOverride.batches);
    TensorProfile profile = collectProfile(source, reading.progress());
    const std::vector<Outcome> outcomes = analyse(source, profile, choices, {}, reading.progress());
    for (std::size_t step = 0; step < steps.size(); ++step)
        table.row(stepCells(steps[step], outcomes[step]));
    reading.ends();
    table.finish();
    return 0;
}

}  // namespace

Command explainCommand()
{
    const auto options = std::make_shared<ExplainOptions>();
    Command command{.name = "explain",
                    .help = "Why two presets disagree on a tensor, option by option"};
    command.add(requiredFile(options->file));
    command.add(requiredTensor(options->tensor));
    command.add({.names = "--from",
                 .target = &options->from,
                 .help = "Preset or calibrator to begin with",
                 .type = "ID[:PARAMETER=VALUE,...]",
                 .isRequired = true});
    command.add({.names = "--to",
                 .target = &options->to,
                 .help = "Preset or calibrator to end with",
                 .type = "ID[:PARAMETER=VALUE,...]",
                 .isRequired = true});
    options->layoutOverride.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runExplain);
    return command;
}

}  // namespace calibscope::cli
