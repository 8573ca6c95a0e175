// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/materialize.h"
#include "app/calib/command_output.h"
#include "app/calib/decision_input.h"
#include "app/calib/dump_options.h"
#include "app/calib/model_output.h"
#include "app/calib/subcommands.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/deploy/names/dump_names.h"
#include "core/model/quantize_file.h"
#include "core/report/tables/deploy_plan.h"
#include "core/report/tables/output.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct MaterializeOptions
{
    std::vector<std::string> files;
    DecisionInput decisions;
    ModelOutputOptions model;
    std::string map;
    std::string improve;  ///< file of calib improve; empty: none
    std::string improvedFloat;
    bool strict = false;
    bool plans = false;
    OpeningOptions opening;
    OutputOptions output;
};

/// What is read, but for the model: writing it refuses to replace that, and its data.
std::vector<std::string> inputsOf(const MaterializeOptions& options)
{
    std::vector<std::string> inputs = options.files;
    for (const std::string& file : options.decisions.files())
        inputs.push_back(file);
    for (const std::string& file : {options.map, options.improve})
        if (!file.empty())
            inputs.push_back(file);
    return inputs;
}

PlannedIntegers plannedIntegers(const model::IntegerTensor& tensor, bool isWeight)
{
    const std::vector<float>& scales = tensor.scales.quantization.scales;
    const std::vector<double>& zeroPoints = tensor.scales.quantization.zeroPoints;
    return {.tensor = tensor.scales.tensor,
            .dumpTensor = tensor.scales.dumpName,
            .isWeight = isWeight,
            .bits = static_cast<std::uint64_t>(tensor.scales.quantization.format.bits()),
            .scales = scales.size(),
            .scale = scales.empty() ? 0.0 : static_cast<double>(*std::ranges::max_element(scales)),
            .zeroPoint = zeroPoints.empty() ? 0 : static_cast<int>(zeroPoints.front())};
}

/// Facts to be written into a quantized model, as they are reported.
DeployPlan deployPlanOf(const model::QuantizedFile& file)
{
    DeployPlan plan{.integers = {}, .biases = file.model.biases, .lints = file.model.lints};
    for (const model::IntegerTensor& weight : file.model.weights)
        plan.integers.push_back(plannedIntegers(weight, true));
    for (const model::IntegerTensor& activation : file.model.activations)
        plan.integers.push_back(plannedIntegers(activation, false));
    for (const std::string& note : file.notes)
        plan.lints.push_back(
            {.id = "lifted", .level = FindingLevel::Note, .subject = {}, .text = note});
    return plan;
}

/// Writes what would be written of the model. Returns whether something about it is an error.
bool tellPlan(const MaterializeOptions& options, const ModelSources& sources,
              const Reading& reading)
{
    const DeployPlan plan = deployPlanOf(plannedModel(options.model, sources, reading));
    reading.ends();
    writeOutput(options.output.path, planJson(plan));
    return highestLevel(plan.lints) == FindingLevel::Error;
}

/// Writes the decisions as integers to an HDF5 file, with the graph's names where the map or the
/// recorder gives them. Says on stderr what was written, with its notes, and complains of what
/// could not be. Returns whether anything is an error, which here nothing is that is written.
bool writeIntegersFile(ModelSources& sources, int mostWeightLevel, const std::string& path,
                       const Reading& reading, Complaints& complaints)
{
    std::vector<deploy::IntegerSource> integers;
    for (DecidedDump& one : sources.dumps) {
        deploy::nameAsRecorded(one.decisions.tensors, sources.map);
        const std::string& file = one.dump->identity().path;
        integers.push_back(
            {.dump = one.dump,
             .tensors = one.decisions.tensors,
             .sha256 = fileSha256(file, [&] { reading.progress().step(0, 0, file); })});
    }
    const deploy::WrittenIntegers written = deploy::writeIntegers(
        integers,
        {.mostWeightLevel = mostWeightLevel, .endsReading = [&reading] { reading.ends(); }}, path,
        reading.progress());
    complaints.add(written.problems);
    for (const std::string& note : written.notes)
        sayOnStderr("calib: note: " + note);
    if (written.weights + written.activations > 0)
        sayOnStderr("calib: " + path + ": " + countText(written.weights, "weight", "weights") +
                    " as integers, scales of " +
                    countText(written.activations, "activation", "activations"));
    return false;
}

