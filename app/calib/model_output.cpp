// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/model_output.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/calibrators/own_program.h"
#include "core/deploy/improvement_file.h"
#include "core/deploy/names/dump_names.h"
#include "core/deploy/names/folded_decisions.h"
#include "core/deploy/names/placed_scales.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace calibscope::cli {

namespace {

constexpr int toldInFull = 3;

/// Decisions by the graph's names, and what is to be written beside them.
struct ModelInput
{
    std::shared_ptr<const model::ModelFile> model;
    std::vector<model::TensorScales> scales;
    Findings lints;
    model::QuantizeOptions options;
};

std::string sha256Of(const DumpFile& dump, const Reading& reading)
{
    const std::string path = dump.identity().path;
    return fileSha256(path, [&] { reading.progress().step(0, 0, path); });
}

/// Remedies of each layer, as the model states them: {"layer": ["bias"]}.
std::string improvedText(const std::vector<deploy::SavedLayer>& layers)
{
    nlohmann::json object = nlohmann::json::object();
    for (const deploy::SavedLayer& layer : layers)
        object[layer.layer] = layer.remedies();
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Has the layers of a model improved as the file says. Shifts of biases are for weights at their
/// decided scales, so levels reach 127 unless others are asked for.
void addImprovements(const std::vector<deploy::SavedLayer>& layers,
                     const ModelOutputOptions& options, ModelInput& input)
{
    const bool hasShifts = std::ranges::any_of(
        layers, [](const deploy::SavedLayer& layer) { return !layer.biasShift.empty(); });
    if (layers.empty())
        return;
    input.options.metadata.emplace_back("calibscope.improved", improvedText(layers));
    const auto hasFactors = [](const model::LayerChange& one) { return !one.inputFactors.empty(); };
    if (std::ranges::any_of(input.options.changes, hasFactors))
        input.options.metadata.emplace_back("calibscope.factors",
                                            deploy::factorsText(input.options.changes));
    if (hasShifts && options.weightsTo == "auto")
        input.options.mostWeightLevel = 127;
    else if (hasShifts && input.options.mostWeightLevel < 127)
        input.lints.push_back(
            {.id = "improved-levels",
             .level = FindingLevel::Warning,
             .subject = {},
             .text = "biases were improved for weights to 127, and --weights-to " +
                     options.weightsTo + " rounds them otherwise"});
}

/// The decisions, of tensors whose channels the changes divide computed anew; factors that the model
/// can't take are left out of the changes.
std::vector<DecidedTensor> withFactors(const DumpFile& dump, std::vector<DecidedTensor> decided,
                                       const std::vector<deploy::GraphName>& names,
                                       std::vector<model::LayerChange>& changes,
                                       layers::SplitRule heldOut, ModelInput& input,
                                       const Reading& reading)
{
    if (std::ranges::all_of(changes,
                            [](const model::LayerChange& one) { return one.inputFactors.empty(); }))
        return decided;
    std::vector<model::LayerChange> divisions = changes;
    for (model::LayerChange& change : divisions)
        change.biasShift.clear();
    const model::FoldedModel folded = model::foldedModel(*input.model, {.changes = divisions});
    for (const Finding& lint : folded.lints) {
        input.lints.push_back(lint);
        for (model::LayerChange& change : changes)
            if (change.output == lint.subject) {
                change.inputFactors.clear();
                change.rounding = {};  // of the divided weight
            }
    }
    return deploy::foldedDecisions(dump, decided, names, input.model->tensors(), folded, heldOut,
                                   input.lints, reading.progress());
}

ModelInput modelInput(const ModelOutputOptions& options, const ModelSources& sources,
                      const Reading& reading)
{
    ModelInput input{.model = model::ModelFile::read(options.model),
                     .scales = {},
                     .lints = {},
                     .options = options.quantizeOptions()};
    const auto improvements = sources.improve.empty() ? deploy::SavedImprovements{}
                                                      : deploy::readImprovements(sources.improve);
    std::vector<deploy::SavedLayer> improved;
    std::string why;
    std::string digests;
    std::set<std::string> programs;  // that answered for scales
    for (const DecidedDump& one : sources.dumps) {
        const std::vector<TensorInfo>& tensors = one.dump->tensors();
        const std::vector<deploy::GraphName> names =
            deploy::namesIn(*input.model, deploy::tensorsOf(*one.dump), sources.map,
                            options.takesModelsWeights(), reading.progress());
        why = deploy::whyNoneIsThere(tensors, input.model->tensors(), names);
        const std::string sha256 = sha256Of(*one.dump, reading);
        digests += (digests.empty() ? "" : ",") + sha256;
        std::vector<DecidedTensor> decided = one.decisions.tensors;
        for (const DecidedTensor& tensor : decided)
            if (const Choice& choice = tensor.outcome.choice; choice.calibrator == programId)
                programs.insert(programName(choice.settings) + " " +
                                choice.settings.text("sha256"));
        if (!sources.improve.empty()) {
            const std::vector<deploy::SavedLayer> layers =
                deploy::improvementsFor(improvements, sha256, decided, sources.improve);
            deploy::PlacedChanges changes =
                deploy::placedChanges(layers, tensors, names, input.model->tensors());
            decided = withFactors(*one.dump, decided, names, changes.changes, improvements.split(),
                                  input, reading);
            std::ranges::move(changes.changes, std::back_inserter(input.options.changes));
            std::ranges::move(changes.lints, std::back_inserter(input.lints));
            improved.insert(improved.end(), layers.begin(), layers.end());
        }
        deploy::PlacedScales placed =
            deploy::placedScales(decided, tensors, names, input.model->tensors());
        std::ranges::move(placed.scales, std::back_inserter(input.scales));
        std::ranges::move(placed.lints, std::back_inserter(input.lints));
    }
    if (input.scales.empty())
        throw Error(Fault::Input, "{}: {}", options.model,
                    why.empty() ? "no tensor of it has a decision" : why);
    input.options.metadata = {{"calibscope.version", CALIBSCOPE_VERSION},
                              {"calibscope.dump_sha256", digests}};
    if (!sources.session.empty())
        input.options.metadata.emplace_back("calibscope.session", sources.session);
    if (!programs.empty())
        input.options.metadata.emplace_back("calibscope.programs", joinedText(programs, ", "));
    addImprovements(improved, options, input);
    return input;
}

/// Further lints, and all with the gravest first.
void addLints(model::QuantizedFile& file, const Findings& further)
{
    Findings& lints = file.model.lints;
    lints.insert(lints.end(), further.begin(), further.end());
    std::ranges::stable_sort(lints, std::ranges::greater{}, &Finding::level);
}

void tellOfModel(const model::QuantizedFile& file, const std::string& path)
{
    for (const std::string& note : file.notes)
        sayOnStderr("calib: note: " + note);
    std::map<std::string_view, int> count;
    for (const Finding& lint : file.model.lints)
        if (++count[lint.id] <= toldInFull)
            sayOnStderr("calib: " + withLevel(lint));
    for (const auto& [rule, lints] : count)
        if (lints > toldInFull)
            sayOnStderr("calib: " + std::string(rule) + ": " +
                        numberText(static_cast<std::uint64_t>(lints - toldInFull)) + " more");
    sayOnStderr(
        "calib: " + path + ": " + countText(file.model.activations.size(), "pair", "pairs") + ", " +
        countText(file.model.weights.size(), "weight", "weights") +
        (file.model.biases > 0 ? ", " + countText(file.model.biases, "int32 bias", "int32 biases")
                               : "") +
        (file.data.empty() ? "" : "; data in " + file.data));
}

}  // namespace

void ModelOutputOptions::declare(Command& command)
{
    command.add(
        {.names = "--onnx",
         .target = &model,
         .help = "ONNX model to quantize into -o; without it an HDF5 file of integers is written",
         .type = "MODEL"});
    command.add({.names = "--places",
                 .target = &places,
                 .help = "Activations that get a pair of QuantizeLinear and DequantizeLinear: "
                         "operands of layers; also their results; or all decided ones",
                 .showsDefault = true,
                 .words = {"operands", "layers", "decided"}});
    command.add({.names = "--activations",
                 .target = &activations,
                 .help = "Integers of activations",
                 .showsDefault = true,
                 .words = {"int8", "uint8"}});
    command.add({.names = "--bias",
                 .target = &bias,
                 .help = "How biases are stored",
                 .showsDefault = true,
                 .words = {"float", "int32"}});
    command.add({.names = "--weights-to",
                 .target = &weightsTo,
                 .help =
                     "Largest level of 8-bit weights: 63 where an x86 processor without VNNI may "
                     "run the model, which saturates above; auto: 127 for TensorRT and without "
                     "--onnx, else 63",
                 .showsDefault = true,
                 .words = {"auto", "127", "63"}});
    command.add({.names = "--target",
                 .target = &target,
                 .help = "Runtime that will run the model",
                 .showsDefault = true,
                 .words = {"any", "onnxruntime", "tensorrt"}});
    command.add({.names = "--weights",
                 .target = &weights,
                 .help = "model: quantize the model's weights also where the dump's differ",
                 .showsDefault = true,
                 .words = {"dump", "model"}});
    command.add(
        {.names = "--outputs", .target = &outputs, .help = "Quantize the graph's outputs, too"});
    command.add({.names = "--allow-channel-activations",
                 .target = &allowsChannelActivations,
                 .help = "Write activations with a scale for each channel, which kernels do not "
                         "take"});
}

void ModelOutputOptions::check() const
{
    const ModelOutputOptions defaults;
    const bool hasOthers = places != defaults.places || activations != defaults.activations ||
                           bias != defaults.bias || target != defaults.target ||
                           weights != defaults.weights || outputs || allowsChannelActivations;
    if (!isGiven() && hasOthers)
        throw Error(Fault::Usage, "--places, --activations, --bias, --target, --weights, "
                                  "--outputs and --allow-channel-activations need a model; "
                                  "add --onnx MODEL");
}

model::QuantizeOptions ModelOutputOptions::quantizeOptions() const
{
    model::QuantizeOptions options;
    options.places = model::parsePairPlaces(places);
    options.activations = model::parseActivationIntegers(activations);
    options.biases = model::parseBiasStorage(bias);
    options.target = model::parseTargetRuntime(target);
    options.mostWeightLevel = model::parseMostWeightLevel(weightsTo, options.target);
    options.quantizesOutputs = outputs;
    options.allowsChannelActivations = allowsChannelActivations;
    return options;
}

model::QuantizedFile plannedModel(const ModelOutputOptions& options, const ModelSources& sources,
                                  const Reading& reading)
{
    const ModelInput input = modelInput(options, sources, reading);
    model::QuantizedFile file = model::plannedFile(*input.model, input.scales, input.options);
    addLints(file, input.lints);
    return file;
}

model::QuantizedFile writtenModel(const ModelOutputOptions& options, const ModelSources& sources,
                                  const std::string& path, const Reading& reading)
{
    const ModelInput input = modelInput(options, sources, reading);
    reading.ends();
    if (!sources.improvedFloat.empty()) {
        const model::QuantizedFile file =
            model::improvedFile(*input.model, input.options, sources.improvedFloat);
        sayOnStderr("calib: " + sources.improvedFloat + ": improved, in float" +
                    (file.data.empty() ? "" : "; data in " + file.data));
    }
    model::QuantizedFile file =
        model::quantizeFile(*input.model, input.scales, input.options, path);
    addLints(file, input.lints);
    return file;
}

bool writeQuantizedModel(const ModelOutputOptions& options, const ModelSources& sources,
                         const std::string& path, const Reading& reading)
{
    const model::QuantizedFile file = writtenModel(options, sources, path, reading);
    tellOfModel(file, path);
    return highestLevel(file.model.lints) == FindingLevel::Error;
}

}  // namespace calibscope::cli
