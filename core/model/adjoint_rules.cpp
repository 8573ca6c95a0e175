// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/adjoint_rules.h"

#include "core/model/graph_edits.h"
#include "core/model/node_attributes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <string_view>
#include <utility>

namespace calibscope::model {

namespace {

using ::onnx::AttributeProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;

AddedNodes::Attributes integer(const char* name, std::int64_t value)
{
    return [=](NodeProto& node) { setInteger(node, name, value); };
}

/// Of a ConstantOfShape of integers.
AddedNodes::Attributes filledWith(std::int64_t value)
{
    return [=](NodeProto& node) {
        AttributeProto& attribute = *node.add_attribute();
        attribute.set_name("value");
        attribute.set_type(AttributeProto::TENSOR);
        *attribute.mutable_t() = tensorOf("value", TensorProto::INT64, std::vector{value}, {1});
    };
}

AddedNodes::Attributes text(const char* name, const char* value)
{
    return [=](NodeProto& node) {
        AttributeProto& attribute = *node.add_attribute();
        attribute.set_name(name);
        attribute.set_type(AttributeProto::STRING);
        attribute.set_s(value);
    };
}

AddedNodes::Attributes without(std::vector<std::string_view> names)
{
    return [names = std::move(names)](NodeProto& node) {
        auto& attributes = *node.mutable_attribute();
        for (int index = attributes.size() - 1; index >= 0; --index)
            if (std::ranges::find(names, attributes.Get(index).name()) != names.end())
                attributes.DeleteSubrange(index, 1);
    };
}

std::vector<std::int64_t> integersOf(const NodeProto& node, const char* name)
{
    const AttributeProto* attribute = attributeNamed(node, name);
    return attribute == nullptr
               ? std::vector<std::int64_t>{}
               : std::vector<std::int64_t>(attribute->ints().begin(), attribute->ints().end());
}

/// A node whose inputs are to get gradients.
struct Rule
{
    const NodeProto& node;
    const std::string& g;  ///< of its first output
    const std::vector<bool>& wanted;
    AddedNodes& to;
    std::vector<std::string> gradients = std::vector<std::string>(wanted.size());

