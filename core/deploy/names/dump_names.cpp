// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/dump_names.h"

#include "core/deploy/names/layer_rows.h"

#include <algorithm>
#include <optional>

namespace calibscope::deploy {

namespace {

ValuesFit fitOf(const DumpedTensors& dump, std::size_t tensor, std::span<const float> values,
                const Progress& progress)
{
    TensorInfo info = dump.tensors[tensor];
    if (!info.isReadable() || !info.elementType || info.valueCount() != values.size())
        return ValuesFit::Differ;
    info.batchAxis.reset();  // else its values come with that axis in front
    info.batchSize = 0;
    auto fit = ValuesFit::Equal;
    dump.source(info).visit(
        [&](const Block& block) {
            const std::span<const float> others =
                values.subspan(static_cast<std::size_t>(block.firstIndex), block.values.size());
            fit = std::min(fit, valuesFit(block.values, *info.elementType, others));
        },
        progress);
    return fit;
}

}  // namespace

DumpedTensors tensorsOf(const DumpFile& dump)
{
    return {.tensors = dump.tensors(),
            .source = [&dump](const TensorInfo& understood) { return dump.source(understood); }};
}

std::vector<GraphName> namesIn(const model::ModelFile& model, const DumpedTensors& dump,
                               const NameMap& map, bool takesGraphWeights, const Progress& progress)
{
    return graphNames(
        dump.tensors, model.tensors(),
        {.map = map,
         .fit =
             [&](std::size_t tensor, std::span<const float> values) {
                 return fitOf(dump, tensor, values, progress);
             },
         .graphValues = [&](std::size_t graphTensor) { return model.values(graphTensor); },
         .layers = model.layerConstants(),
         .takesGraphWeights = takesGraphWeights});
}

exchange::EntryNaming entryNaming(const model::ModelFile& model, const DumpedTensors& dump,
                                  const NameMap& map, const Progress& progress)
{
    exchange::EntryNaming naming{.map = map};
    for (const model::GraphTensor& tensor : model.tensors())
        naming.inModel.insert(tensor.name);
    const std::vector<GraphName> names = namesIn(model, dump, map, false, progress);
    for (std::size_t place = 0; place < names.size(); ++place)
        if (names[place].tensor)
            naming.model.emplace(dump.tensors[place].path,
                                 model.tensors()[*names[place].tensor].name);
    naming.layers = layerEntries(tensorsInGraph(dump.tensors, mainGraphNames(names, model), model));
    return naming;
}

std::vector<std::string> mainGraphNames(std::span<const GraphName> names,
                                        const model::ModelFile& model)
{
    std::vector<std::string> found(names.size());
    for (std::size_t place = 0; place < names.size(); ++place)
        if (names[place].tensor && model.tensors()[*names[place].tensor].scope.empty())
            found[place] = model.tensors()[*names[place].tensor].name;
    return found;
}

void nameAsRecorded(std::span<DecidedTensor> tensors, const NameMap& map)
{
    for (DecidedTensor& tensor : tensors) {
        tensor.graphName = tensor.info.graphName;
        for (const std::string* key : {&tensor.info.path, &tensor.info.name})
            if (const auto given = map.find(*key); given != map.end())
                tensor.graphName = given->second;
    }
}

void nameAsFound(std::span<DecidedTensor> tensors, const DumpFile& dump,
                 std::span<const GraphName> names, const model::ModelFile& model)
{
    for (DecidedTensor& tensor : tensors)
        if (const std::optional<std::size_t> place = dump.find(tensor.info.path);
            place && names[*place].tensor)
            tensor.graphName = model.tensors()[*names[*place].tensor].name;
}

}  // namespace calibscope::deploy
