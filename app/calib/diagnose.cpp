// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/tensor_pass.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/dump/dump_file.h"
#include "core/recipes/candidates.h"
#include "core/recipes/diagnosis.h"
#include "core/recipes/own_files.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct DiagnoseOptions
{
    std::string file;
    TensorOptions tensors;
    std::string recipe = "rebellions-vision";
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    OutputOptions output;
};

/// A tensor with its row.
struct Diagnosed
{
    TensorInfo tensor;
    std::vector<Cell> row = {};
};

const std::vector<Column>& diagnosisColumns()
{
    static const std::vector<Column> columns{
        {.id = "tensor", .title = "Tensor"},
        {.id = "role", .title = "Role"},
        {.id = "findings", .title = "Findings"},
        {.id = "candidate", .title = "Candidate"},
        {.id = "sqnr_db", .title = "SQNR dB", .isNumeric = true},
        {.id = "better", .title = "Better"},
        {.id = "gain_db", .title = "Gain dB", .isNumeric = true},
        {.id = "diagnosis", .title = "Diagnosis"}};
    return columns;
}

std::vector<Cell> rowOf(const DumpFile& dump, const TensorInfo& tensor, const Consumers& consumers,
                        const Recipe& recipe, const DiagnoseOptions& options,
                        const Reading& reading)
{
    const ValueSource source = heldIfSmall(dump.source(tensor, options.layoutOverride.batches),
                                           AnalyseOptions{}.memoryBytes, reading.progress());
    TensorProfile profile = collectProfile(source, reading.progress());
    const std::vector<Recipe> published(recipes().begin(), recipes().end());
    const std::vector<Candidate> candidates = candidatesFor(tensor, consumers, published);
    std::vector<Choice> choices;
    for (const Candidate& candidate : candidates)
        choices.push_back(candidate.choice);
    if (std::optional<Choice> chosen = choose(recipe, tensor, consumers))
        choices.push_back(fittedTo(*std::move(chosen), tensor));
    const AnalyseOptions analysis{.otherTensor = otherTensors(dump, options.layoutOverride)};
    const std::vector<Outcome> outcomes =
        analyse(source, profile, choices, analysis, reading.progress());
    const bool hasChosen = outcomes.size() > candidates.size();
    const Diagnosis diagnosis = diagnosed(profile, hasChosen ? &outcomes.back() : nullptr,
                                          std::span(outcomes).first(candidates.size()));
    const std::string findings = joinedText(
        diagnosis.findings, " ", [](const TensorFinding& finding) { return finding.finding.id; });
    const std::string better =
        diagnosis.better ? candidates[diagnosis.better->index].label : std::string();
    return {tensor.name,
            std::string(roleText(tensor.role)),
            findings,
            hasChosen ? shortLabel(outcomes.back().choice) : std::string(),
            hasChosen ? optionalCell(outcomes.back().whole.metric("sqnr_db")) : Cell{},
            better,
            diagnosis.better ? Cell{diagnosis.better->gainDb} : Cell{},
            diagnosisText(diagnosis, better)};
}

int runDiagnose(const DiagnoseOptions& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.file});
    const Recipe recipe = recipeOrOwn(options.recipe);
    TableOutput table(options.output, diagnosisColumns(),
                      "tensor,sqnr_db,better,gain_db,diagnosis,findings");
    const auto dump = reading.open(options.file, options.opening.dumpOptions());
    options.layoutOverride.check(*dump);
    const Consumers consumers(dump->tensors());
    Complaints complaints;
    std::vector<Diagnosed> items;
    for (TensorInfo& tensor : selectedTensors(*dump, options.tensors, options.layoutOverride))
        if (tensor.role != Role::Bias || options.tensors.asksFor(tensor))
            items.push_back({.tensor = std::move(tensor)});
    forEachTensor(
        {*dump, options.tensors, reading, complaints, AnalyseOptions{}.memoryBytes},
        std::move(items),
        [&](Diagnosed& item) {
            item.row = rowOf(*dump, item.tensor, consumers, recipe, options, reading);
        },
        [&](const Diagnosed& item) {
            table.row(item.row);
            warnOfDoubts(options.file, item.tensor);
        });
    reading.ends();
    table.finish();
    return complaints.exitCode();
}

}  // namespace

Command diagnoseCommand()
{
    const auto options = std::make_shared<DiagnoseOptions>();
    Command command{.name = "diagnose",
                    .help = "Findings about each tensor, and the candidate that helps most"};
    command.add(requiredFile(options->file));
    command.add({.names = "--recipe",
                 .target = &options->recipe,
                 .help = "Recipe whose choice is judged, published or your own",
                 .type = "ID",
                 .showsDefault = true});
    options->tensors.declare(command);
    options->layoutOverride.declare(command);
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runDiagnose);
    return command;
}

}  // namespace calibscope::cli
