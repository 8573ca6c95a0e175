#include "core/deploy/placed_scales.h"

#include "core/deploy/model_scales.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace calibscope::deploy {

PlacedScales placedScales(std::span<const DecidedTensor> decided,
                          std::span<const TensorInfo> tensors, std::span<const GraphName> names,
                          std::span<const model::GraphTensor> graph)
{
    std::map<std::string_view, std::size_t> placeOf;
    for (std::size_t place = 0; place < tensors.size(); ++place)
        placeOf.emplace(tensors[place].path, place);
    PlacedScales result;
    for (const DecidedTensor& one : decided) {
        const auto place = placeOf.find(one.info.path);
        if (place == placeOf.end())
            continue;
        const GraphName& name = names[place->second];
        if (name.tensor) {
            const model::GraphTensor& found = graph[*name.tensor];
            result.scales.push_back(modelScales(one, found));
            if (name.isRounded)
                result.lints.push_back({.level = model::ModelLintLevel::Note,
                                        .rule = "weights-rounded",
                                        .tensor = found.name,
                                        .scope = found.scope,
                                        .text = "`" + one.info.name + "` was recorded as " +
                                                elementText(one.info) +
                                                "; the model's own values are quantized"});
            continue;
        }
        result.lints.push_back(
            {.level = name.differs ? model::ModelLintLevel::Error : model::ModelLintLevel::Warning,
             .rule = name.differs ? "weights-differ" : "not-in-graph",
             .tensor = one.info.name,
             .scope = {},
             .text = "`" + one.info.name + "`: " + name.reason});
    }
    return result;
}

}  // namespace calibscope::deploy
