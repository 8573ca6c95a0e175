// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/lift.h"

#include "core/base/error.h"
#include "core/model/lifted_node.h"
#include "core/model/type_scope.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

constexpr int leastOpset = 7;  // broadcasting was another before
constexpr int leastIr = 7;     // that of opset 13
constexpr int blocksIr = 10;   // that of opset 21
constexpr int inputsAreFreeIr = 4;

[[noreturn]] void refuseToLift(const std::string& path, const std::string& why, int opset)
{
    throw Error(Fault::Input, "{}: {}; export the model with opset {} or later", path, why, opset);
}

bool isOwnDomain(const std::string& domain)
{
    return domain.empty() || domain == "ai.onnx";
}

/// "1 node", "7 nodes".
std::string counted(std::size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Calls it for every node of the graph and of those within.
template <typename Visit>
void visitNodes(const ::onnx::GraphProto& graph, const Visit& visit)
{
    for (const ::onnx::NodeProto& node : graph.node()) {
        visit(node);
        for (const ::onnx::AttributeProto& attribute : node.attribute()) {
            if (attribute.has_g())
                visitNodes(attribute.g(), visit);
            for (const ::onnx::GraphProto& inner : attribute.graphs())
                visitNodes(inner, visit);
        }
    }
}

template <typename Visit>
void visitGraphs(const ::onnx::GraphProto& graph, const Visit& visit)
{
    visit(graph);
    visitNodes(graph, [&](const ::onnx::NodeProto& node) {
        for (const ::onnx::AttributeProto& attribute : node.attribute()) {
            if (attribute.has_g())
                visit(attribute.g());
            for (const ::onnx::GraphProto& inner : attribute.graphs())
                visit(inner);
        }
    });
}

/// The value of a Constant that holds numbers of floating point, as a tensor of that name.
std::optional<::onnx::TensorProto> floatConstant(::onnx::NodeProto& node)
{
    if (node.op_type() != "Constant" || !isOwnDomain(node.domain()) || node.attribute_size() != 1 ||
        node.output_size() != 1)
        return std::nullopt;
    ::onnx::AttributeProto& value = *node.mutable_attribute(0);
    ::onnx::TensorProto tensor;
    tensor.set_data_type(::onnx::TensorProto::FLOAT);
    if (value.name() == "value_float") {
        tensor.add_float_data(value.f());
    } else if (value.name() == "value_floats") {
        tensor.add_dims(value.floats_size());
        *tensor.mutable_float_data() = value.floats();
    } else if (value.name() == "value" && value.has_t()) {
        const int type = value.t().data_type();
        if (type != ::onnx::TensorProto::FLOAT && type != ::onnx::TensorProto::FLOAT16 &&
            type != ::onnx::TensorProto::BFLOAT16 && type != ::onnx::TensorProto::DOUBLE)
            return std::nullopt;
        tensor.Swap(value.mutable_t());
    } else {
        return std::nullopt;
    }
    tensor.set_name(node.output(0));
    if (tensor.doc_string().empty() && node.has_doc_string())
        tensor.set_doc_string(node.doc_string());
    return tensor;
}

/// Rewrites graph by graph, node by node.
class Lifter
{
public:
    Lifter(const ::onnx::ModelProto& model, int formerOpset, int opset, std::string path)
        : m_names(model),
          m_formerOpset(formerOpset),
          m_opset(opset),
          m_path(std::move(path)),
          m_isFloat32Only(isFloat32Only(model))
    {
        visitGraphs(model.graph(), [&](const ::onnx::GraphProto& graph) {
            for (const ::onnx::ValueInfoProto& output : graph.output())
                m_used.insert(output.name());
            for (const ::onnx::TensorProto& tensor : graph.initializer())
                noteValues(tensor.name(), tensor);
        });
        visitNodes(model.graph(), [&](const ::onnx::NodeProto& node) {
            m_used.insert(node.input().begin(), node.input().end());
            for (const std::string& output : node.output())
                if (node.op_type() == "Constant" && node.attribute_size() == 1)
                    noteValues(output, node.attribute(0).t());
                else
                    m_isEmpty[output] = false;
        });
    }

    void lift(::onnx::GraphProto& graph, const TypeScope* outer)
    {
        TypeScope types(graph, outer);
        std::set<std::string> outputs;
        for (const ::onnx::ValueInfoProto& output : graph.output())
            outputs.insert(output.name());
        google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
        for (::onnx::NodeProto& node : *graph.mutable_node()) {
            // Inner graphs first: a node that was moved is another.
            for (::onnx::AttributeProto& attribute : *node.mutable_attribute()) {
                if (attribute.has_g())
                    lift(*attribute.mutable_g(), &types);
                for (::onnx::GraphProto& inner : *attribute.mutable_graphs())
                    lift(inner, &types);
            }
            types.follow(node);
            const bool isOutput = node.output_size() == 1 && outputs.contains(node.output(0));
            if (std::optional<::onnx::TensorProto> value =
                    isOutput ? std::nullopt : floatConstant(node)) {
                graph.add_initializer()->Swap(&*value);
                ++m_constants;
                continue;
            }
            liftInto(nodes, graph, node, types);
        }
        graph.mutable_node()->Swap(&nodes);
    }

    [[nodiscard]] std::vector<std::string> notes() const
    {
        std::vector<std::string> notes;
        if (m_formerOpset < m_opset) {
            std::string ops;
            for (const auto& [op, count] : m_changed)
                ops += (ops.empty() ? "" : ", ") + std::to_string(count) + " " + op;
            notes.push_back("lifted from opset " + std::to_string(m_formerOpset) + " to " +
                            std::to_string(m_opset) +
                            "; rewritten nodes: " + (ops.empty() ? "none" : ops));
        }
        if (m_constants > 0)
            notes.push_back(
                counted(m_constants, "Constant node") +
                (m_constants == 1 ? " is an initializer now" : " are initializers now"));
        return notes;
    }

private:
    void liftInto(google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                  ::onnx::GraphProto& graph, ::onnx::NodeProto& node, const TypeScope& types)
    {
        const std::string first = node.output_size() == 0 ? std::string() : node.output(0);
        const std::string who =
            "node " + (node.name().empty() ? first : node.name()) + " (" + node.op_type() + ") ";
        LiftedNode lifted;
        lifted.node.Swap(&node);
        const LiftContext context{
            .names = m_names,
            .formerOpset = m_formerOpset,
            .opset = m_opset,
            .dataType = [&](const std::string& name) -> std::optional<int> {
                return m_isFloat32Only ? ::onnx::TensorProto::FLOAT : types.typeOf(name);
            },
            .isUsed = [this](const std::string& name) { return m_used.contains(name); },
            .isEmpty =
                [this](const std::string& name) {
                    const auto found = m_isEmpty.find(name);
                    return found != m_isEmpty.end() && found->second;
                },
        };
        try {
            if (m_formerOpset < m_opset && liftNode(lifted, context))
                ++m_changed[lifted.node.op_type()];
        } catch (const std::invalid_argument& reason) {
            refuseToLift(m_path, who + reason.what(), m_opset);
        }
        for (::onnx::TensorProto& tensor : lifted.initializers)
            graph.add_initializer()->Swap(&tensor);
        for (::onnx::NodeProto& before : lifted.before)
            nodes.Add()->Swap(&before);
        nodes.Add()->Swap(&lifted.node);
        for (::onnx::NodeProto& after : lifted.after)
            nodes.Add()->Swap(&after);
    }

    void noteValues(const std::string& name, const ::onnx::TensorProto& tensor)
    {
        const bool isEmpty = std::ranges::count(tensor.dims(), 0) > 0;
        const auto [place, isNew] = m_isEmpty.try_emplace(name, isEmpty);
        place->second = place->second && isEmpty;
    }

    NewNames m_names;
    int m_formerOpset;
    int m_opset;
    std::string m_path;
    bool m_isFloat32Only;
    std::unordered_set<std::string> m_used;
    std::unordered_map<std::string, bool> m_isEmpty;
    std::map<std::string, std::size_t> m_changed;  ///< nodes of each op
    std::size_t m_constants = 0;
};

/// Initializers that were inputs because they had to be are none any more.
std::size_t freeInitializers(::onnx::GraphProto& graph)
{
    std::unordered_set<std::string> names;
    for (const ::onnx::TensorProto& tensor : graph.initializer())
        names.insert(tensor.name());
    auto& inputs = *graph.mutable_input();
    const int former = inputs.size();
    inputs.erase(std::remove_if(inputs.begin(), inputs.end(),
                                [&](const ::onnx::ValueInfoProto& input) {
                                    return names.contains(input.name());
                                }),
                 inputs.end());
    return static_cast<std::size_t>(former - inputs.size());
}

void setOpset(::onnx::ModelProto& model, int opset)
{
    for (::onnx::OperatorSetIdProto& set : *model.mutable_opset_import())
        if (isOwnDomain(set.domain()))
            set.set_version(opset);
}

/// Rewrites the nodes of a model of an earlier opset; of others only constants move.
std::vector<std::string> rewritten(::onnx::ModelProto& model, const std::string& path, int opset)
{
    const int former = opsetOf(model, path);
    if (former < opset && model.training_info_size() > 0)
        refuseToLift(path, "it holds graphs for training, which are not rewritten", opset);
    Lifter lifter(model, former, opset, path);
    lifter.lift(*model.mutable_graph(), nullptr);
    if (former < opset)
        setOpset(model, opset);
    return lifter.notes();
}

}  // namespace

