// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/indexed_constants.h"

#include "core/model/tensor_values.h"

#include <string_view>
#include <unordered_map>
#include <utility>

namespace calibscope::model {

IndexedConstants::IndexedConstants(const GraphIndex& index, const ::onnx::ModelProto& model,
                                   std::string path)
    : m_path(std::move(path)), m_list(listTensors(model, m_path)), m_places(index.tensors().size())
{
    // Nodes may share a name, and their graphs a scope: it means the first one, here as elsewhere.
    std::unordered_map<std::string_view, std::size_t> graphAt;
    for (std::size_t graph = 0; graph < index.graphs().size(); ++graph)
        graphAt.emplace(index.graphs()[graph].scope, graph);
    for (std::size_t place = 0; place < m_list.tensors.size(); ++place) {
        const GraphTensor& tensor = m_list.tensors[place];
        const auto graph = graphAt.find(tensor.scope);
        if (!tensor.isConstant || graph == graphAt.end())
            continue;
        const auto found = index.findIn(graph->second, tensor.name);
        if (found && !m_places[*found])
            m_places[*found] = place;
    }
}

const GraphTensor* IndexedConstants::find(std::size_t tensor) const
{
    return m_places[tensor] ? &m_list.tensors[*m_places[tensor]] : nullptr;
}

std::vector<float> IndexedConstants::values(std::size_t tensor) const
{
    return floatValues(constantElements(m_list, m_places[tensor].value(), m_path));
}

}  // namespace calibscope::model