    [[nodiscard]] const std::string& x(int input = 0) const { return node.input(input); }
    [[nodiscard]] const std::string& y() const { return node.output(0); }
    [[nodiscard]] bool wants(int input) const
    {
        return static_cast<std::size_t>(input) < wanted.size() &&
               wanted[static_cast<std::size_t>(input)];
    }
    /// No other input is wanted.
    [[nodiscard]] bool wantsOnlyFirst() const
    {
        return std::find(wanted.begin() + 1, wanted.end(), true) == wanted.end();
    }
    bool give(int input, std::string gradient)
    {
        gradients[static_cast<std::size_t>(input)] = std::move(gradient);
        return true;
    }
    /// Summed over the axes along which the input was repeated.
    bool giveSummed(int input, const std::string& gradient)
    {
        const std::string shape = to.shapeOf(x(input));
        const std::string wide = to.shapeOf(gradient);
        const std::string lacking = to.flat(to.sub(to.op("Size", {wide}), to.op("Size", {shape})));
        const std::string padded =
            to.op("Concat", {to.op("ConstantOfShape", {lacking}, filledWith(1)), shape},
                  integer("axis", 0));
        const std::string axes =
            to.flat(to.op("NonZero", {to.op("Not", {to.op("Equal", {padded, wide})})}));
        return give(input, to.op("Reshape", {to.sum(gradient, axes), shape}));
    }
    /// The gradient where a condition holds.
    [[nodiscard]] std::string where(const std::string& condition) const
    {
        return to.op("Where", {condition, g, to.number(0.0)});
    }
    /// Of an operator of single values.
    bool giveTimes(const std::string& slope) { return give(0, to.mul(g, slope)); }
    [[nodiscard]] float number(const char* name, float absent) const
    {
        return floatAttribute(node, name, absent);
    }
    [[nodiscard]] bool padsByItself() const
    {
        const std::string_view pads = textAttribute(node, "auto_pad", "NOTSET");
        return pads != "NOTSET" && pads != "VALID";
    }
    /// What a convolution backwards makes, with the first ones of its pads: of the length of that
    /// shape, with zeros where no window was.
    [[nodiscard]] std::string convolvedBack(const NodeProto& by,
                                            const std::vector<std::string>& inputs,
                                            const std::string& shape) const
    {
        const std::vector<std::int64_t> pads = integersOf(by, "pads");
        const std::string made = to.copy(by, inputs, [&](NodeProto& back) {
            without({"auto_pad", "ceil_mode", "count_include_pad"})(back);
            for (AttributeProto& attribute : *back.mutable_attribute())
                for (std::size_t end = pads.size() / 2; end < pads.size(); ++end)
                    if (attribute.name() == "pads")
                        attribute.set_ints(static_cast<int>(end), 0);
        });
        const std::string zeros = to.sub(shape, shape);
        const std::string cut = to.op("Slice", {made, zeros, shape});
        return to.op("Pad", {cut, to.op("Concat", {zeros, to.sub(shape, to.shapeOf(cut))},
                                        integer("axis", 0))});
    }
    /// Adds values at positions of the first input, counted from 1, as if it had one axis; those at 0
    /// are left out.
    bool giveScattered(const std::string& positions, const std::string& values)
    {
        const std::string size = to.op("Size", {x()});
        const std::string zeros =
            to.op("ConstantOfShape", {to.flat(to.add(size, to.integers({1})))});
        const std::string sums =
            to.op("ScatterElements", {zeros, to.flat(positions), to.flat(values)},
                  [](NodeProto& scatter) {
                      integer("axis", 0)(scatter);
                      text("reduction", "add")(scatter);
                  });
        const std::string all =
            to.op("Slice", {sums, to.integers({1}),
                            to.integers({std::numeric_limits<std::int64_t>::max()})});
        return give(0, to.like(all, x()));
    }
    /// The positions of the first input's values, in its shape.
    [[nodiscard]] std::string positions() const
    {
        const std::string one = to.op("Squeeze", {to.integers({1})});
        const std::string size = to.op("Size", {x()});
        return to.like(to.op("Range", {one, to.add(size, one), one}), x());
    }
    /// Where its values come from, by moving their positions as they are moved.
    bool giveMoved(const std::string& moving)
    {
        std::vector<std::string> inputs(node.input().begin(), node.input().end());
        inputs.front() = moving;
        if (node.op_type() == "Pad" && inputs.size() > 2)
            inputs[2].clear();
        return giveScattered(
            to.op("Cast", {to.copy(node, inputs)}, integer("to", TensorProto::INT64)), g);
    }
    /// Spread over a mean's values, which it was made of.
    bool giveMean(const std::string& reduced, bool isMean)
    {
        const std::string count = to.op("Cast", {to.div(to.op("Size", {x()}), to.op("Size", {g}))},
                                        integer("to", TensorProto::FLOAT));
        const std::string each = isMean ? to.div(g, count) : g;
        return give(0, to.op("Expand", {to.like(each, reduced), to.shapeOf(x())}));
    }
};

bool ofPool(Rule& rule)
{
    AddedNodes& to = rule.to;
    const std::vector<std::int64_t> pads = integersOf(rule.node, "pads");
    const bool hasPads = std::ranges::any_of(pads, [](std::int64_t pad) { return pad != 0; });
    if (rule.padsByItself() || intAttribute(rule.node, "ceil_mode", 0) != 0 ||
        (hasPads && intAttribute(rule.node, "count_include_pad", 0) == 0))
        return false;
    std::vector<std::uint64_t> shape{1, 1};
    for (const std::int64_t length : integersOf(rule.node, "kernel_shape"))
        shape.push_back(static_cast<std::uint64_t>(length));
    const auto count =
        std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies{});
    const std::string kernel =
        to.constant(std::vector<float>(count, 1.0F / static_cast<float>(count)), shape);
    // Each channel alone.
    const auto alone = [&](const std::string& tensor) {
        const std::string positions =
            to.op("Slice", {to.shapeOf(tensor), to.integers({2}),
                            to.integers({std::numeric_limits<std::int64_t>::max()})});
        return to.op("Reshape", {tensor, to.op("Concat", {to.integers({-1, 1}), positions},
                                               integer("axis", 0))});
    };
    NodeProto spread = rule.node;
    spread.set_op_type("ConvTranspose");
    return rule.give(
        0, to.like(rule.convolvedBack(spread, {alone(rule.g), kernel}, to.shapeOf(alone(rule.x()))),
                   rule.x()));
}

bool ofMaxPool(Rule& rule)
{
    const std::string positions =
        rule.to.copy(rule.node, {rule.x()}, {}, 1);  // of the whole input, from 0
    if (intAttribute(rule.node, "storage_order", 0) != 0)
        return false;
    return rule.giveScattered(rule.to.add(positions, rule.to.integers({1})), rule.g);
}

bool ofConv(Rule& rule)
{
    const bool isTransposed = rule.node.op_type() == "ConvTranspose";
    if (!rule.wantsOnlyFirst() || rule.padsByItself() ||
        attributeNamed(rule.node, "output_shape") != nullptr)
        return false;
    NodeProto back = rule.node;
    back.set_op_type(isTransposed ? "Conv" : "ConvTranspose");
    return rule.give(
        0, isTransposed
               ? rule.to.copy(back, {rule.g, rule.x(1)}, without({"output_padding", "auto_pad"}))
               : rule.convolvedBack(back, {rule.g, rule.x(1)}, rule.to.shapeOf(rule.x())));
}

bool ofGemm(Rule& rule)
{
    if (rule.wants(1) || intAttribute(rule.node, "transA", 0) != 0)
        return false;
    const std::int64_t isTurned = intAttribute(rule.node, "transB", 0);
    if (rule.wants(0))
        rule.give(0, rule.to.copy(rule.node, {rule.g, rule.x(1)}, [&](NodeProto& back) {
            without({"transB", "beta"})(back);
            setInteger(back, "transB", isTurned == 0 ? 1 : 0);
        }));
    if (rule.wants(2))
        rule.giveSummed(
            2, rule.to.mul(rule.g, rule.to.number(static_cast<double>(rule.number("beta", 1.0F)))));
    return true;
}

bool ofMatMul(Rule& rule)
{
    AddedNodes& to = rule.to;
    const auto turned = [&](int input) {
        return to.op("Einsum", {rule.x(input)}, text("equation", "...ij->...ji"));
    };
    if (rule.wants(0) && to.isMatrix(rule.x(1)))
        rule.give(0, to.op("MatMul", {rule.g, to.op("Transpose", {rule.x(1)})}));
    else if (rule.wants(0))
        rule.giveSummed(0, to.op("MatMul", {rule.g, turned(1)}));
    if (rule.wants(1))
        rule.giveSummed(1, to.op("MatMul", {turned(0), rule.g}));
    return true;
}

bool ofResize(Rule& rule)
{
    if (textAttribute(rule.node, "mode", "nearest") != "nearest")
        return false;
    return rule.giveMoved(
        rule.to.op("Cast", {rule.positions()}, integer("to", TensorProto::INT32)));
}

bool ofConcat(Rule& rule)
{
    AddedNodes& to = rule.to;
    const std::int64_t axis = intAttribute(rule.node, "axis", 0);
    std::string begin = to.integers({0});
    for (int input = 0; input < rule.node.input_size(); ++input) {
        const std::string length =
            to.op("Gather", {to.shapeOf(rule.x(input)), to.integers({axis})});
        const std::string end = to.add(begin, length);
        if (rule.wants(input))
            rule.give(input, to.op("Slice", {rule.g, begin, end, to.integers({axis})}));
        begin = end;
    }
    return true;
}

bool ofMean(Rule& rule)
{
    const std::vector<std::string> inputs(rule.node.input().begin(), rule.node.input().end());
    const std::string reduced = intAttribute(rule.node, "keepdims", 1) != 0
                                    ? rule.y()
                                    : rule.to.copy(rule.node, inputs, without({"keepdims"}));
    return rule.wantsOnlyFirst() && rule.giveMean(reduced, rule.node.op_type() == "ReduceMean");
}

bool ofBatchNormalization(Rule& rule)
{
    if (!rule.wantsOnlyFirst() || intAttribute(rule.node, "training_mode", 0) != 0)
        return false;
    const std::string zeros = rule.to.sub(rule.x(3), rule.x(3));
    return rule.give(0, rule.to.copy(rule.node, {rule.g, rule.x(1), zeros, zeros, rule.x(4)}));
}

bool ofExtreme(Rule& rule)
{
    for (int input = 0; input < rule.node.input_size(); ++input)
        if (rule.wants(input))
            rule.giveSummed(input, rule.where(rule.to.op("Equal", {rule.x(input), rule.y()})));
    return true;
}

bool ofSoftmax(Rule& rule)
{
    AddedNodes& to = rule.to;
    const std::string sum =
        to.sum(to.mul(rule.g, rule.y()), to.integers({intAttribute(rule.node, "axis", -1)}));
    return rule.give(0, to.mul(rule.y(), to.sub(rule.g, sum)));
}

bool ofWhere(Rule& rule)
{
    const std::string zero = rule.to.number(0.0);
    if (rule.wants(1))
        rule.giveSummed(1, rule.where(rule.x(0)));
    if (rule.wants(2))
        rule.giveSummed(2, rule.to.op("Where", {rule.x(0), zero, rule.g}));
    return true;
}

bool ofPow(Rule& rule)
{
    AddedNodes& to = rule.to;
    if (rule.wants(1))
        return false;
    const std::string less = to.sub(rule.x(1), to.number(1.0));
    return rule.giveSummed(0, to.mul(rule.g, to.mul(rule.x(1), to.op("Pow", {rule.x(0), less}))));
}

bool ofDiv(Rule& rule)
{
    AddedNodes& to = rule.to;
    if (rule.wants(0))
        rule.giveSummed(0, to.div(rule.g, rule.x(1)));
    if (rule.wants(1))
        rule.giveSummed(1, to.op("Neg", {to.mul(rule.g, to.div(rule.y(), rule.x(1)))}));
    return true;
}

bool ofHardSwish(Rule& rule)
{
    AddedNodes& to = rule.to;
    const std::string slope = to.add(to.div(rule.x(), to.number(3.0)), to.number(0.5));
    const std::string above =
        to.op("Where", {to.op("Greater", {rule.x(), to.number(3.0)}), to.number(1.0), slope});
    return rule.giveTimes(
        to.op("Where", {to.op("Less", {rule.x(), to.number(-3.0)}), to.number(0.0), above}));
}

bool ofHardSigmoid(Rule& rule)
{
    AddedNodes& to = rule.to;
    const std::string inside = to.op("And", {to.op("Greater", {rule.y(), to.number(0.0)}),
                                             to.op("Less", {rule.y(), to.number(1.0)})});
    return rule.give(
        0, to.mul(rule.where(inside), to.number(static_cast<double>(rule.number("alpha", 0.2F)))));
}

bool ofTranspose(Rule& rule)
{
    const std::vector<std::int64_t> axes = integersOf(rule.node, "perm");
    return rule.give(0, rule.to.copy(rule.node, {rule.g}, [&](NodeProto& back) {
        for (AttributeProto& attribute : *back.mutable_attribute())
            for (std::size_t axis = 0; axis < axes.size(); ++axis)
                attribute.set_ints(static_cast<int>(axes[axis]), static_cast<std::int64_t>(axis));
    }));
}

using RuleOf = bool (*)(Rule&);

/// Rules by operator; those of one line stand here.
const std::map<std::string_view, RuleOf>& rules()
{
    static const RuleOf same = [](Rule& rule) { return rule.give(0, rule.g); };
    static const RuleOf reshaped = [](Rule& rule) {
        return rule.give(0, rule.to.like(rule.g, rule.x()));
    };
    static const RuleOf moved = [](Rule& rule) {
        return rule.wantsOnlyFirst() && rule.giveMoved(rule.positions());
    };
    static const std::map<std::string_view, RuleOf> all{
        {"Identity", same},
        {"Dropout", same},
        {"Reshape", reshaped},
        {"Flatten", reshaped},
        {"Squeeze", reshaped},
        {"Unsqueeze", reshaped},
        {"Slice", moved},
        {"Gather", moved},
        {"Expand", moved},
        {"Tile", moved},
        {"Pad",
         [](Rule& rule) {
             return textAttribute(rule.node, "mode", "constant") == "constant" &&
                    rule.wantsOnlyFirst() && rule.giveMoved(rule.positions());
         }},
        {"Transpose", ofTranspose},
        {"Resize", ofResize},
        {"Concat", ofConcat},
        {"Cast", same},
        {"Add",
         [](Rule& rule) {
             for (const int input : {0, 1})
                 if (rule.wants(input))
                     rule.giveSummed(input, rule.g);
             return true;
         }},
        {"Sub",
         [](Rule& rule) {
             if (rule.wants(0))
                 rule.giveSummed(0, rule.g);
             if (rule.wants(1))
                 rule.giveSummed(1, rule.to.op("Neg", {rule.g}));
             return true;
         }},
        {"Mul",
         [](Rule& rule) {
             for (const int input : {0, 1})
                 if (rule.wants(input))
                     rule.giveSummed(input, rule.to.mul(rule.g, rule.x(1 - input)));
             return true;
         }},
        {"Div", ofDiv},
        {"Pow", ofPow},
        {"Where", ofWhere},
        {"Max", ofExtreme},
        {"Min", ofExtreme},
        {"Neg", [](Rule& rule) { return rule.give(0, rule.to.op("Neg", {rule.g})); }},
        {"Exp", [](Rule& rule) { return rule.giveTimes(rule.y()); }},
        {"Log", [](Rule& rule) { return rule.give(0, rule.to.div(rule.g, rule.x())); }},
        {"Sqrt",
         [](Rule& rule) {
             return rule.give(0, rule.to.div(rule.g, rule.to.add(rule.y(), rule.y())));
         }},
        {"Erf",
         [](Rule& rule) {
             AddedNodes& to = rule.to;
             const std::string bell = to.op("Exp", {to.op("Neg", {to.mul(rule.x(), rule.x())})});
             return rule.giveTimes(to.mul(bell, to.number(2.0 * std::numbers::inv_sqrtpi)));
         }},
        {"Relu",
         [](Rule& rule) {
             return rule.give(0,
                              rule.where(rule.to.op("Greater", {rule.x(), rule.to.number(0.0)})));
         }},
        {"LeakyRelu",
         [](Rule& rule) {
             AddedNodes& to = rule.to;
             return rule.give(0,
                              to.op("Where", {to.op("Greater", {rule.x(), to.number(0.0)}), rule.g,
                                              to.mul(rule.g, to.number(static_cast<double>(
                                                                 rule.number("alpha", 0.01F))))}));
         }},
        {"Clip",
         [](Rule& rule) {
             return rule.wantsOnlyFirst() &&
                    rule.give(0, rule.where(rule.to.op("Equal", {rule.x(), rule.y()})));
         }},
        {"Sigmoid",
         [](Rule& rule) {
             AddedNodes& to = rule.to;
             return rule.giveTimes(to.mul(rule.y(), to.sub(to.number(1.0), rule.y())));
         }},
        {"Tanh",
         [](Rule& rule) {
             AddedNodes& to = rule.to;
             return rule.giveTimes(to.sub(to.number(1.0), to.mul(rule.y(), rule.y())));
         }},
        {"HardSigmoid", ofHardSigmoid},
        {"HardSwish", ofHardSwish},
        {"Softmax", ofSoftmax},
        {"BatchNormalization", ofBatchNormalization},
        {"GlobalAveragePool", [](Rule& rule) { return rule.giveMean(rule.y(), true); }},
        {"ReduceMean", ofMean},
        {"ReduceSum", ofMean},
        {"AveragePool", ofPool},
        {"MaxPool", ofMaxPool},
        {"Conv", ofConv},
        {"ConvTranspose", ofConv},
        {"MatMul", ofMatMul},
        {"Gemm", ofGemm}};
    return all;
}

}  // namespace