/// The plan, the model or the integers: whatever is asked for. True: something of it is an error.
bool make(const MaterializeOptions& options, ModelSources& sources, const Reading& reading,
          Complaints& complaints)
{
    if (options.plans)
        return tellPlan(options, sources, reading);
    if (options.model.isGiven())
        return writeQuantizedModel(options.model, sources, options.output.path, reading);
    return writeIntegersFile(sources, options.model.weightsTo == "63" ? 63 : 127,
                             options.output.path, reading, complaints);
}

int runMaterialize(MaterializeOptions& options, const Reading& reading)
{
    options.model.check();
    if (options.plans && !options.model.isGiven())
        throw Error(Fault::Usage, "--plan needs a model; add --onnx MODEL");
    if (!options.improve.empty() && !options.model.isGiven())
        throw Error(Fault::Usage, "--improve needs a model; add --onnx MODEL");
    if (!options.improvedFloat.empty() && (options.improve.empty() || options.plans))
        throw Error(Fault::Usage, "--improved-float needs --improve, and no --plan");
    if (options.output.path.empty() && !options.plans)
        throw Error(Fault::Usage, "no output file; use -o FILE");
    refuseOverwriting(options.output, inputsOf(options));
    if (!options.improvedFloat.empty()) {
        OutputOptions other = options.output;
        other.path = options.improvedFloat;
        std::vector<std::string> taken = inputsOf(options);
        taken.push_back(options.output.path);
        refuseOverwriting(other, taken);
    }
    options.decisions.resolve(options.files);
    Complaints complaints;
    complaints.add(options.decisions.problems());
    ModelSources sources{.dumps = {},
                         .session = options.decisions.session(),
                         .improve = options.improve,
                         .improvedFloat = options.improvedFloat};
    if (!options.map.empty())
        sources.map = deploy::readNameMap(options.map);
    for (std::size_t place = 0; place < options.files.size(); ++place) {
        DecidedDump one{.dump = reading.open(options.files[place], options.opening.dumpOptions()),
                        .decisions = {}};
        one.decisions =
            options.decisions.decidedOn(*one.dump, place, MetricEffort::Budget, reading);
        reportDoubts(one.decisions, complaints);
        sources.dumps.push_back(std::move(one));
    }
    const bool hasErrors = make(options, sources, reading, complaints);
    if (complaints.exitCode() != 0)
        return complaints.exitCode();
    return hasErrors && options.strict ? 1 : 0;
}

}  // namespace

Command materializeCommand()
{
    const auto options = std::make_shared<MaterializeOptions>();
    Command command{.name = "materialize", .help = "Decisions as integers, for other programs"};
    command.add(requiredFiles(options->files));
    options->decisions.declare(command);
    options->model.declare(command);
    command.add(mapOption(options->map));
    command.add({.names = "--improve",
                 .target = &options->improve,
                 .help = "Improvements that calib improve has chosen, to be made in the model",
                 .type = "FILE"});
    command.add({.names = "--improved-float",
                 .target = &options->improvedFloat,
                 .help = "Also write the float model with these improvements, to be quantized by "
                         "any program",
                 .type = "FILE"});
    command.add({.names = "--plan",
                 .target = &options->plans,
                 .help = "Print the planned changes of the model as JSON, and write no model"});
    command.add({.names = "--strict",
                 .target = &options->strict,
                 .help = "Exit code 1 on a finding of the level error"});
    options->opening.declare(command);
    options->output.declarePath(command);
    command.run = [options] {
        WritablePlaces places{.outputPath = options->output.path};
        if (!options->improvedFloat.empty())
            places.folders.push_back(
                std::filesystem::absolute(options->improvedFloat).parent_path().string());
        return readUnderGuard(options->opening.limits, places, [&](const Reading& reading) {
            return runMaterialize(*options, reading);
        });
    };
    return command;
}

}  // namespace calibscope::cli
