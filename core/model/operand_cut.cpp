// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operand_cut.h"

#include "core/model/graph_cut.h"
#include "core/model/lift.h"
#include "core/model/new_names.h"
#include "core/model/probed_model.h"
#include "core/model/quantize_model.h"
#include "core/model/type_scope.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace calibscope::model {

namespace {

class CutMaker
{
public:
    CutMaker(const ModelFile& source, std::span<const std::string> ends)
        : m_source(source), m_ends(ends), m_lifted(source.proto()), m_scopes(graphScopes(m_lifted))
    {
        static_cast<void>(lift(m_lifted, source.path()));
        findFloats();
    }

    [[nodiscard]] std::vector<OperandCut> cuts(std::span<const TensorScales> scales) const
    {
        std::vector<OperandCut> cuts;
        for (std::vector<UsedOperand>& group :
             grouped(usedOperands(m_lifted, m_source.path(), m_scopes, scales)))
            if (std::optional<OperandCut> cut = cutBehind(group))
                cuts.push_back(std::move(*cut));
        return cuts;
    }

private:
    [[nodiscard]] static std::vector<std::vector<UsedOperand>>
    grouped(std::vector<UsedOperand> operands)
    {
        std::vector<std::vector<UsedOperand>> groups;
        for (UsedOperand& operand : operands) {
            const auto group = std::ranges::find_if(groups, [&](const auto& each) {
                return !operand.operand.values.empty() &&
                       std::ranges::includes(each.front().nodes, operand.nodes);
            });
            std::vector<UsedOperand>& members =
                group == groups.end() ? groups.emplace_back() : *group;
            members.push_back(std::move(operand));
        }
        return groups;
    }

    /// Tensors of float32 that the main graph of the source makes.
    void findFloats()
    {
        std::set<std::string> made;
        for (const ::onnx::NodeProto& node : m_source.proto().graph().node())
            made.insert(node.output().begin(), node.output().end());
        TypeScope types(m_lifted.graph(), nullptr);
        for (const ::onnx::NodeProto& node : m_lifted.graph().node()) {
            types.follow(node);
            for (const std::string& name : node.output())
                if (made.contains(name) && types.typeOf(name) == ::onnx::TensorProto::FLOAT)
                    m_floats.insert(name);
        }
    }

    [[nodiscard]] std::optional<OperandCut> cutBehind(std::vector<UsedOperand>& group) const
    {
        ::onnx::ModelProto model = m_lifted;
        ::onnx::GraphProto& graph = *model.mutable_graph();
        NewNames names(model);
        std::set<std::string> following;
        for (auto& [operand, uses, nodes] : group) {
            operand.input = names.take(operand.tensor + "_operand");
            following.insert(operand.input);
            for (const TensorUse& use : uses)
                graph.mutable_node(use.node)->set_input(use.input, operand.input);
        }
        std::set<std::string> given = m_floats;
        for (const ::onnx::NodeProto& node : graph.node()) {
            std::set<std::string> taken;
            addTaken(node, taken);
            if (std::ranges::none_of(taken,
                                     [&](const auto& name) { return following.contains(name); }))
                continue;
            for (const std::string& name : node.output()) {
                following.insert(name);
                given.erase(name);
            }
        }
        if (std::ranges::any_of(m_ends, [&](const auto& end) { return !following.contains(end); }))
            return std::nullopt;
        OperandCut cut;
        std::set<std::string> taken = cutGraph(graph, m_ends, given, m_source.path());
        for (auto& [operand, uses, nodes] : group)
            if (taken.erase(operand.input) > 0)
                cut.operands.push_back(std::move(operand));
        setInputs(graph, cut, std::move(taken));
        bringIn(model, m_source.path());
        cut.bytes = modelBytes(model, m_source.path());
        return cut;
    }

    /// The inputs of a cut graph, and no constants but those that it takes.
    void setInputs(::onnx::GraphProto& graph, OperandCut& cut, std::set<std::string> taken) const
    {
        cut.taken = keepTaken(graph, taken);
        const auto add = [&graph](const std::string& name) {
            ::onnx::ValueInfoProto& input = *graph.add_input();
            input.set_name(name);  // of any shape
            input.mutable_type()->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::FLOAT);
        };
        for (const CutOperand& operand : cut.operands)
            add(operand.input);
        for (const std::string& name : taken)
            if (m_floats.contains(name)) {  // else of an inner graph
                add(name);
                cut.taken.push_back(name);
            }
    }

    const ModelFile& m_source;
    std::span<const std::string> m_ends;
    ::onnx::ModelProto m_lifted;
    std::vector<std::string> m_scopes;
    std::set<std::string> m_floats;
};

}  // namespace

std::vector<UsedOperand> usedOperands(const ::onnx::ModelProto& model, const std::string& path,
                                      std::span<const std::string> scopes,
                                      std::span<const TensorScales> scales)
{
    const GraphIndex index(model);
    const IndexedConstants constants(index, model, path);
    Findings ignored;
    const QuantizePlan plan = planQuantization(
        index, constants, scales, {.places = PairPlaces::Operands}, path, scopes, ignored);
    std::vector<UsedOperand> operands;
    const auto add = [&](std::size_t tensor, const std::vector<TensorUse>& uses) {
        const std::string& name = index.tensors()[tensor].name;
        const auto asked = std::ranges::find_if(scales, [&](const TensorScales& each) {
            return each.scope.empty() && each.tensor == name;
        });
        if (asked == scales.end() || index.tensors()[tensor].graph != 0 ||
            std::ranges::any_of(uses, [](const TensorUse& use) { return use.graph != 0; }))
            return false;
        operands.push_back(
            {.operand = {.asked = static_cast<std::size_t>(asked - scales.begin()), .tensor = name},
             .uses = uses});
        for (const TensorUse& use : uses)
            operands.back().nodes.insert(use.node);
        return true;
    };
    for (const PlannedPair& pair : plan.pairs.pairs)
        if (add(pair.tensor, pair.uses)) {
            TensorQuantization& quantization = operands.back().operand.quantization;
            quantization = pair.scales.quantization;
            const int end = 1 << (quantization.format.bits() - 1);  // its type's
            quantization.format = NumberFormat::integers(-end, end - 1);
        }
    for (const IntegerWeight& weight : plan.weights)
        if (add(weight.tensor, weight.uses)) {
            CutOperand& operand = operands.back().operand;
            const TensorQuantization& quantization = weight.scales.quantization;
            operand.shape = weight.shape;
            operand.values = constants.values(weight.tensor);
            operand.quantized =
                dequantized(weight.integers, quantization, quantization.axisIn(weight.shape));
        }
    return operands;
}

std::vector<OperandCut> operandCuts(const ModelFile& source, std::span<const TensorScales> scales,
                                    std::span<const std::string> ends)
{
    return CutMaker(source, ends).cuts(scales);
}

}  // namespace calibscope::model