bool passesGradients(const NodeProto& node)
{
    static const std::array<std::string_view, 11> none{
        "Shape",       "Size",    "Equal",  "Greater",         "Less", "GreaterOrEqual",
        "LessOrEqual", "NonZero", "ArgMax", "ConstantOfShape", "Not"};
    return std::ranges::find(none, node.op_type()) == none.end();
}

std::string AddedNodes::op(const char* type, const std::vector<std::string>& inputs,
                           const Attributes& attributes)
{
    NodeProto node;
    node.set_op_type(type);
    return copy(node, inputs, attributes);
}

std::string AddedNodes::copy(const NodeProto& node, const std::vector<std::string>& inputs,
                             const Attributes& attributes, int output)
{
    NodeProto& made = *m_graph.add_node();
    made = node;
    made.clear_name();
    made.clear_input();
    made.clear_output();
    for (const std::string& input : inputs)
        made.add_input(input);
    if (attributes)
        attributes(made);
    for (int position = 0; position <= output; ++position)
        made.add_output(m_names.take("adjoint"));
    return made.output(output);
}

bool AddedNodes::isMatrix(const std::string& tensor) const
{
    return std::ranges::any_of(m_graph.initializer(), [&](const TensorProto& constant) {
        return constant.name() == tensor && constant.dims_size() == 2;
    });
}