int opsetOf(const ::onnx::ModelProto& model, const std::string& path)
{
    std::set<std::int64_t> versions;
    for (const ::onnx::OperatorSetIdProto& set : model.opset_import())
        if (isOwnDomain(set.domain()))
            versions.insert(set.version());
    if (versions.size() > 1)
        throw Error(Fault::Input, "{}: it asks for several opsets of ONNX at once", path);
    if (versions.empty() && model.opset_import_size() > 0)
        throw Error(Fault::Input, "{}: it asks for no opset of ONNX", path);
    constexpr std::int64_t most = 1000;
    // What the first version of the format had no field for.
    const std::int64_t version = versions.empty() ? 1 : *versions.begin();
    if (version < 1 || version > most)
        throw Error(Fault::Input, "{}: it asks for opset {} of ONNX", path, version);
    return static_cast<int>(version);
}

bool isOfQuantizedModel(const ::onnx::NodeProto& node)
{
    const std::string& op = node.op_type();
    return op == "QuantizeLinear" || op == "DequantizeLinear" || op == "DynamicQuantizeLinear" ||
           op == "ConvInteger" || op == "MatMulInteger" || op == "QGemm" ||
           op == "DynamicQuantizeMatMul" || op.starts_with("QLinear");
}

std::vector<std::string> liftToBlocks(::onnx::ModelProto& model, const std::string& path)
{
    model.set_ir_version(std::max<std::int64_t>(model.ir_version(), blocksIr));
    return rewritten(model, path, blocksOpset);
}

