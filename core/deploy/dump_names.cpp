#include "core/deploy/dump_names.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace calibscope::deploy {

namespace {

bool isEqual(float one, float other)
{
    return one == other || (std::isnan(one) && std::isnan(other));
}

bool hasValues(const DumpFile& dump, std::size_t tensor, std::span<const float> values,
               const Progress& progress)
{
    TensorInfo info = dump.tensors()[tensor];
    if (!info.isReadable() || info.valueCount() != values.size())
        return false;
    info.batchAxis.reset();  // else its values come with that axis in front
    info.batchSize = 0;
    bool areEqual = true;
    dump.source(info).visit(
        [&](const Block& block) {
            const std::span<const float> others =
                values.subspan(static_cast<std::size_t>(block.firstIndex), block.values.size());
            areEqual = areEqual && std::ranges::equal(block.values, others, isEqual);
        },
        progress);
    return areEqual;
}

}  // namespace

std::vector<GraphName> namesIn(const model::ModelFile& model, const DumpFile& dump,
                               const NameMap& map, bool takesGraphWeights, const Progress& progress)
{
    return graphNames(
        dump.tensors(), model.tensors(),
        {.map = map,
         .hasValues =
             [&](std::size_t tensor, std::span<const float> values) {
                 return hasValues(dump, tensor, values, progress);
             },
         .graphValues = [&](std::size_t graphTensor) { return model.values(graphTensor); },
         .takesGraphWeights = takesGraphWeights});
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
