// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_stages.h"

#include "core/base/error.h"
#include "core/model/graph_cut.h"
#include "core/model/probed_model.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace calibscope::model {

namespace {

/// The layers on the longest way from the inputs to what is computed from them.
class LayerDepths
{
public:
    LayerDepths(const ::onnx::GraphProto& graph, const std::set<std::string>& layers)
    {
        for (const ::onnx::ValueInfoProto& input : graph.input())
            m_behind.emplace(input.name(), 0);
        for (const ::onnx::TensorProto& constant : graph.initializer())
            m_behind.erase(constant.name());
        for (const ::onnx::NodeProto& node : graph.node())
            add(node, layers);
    }

    /// Before that layer; nothing: it is in no stage.
    [[nodiscard]] std::optional<std::size_t> before(const std::string& layer) const
    {
        const auto found = m_behind.find(layer);
        return found == m_behind.end() || m_byRows.contains(layer)
                   ? std::nullopt
                   : std::optional(found->second - 1);
    }

private:
    void add(const ::onnx::NodeProto& node, const std::set<std::string>& layers)
    {
        std::set<std::string> taken;
        addTaken(node, taken);
        std::optional<std::size_t> depth;
        for (const std::string& name : taken)
            if (const auto found = m_behind.find(name); found != m_behind.end())
                depth = std::max(depth.value_or(0), found->second);
        if (!depth)
            return;
        for (const std::string& name : node.output())
            m_behind[name] = *depth + (layers.contains(name) ? 1U : 0U);
        if (node.op_type() == "MatMul" && !m_behind.contains(node.input(0)))
            m_byRows.insert(node.output(0));
    }

    std::map<std::string, std::size_t> m_behind;  ///< a tensor, itself counted
    std::set<std::string> m_byRows;
};

}  // namespace

std::vector<std::vector<std::string>> layerStages(const ModelFile& model,
                                                  std::span<const std::string> outputs)
{
    const LayerDepths depths(model.proto().graph(), {outputs.begin(), outputs.end()});
    std::map<std::size_t, std::vector<std::string>> byDepth;
    for (const std::string& output : outputs)
        if (const std::optional<std::size_t> depth = depths.before(output))
            byDepth[*depth].push_back(output);
    std::vector<std::vector<std::string>> stages;
    for (auto& [depth, stage] : byDepth)
        stages.push_back(std::move(stage));
    return stages;
}

std::string shiftedCut(const ModelFile& model, std::span<const LayerChange> changes,
                       std::span<const std::string> outputs)
{
    ::onnx::ModelProto shifted = model.proto();
    bringIn(shifted, model.path());
    for (const Finding& finding : shiftBiases(shifted, changes, model.path(), {}))
        throw Error(Fault::Input, "{}: {}", model.path(), withLevel(finding));
    static_cast<void>(cutGraph(*shifted.mutable_graph(), outputs, {}, model.path()));
    return modelBytes(shifted, model.path());
}

}  // namespace calibscope::model
