// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/adjoint_model.h"

#include "core/base/error.h"
#include "core/model/adjoint_rules.h"
#include "core/model/graph_cut.h"
#include "core/model/graph_edits.h"
#include "core/model/lift.h"
#include "core/model/node_attributes.h"
#include "core/model/operand_cut.h"
#include "core/model/probed_model.h"
#include "core/model/quantize_model.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace calibscope::model {

namespace {

using ::onnx::NodeProto;

class AdjointMaker
{
public:
    AdjointMaker(::onnx::ModelProto& model, const std::string& path, std::string end)
        : m_graph(*model.mutable_graph()),
          m_path(path),
          m_end(std::move(end)),
          m_names(model),
          m_nodes(m_graph, m_names),
          m_vector(m_names.take("adjoint_vector"))
    {}

    [[nodiscard]] AdjointModel made(const std::vector<std::vector<UsedOperand>>& sets)
    {
        const int nodes = m_graph.node_size();
        for (const std::vector<UsedOperand>& operands : sets)
            for (const UsedOperand& operand : operands)
                for (const TensorUse& use : operand.uses)
                    for (const std::string& output : m_graph.node(use.node).output())
                        m_following.insert(output);
        for (const NodeProto& node : m_graph.node())
            if (passesGradients(node))
                follow(node);
        m_gradients[m_end] = {m_vector};
        for (int index = nodes - 1; index >= 0; --index)
            goBack(m_graph.node(index));
        AdjointModel made{.vector = m_vector};
        std::vector<std::string> rows;
        for (std::size_t set = 0; set < sets.size(); ++set)
            for (const UsedOperand& operand : sets[set]) {
                AdjointProduct product{.set = set, .asked = operand.operand.asked};
                product.whyNot = whyNot(operand);
                if (product.whyNot.empty())
                    rows.push_back(rowOf(operand));
                (product.whyNot.empty() ? made.products : made.refused).push_back(product);
            }
        if (rows.empty())
            throw Error(Fault::Input, "{}: no gradient reaches an operand{}", m_path,
                        made.refused.empty() ? "" : ": " + made.refused.front().whyNot);
        made.product =
            m_nodes.op("Concat", rows, [](NodeProto& node) { setInteger(node, "axis", 0); });
        return made;
    }

private:
    /// Notes what depends on an output of a layer, also through inner graphs.
    void follow(const NodeProto& node)
    {
        std::set<std::string> taken;
        addTaken(node, taken);
        if (std::ranges::any_of(taken,
                                [&](const auto& name) { return m_following.contains(name); }))
            m_following.insert(node.output().begin(), node.output().end());
    }

    /// The sum of what has arrived at a tensor; empty: nothing.
    [[nodiscard]] std::string gradientOf(const std::string& tensor)
    {
        std::vector<std::string>& parts = m_gradients[tensor];
        while (parts.size() > 1) {
            const std::string sum = m_nodes.add(parts.end()[-2], parts.back());
            parts.pop_back();
            parts.back() = sum;
        }
        return parts.empty() ? std::string() : parts.front();
    }

    void goBack(const NodeProto& node)
    {
        std::set<std::string> taken;
        addTaken(node, taken);
        std::erase_if(taken, [&](const auto& name) { return !m_following.contains(name); });
        if (taken.empty() || !passesGradients(node))
            return;
        const std::string gradient = gradientOf(node.output(0));
        const auto unknown = std::ranges::find_if(
            node.output(), [&](const auto& name) { return m_unknown.contains(name); });
        const bool isFurther =
            std::any_of(node.output().begin() + 1, node.output().end(),
                        [&](const auto& name) { return m_gradients.contains(name); });
        std::string why = unknown == node.output().end() ? std::string() : m_unknown[*unknown];
        if (why.empty() && gradient.empty() && !isFurther)
            return;  // the end does not follow from it
        std::vector<bool> wanted;
        for (const std::string& input : node.input())
            wanted.push_back(taken.contains(input));
        std::optional<std::vector<std::string>> gradients;
        if (why.empty() && !isFurther)
            gradients = gradientsOf(node, gradient, wanted, m_nodes);
        if (why.empty() && !gradients)
            why = "no gradient through the " + node.op_type() + " that makes `" + node.output(0) +
                  "`";
        if (!why.empty()) {
            for (const std::string& name : taken)
                m_unknown.emplace(name, why);
            return;
        }
        for (int input = 0; input < node.input_size(); ++input)
            if (const std::string& made = (*gradients)[static_cast<std::size_t>(input)];
                !made.empty())
                m_gradients[node.input(input)].push_back(made);
    }

