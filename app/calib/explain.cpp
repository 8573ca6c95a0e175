#include "app/calib/crash_sentence.h"
#include "app/calib/layout_override_options.h"
#include "app/calib/opening_options.h"
#include "app/calib/output_options.h"
#include "app/calib/preset_text.h"
#include "app/calib/subcommands.h"
#include "app/calib/table_output.h"
#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/recipes/recipe.h"
#include "core/recipes/steps.h"
#include "core/report/tables/steps_table.h"

#include <CLI/CLI.hpp>

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

TensorInfo tensorOf(const DumpFile& dump, const ExplainOptions& options)
{
    const TensorInfo& recorded = dump.tensors()[dump.indexOf(options.tensor)];
    const TensorInfo tensor = options.layoutOverride.applied(recorded);
    if (!tensor.isReadable())
        throw Error(Fault::Input, options.file + ":" + tensor.path + ": " + tensor.unreadable);
    return tensor;
}

int run(const ExplainOptions& options)
{
    refuseOverwriting(options.output, {options.file});
    TableOutput table(options.output, stepColumns());
    // Names and values are checked before the file is opened.
    static_cast<void>(choiceFromText(options.from, {}));
    static_cast<void>(choiceFromText(options.to, {}));
    const CrashSentence crashSentence(options.file);
    const auto dump = DumpFile::open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    const TensorInfo tensor = tensorOf(*dump, options);
    const std::vector<ChoiceStep> steps =
        stepsBetween(fittedTo(choiceFromText(options.from, tensor.role), tensor),
                     fittedTo(choiceFromText(options.to, tensor.role), tensor));
    std::vector<Choice> choices;
    for (const ChoiceStep& step : steps)
        choices.push_back(step.choice);
    const ValueSource source = dump->source(tensor, options.layoutOverride.batches);
    TensorProfile profile = collectProfile(source);
    const std::vector<Outcome> outcomes = analyse(source, profile, choices);
    for (std::size_t step = 0; step < steps.size(); ++step)
        table.row(stepCells(steps[step], outcomes[step]));
    table.finish();
    return 0;
}

}  // namespace

void addExplain(CLI::App& app, Action& action)
{
    auto options = std::make_shared<ExplainOptions>();
    CLI::App* explain =
        app.add_subcommand("explain", "Why two presets disagree on a tensor, option by option");
    explain->add_option("file", options->file, "Dump")->required()->type_name("FILE");
    explain->add_option("--tensor", options->tensor, "Name or path of the tensor")
        ->required()
        ->type_name("NAME");
    explain->add_option("--from", options->from, "Preset or calibrator to begin with")
        ->required()
        ->type_name("ID[:PARAMETER=VALUE,...]");
    explain->add_option("--to", options->to, "Preset or calibrator to end with")
        ->required()
        ->type_name("ID[:PARAMETER=VALUE,...]");
    options->layoutOverride.declare(*explain);
    options->opening.declare(*explain);
    options->output.declare(*explain);
    explain->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace calibscope::cli