std::string AddedNodes::number(double value)
{
    return constant({static_cast<float>(value)}, {});
}

std::string AddedNodes::constant(const std::vector<float>& values,
                                 const std::vector<std::uint64_t>& shape)
{
    *m_graph.add_initializer() =
        tensorOf(m_names.take("adjoint_constant"), TensorProto::FLOAT, values, shape);
    return m_graph.initializer().rbegin()->name();
}

std::string AddedNodes::integers(const std::vector<std::int64_t>& values)
{
    *m_graph.add_initializer() =
        tensorOf(m_names.take("adjoint_constant"), TensorProto::INT64, values, {values.size()});
    return m_graph.initializer().rbegin()->name();
}

std::string AddedNodes::sum(const std::string& x, const std::string& axes)
{
    return op("ReduceSum", {x, axes}, integer("noop_with_empty_axes", 1));
}

std::optional<std::vector<std::string>> gradientsOf(const NodeProto& node,
                                                    const std::string& gradient,
                                                    const std::vector<bool>& wanted,
                                                    AddedNodes& nodes)
{
    const auto found = rules().find(node.op_type());
    if (found == rules().end() || !isOp(node, node.op_type()))
        return std::nullopt;
    Rule rule{.node = node, .g = gradient, .wanted = wanted, .to = nodes};
    if (!found->second(rule))
        return std::nullopt;
    return std::move(rule.gradients);
}

}  // namespace calibscope::model
