// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/layer_input.h"

#include "core/base/error.h"
#include "core/deploy/names/dump_names.h"
#include "core/deploy/names/graph_ops.h"

#include <set>
#include <utility>

namespace calibscope::cli {

namespace {

layers::LayerOptions layerOptions(const LayerInput& input, const DumpFile& dump,
                                  const Reading& reading)
{
    return {.positions = input.positionsOfLayer(),
            .seed = input.seed,
            .memoryBytes = input.opening.dumpOptions().memoryBytes,
            .layers = {input.layers.begin(), input.layers.end()},
            .begins = [&dump, &reading](const TensorInfo& tensor) {
                reading.at(dump.identity().path, tensor.path);
            }};
}

/// The dump's tensors with the operators of the model.
std::vector<TensorInfo> tensorsWithOperators(const LayerInput& input, const DumpFile& dump,
                                             const model::ModelFile& model, const Reading& reading)
{
    const deploy::NameMap map =
        input.map.empty() ? deploy::NameMap{} : deploy::readNameMap(input.map);
    const std::vector<deploy::GraphName> names =
        deploy::namesIn(model, deploy::tensorsOf(dump), map, false, reading.progress());
    if (const std::string none = deploy::whyNoneIsThere(dump.tensors(), model.tensors(), names);
        !none.empty())
        throw Error(Fault::Input, "{}: {}", input.model, none);
    std::vector<TensorInfo> described = deploy::withOperators(dump.tensors(), names, model);
    return input.computesOutputs ? deploy::withComputedOutputs(std::move(described), model)
                                 : described;
}

}  // namespace

void LayerInput::declare(Command& command)
{
    command.add(requiredFiles(files));
    decisions.declare(command);
    command.add({.names = "--onnx",
                 .target = &model,
                 .help = "ONNX model that tells the operators, where the dump does not",
                 .type = "MODEL"});
    command.add(mapOption(map));
    command.add({.names = "--layer",
                 .target = &layers,
                 .help = "Only that layer, by its output's name or path; may be repeated",
                 .type = "NAME"});
    command.add({.names = "--positions",
                 .target = &positions,
                 .help = "Positions of each output that are computed, drawn from all samples alike",
                 .type = "N",
                 .showsDefault = true,
                 .range = OptionRange{1, std::int64_t{1} << 40}});
    command.add(
        {.names = "--exact", .target = &exact, .help = "All positions", .excludes = "--positions"});
    command.add({.names = "--seed",
                 .target = &seed,
                 .help = "Of the positions",
                 .type = "N",
                 .showsDefault = true,
                 .range = OptionRange{0, std::int64_t{1} << 53}});
}

void LayerInput::resolve(const OutputOptions& output)
{
    if (!map.empty() && model.empty())
        throw Error(Fault::Usage, "--map needs a model; add --onnx MODEL");
    std::vector<std::string> inputs = files;
    inputs.insert(inputs.end(), {model, map});
    refuseOverwriting(output, inputs);
    if (decides)
        decisions.resolve(files);
}

layers::LayerDump DecidedLayers::asLayers() const
{
    return {dump->identity().path, tensors,
            [this](const TensorInfo& parsed, std::uint64_t firstBatches) {
                return dump->source(parsed, firstBatches);
            }};
}

std::vector<std::string> missingLayers(const LayerInput& input, std::size_t index,
                                       const std::vector<std::string>& names,
                                       const Reading& reading)
{
    if (names.empty())
        return {};
    const auto dump = reading.open(input.files[index], input.opening.dumpOptions());
    const std::vector<TensorInfo> tensors =
        input.model.empty()
            ? dump->tensors()
            : tensorsWithOperators(input, *dump, *model::ModelFile::read(input.model), reading);
    layers::LayerOptions options;
    options.layers = {names.begin(), names.end()};
    return layers::missingLayers(tensors, options);
}

DecidedLayers undecidedLayers(const LayerInput& input, std::size_t index, const Reading& reading,
                              Complaints& complaints)
{
    DecidedLayers layers{.dump = reading.open(input.files[index], input.opening.dumpOptions()),
                         .tensors = {},
                         .model =
                             input.model.empty() ? nullptr : model::ModelFile::read(input.model),
                         .decided = {},
                         .options = {}};
    layers.tensors = layers.model
                         ? tensorsWithOperators(input, *layers.dump, *layers.model, reading)
                         : layers.dump->tensors();
    if (const std::string why = layers::whyNoLayers(layers.tensors); !why.empty())
        complaints.add(layers.dump->identity().path + ": " + why +
                       (input.model.empty() && !layers.tensors.empty()
                            ? "; an ONNX model supplies them: --onnx MODEL"
                            : ""));
    layers.options = layerOptions(input, *layers.dump, reading);
    for (const std::string& name : layers::missingLayers(layers.tensors, layers.options))
        complaints.add(layers.dump->identity().path + ": there is no layer " + name);
    return layers;
}

DecidedLayers decidedLayers(const LayerInput& input, std::size_t index, const Reading& reading,
                            Complaints& complaints)
{
    DecidedLayers layers = undecidedLayers(input, index, reading, complaints);
    const std::set<std::string> operands = layers::operandPaths(layers.tensors);
    deploy::Decisions decisions = input.decisions.decidedOn(
        *layers.dump, index, MetricEffort::None, reading,
        [&](const TensorInfo& tensor) { return operands.contains(tensor.path); });
    reportDoubts(decisions, complaints);
    layers.decided = std::move(decisions.tensors);
    return layers;
}

}  // namespace calibscope::cli