std::vector<std::string> lift(::onnx::ModelProto& model, const std::string& path)
{
    const int opset = opsetOf(model, path);
    if (opset < leastOpset)
        refuseToLift(path,
                     "it is of opset " + std::to_string(opset) + ", lower than " +
                         std::to_string(leastOpset),
                     perChannelOpset);
    std::vector<std::string> notes;
    const std::int64_t ir = model.ir_version();
    if (const std::size_t freed =
            ir < inputsAreFreeIr ? freeInitializers(*model.mutable_graph()) : 0;
        freed > 0)
        notes.push_back(counted(freed, "initializer") + (freed == 1 ? " is" : " are") +
                        " no input of the graph any more, as had to be in files of version " +
                        std::to_string(ir));
    model.set_ir_version(std::max<std::int64_t>(ir, leastIr));

    std::ranges::move(rewritten(model, path, perChannelOpset), std::back_inserter(notes));

    std::size_t quantized = 0;
    visitNodes(model.graph(), [&](const ::onnx::NodeProto& node) {
        quantized += isOfQuantizedModel(node) ? 1U : 0U;
    });
    if (quantized > 0)
        notes.push_back("it has " + counted(quantized, "node") +
                        " of a quantized model already, whose tensors are left alone");
    if (model.functions_size() > 0)
        notes.push_back("the bodies of its " +
                        counted(static_cast<std::size_t>(model.functions_size()), "function") +
                        " are left alone");
    return notes;
}

}  // namespace calibscope::model