    [[nodiscard]] std::string whyNot(const UsedOperand& operand)
    {
        for (const TensorUse& use : operand.uses) {
            const NodeProto& layer = m_graph.node(use.node);
            if (const auto unknown = m_unknown.find(layer.output(0)); unknown != m_unknown.end())
                return unknown->second;
            if (gradientOf(layer.output(0)).empty())
                return "the end does not follow from `" + layer.output(0) + "`";
        }
        const TensorQuantization& quantization = operand.operand.quantization;
        if (operand.operand.values.empty() &&
            (!quantization.format.isInteger() || quantization.scales.size() != 1 ||
             quantization.roundsWithZeroPoint))
            return "an activation's choice is not integers by one scale";
        return {};
    }

    /// What quantizing changes of the operand.
    [[nodiscard]] std::string errorOf(const CutOperand& operand)
    {
        if (!operand.values.empty()) {
            std::vector<float> error = operand.quantized;
            for (std::size_t index = 0; index < error.size(); ++index)
                error[index] -= operand.values[index];
            return m_nodes.constant(error, operand.shape);
        }
        const IntegerScale scale = operand.quantization.integerScale(0);
        const std::string step = m_nodes.number(static_cast<double>(scale.scale));
        const std::string zero = m_nodes.number(scale.zeroPoint);
        const std::string levels =
            m_nodes.add(m_nodes.op("Round", {m_nodes.div(operand.tensor, step)}), zero);
        const std::string clipped =
            m_nodes.op("Clip", {levels, m_nodes.number(scale.low), m_nodes.number(scale.high)});
        return m_nodes.sub(m_nodes.mul(m_nodes.sub(clipped, zero), step), operand.tensor);
    }

    [[nodiscard]] std::string rowOf(const UsedOperand& operand)
    {
        const std::string error = errorOf(operand.operand);
        const std::string shape =
            m_nodes.op("Concat",
                       {m_nodes.op("Slice", {m_nodes.shapeOf(m_vector), m_nodes.integers({0}),
                                             m_nodes.integers({1})}),
                        m_nodes.integers({-1})},
                       [](NodeProto& node) { setInteger(node, "axis", 0); });
        std::string row;
        for (const TensorUse& use : operand.uses) {
            const NodeProto& layer = m_graph.node(use.node);
            std::vector<std::string> inputs{layer.input(0), layer.input(1)};  // and no bias
            inputs[static_cast<std::size_t>(use.input)] = error;
            const std::string products =
                m_nodes.mul(gradientOf(layer.output(0)), m_nodes.copy(layer, inputs));
            const std::string sums =
                m_nodes.sum(m_nodes.op("Reshape", {products, shape}), m_nodes.integers({1}));
            row = row.empty() ? sums : m_nodes.add(row, sums);
        }
        return m_nodes.op("Reshape", {row, m_nodes.integers({1, -1})});
    }

    ::onnx::GraphProto& m_graph;
    const std::string& m_path;
    std::string m_end;
    NewNames m_names;
    AddedNodes m_nodes;
    std::string m_vector;
    std::set<std::string> m_following;  ///< tensors that depend on a layer's output
    std::map<std::string, std::vector<std::string>> m_gradients;
    std::map<std::string, std::string> m_unknown;  ///< tensors without gradient, and why
};

}  // namespace

AdjointModel adjointModel(const ModelFile& source, std::span<const std::vector<TensorScales>> sets,
                          const std::string& end)
{
    ::onnx::ModelProto model = source.proto();
    const std::vector<std::string> scopes = graphScopes(model);
    static_cast<void>(lift(model, source.path()));
    static_cast<void>(liftToBlocks(model, source.path()));
    std::vector<std::vector<UsedOperand>> used;
    for (const std::vector<TensorScales>& scales : sets)
        used.push_back(scales.empty() ? std::vector<UsedOperand>()
                                      : usedOperands(model, source.path(), scopes, scales));
    AdjointMaker maker(model, source.path(), end);
    AdjointModel made = maker.made(used);
    for (std::size_t set = 0; set < sets.size(); ++set)
        for (std::size_t asked = 0; asked < sets[set].size(); ++asked)
            if (std::ranges::find(used[set], asked, [](const UsedOperand& each) {
                    return each.operand.asked;
                }) == used[set].end())
                made.refused.push_back(
                    {.set = set, .asked = asked, .whyNot = "an inner graph has or reads it"});
    ::onnx::GraphProto& graph = *model.mutable_graph();
    std::set<std::string> taken = cutGraph(graph, std::vector{made.product}, {}, source.path());
    made.taken = keepTaken(graph, taken);
    ::onnx::ValueInfoProto& vector = *graph.add_input();
    vector.set_name(made.vector);  // of any shape
    vector.mutable_type()->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::FLOAT);
    bringIn(model, source.path());
    made.bytes = modelBytes(model, source.path());
    return made;
}

}  // namespace calibscope::model
