// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/lifted_node.h"

#include "core/kernels/half_floats.h"
#include "core/model/node_attributes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace calibscope::model {

namespace {

using Attribute = ::onnx::AttributeProto;

/// The attribute, which the node does not have any more; nothing if it had none.
std::optional<Attribute> taken(::onnx::NodeProto& node, std::string_view name)
{
    auto& attributes = *node.mutable_attribute();
    const auto found = std::ranges::find(attributes, name, &Attribute::name);
    if (found == attributes.end())
        return std::nullopt;
    Attribute attribute = std::move(*found);
    attributes.erase(found);
    return attribute;
}

Attribute takenOrRefused(::onnx::NodeProto& node, const std::string& name)
{
    std::optional<Attribute> attribute = taken(node, name);
    if (!attribute)
        throw std::invalid_argument("lacks its attribute `" + name + "`");
    return *std::move(attribute);
}

void setInput(::onnx::NodeProto& node, int place, const std::string& name)
{
    while (node.input_size() <= place)
        node.add_input();
    node.set_input(place, name);
}

/// A new initializer beside the node, named after its first output.
::onnx::TensorProto& addInitializer(LiftedNode& lifted, const LiftContext& context,
                                    const std::string& purpose, int dataType)
{
    ::onnx::TensorProto& tensor = lifted.initializers.emplace_back();
    tensor.set_name(context.names.take(lifted.node.output(0) + "_" + purpose));
    tensor.set_data_type(dataType);
    return tensor;
}

/// The integers become an input, a list.
void setIntegerInput(LiftedNode& lifted, const LiftContext& context, int place,
                     const std::string& purpose, const std::vector<std::int64_t>& integers)
{
    ::onnx::TensorProto& tensor =
        addInitializer(lifted, context, purpose, ::onnx::TensorProto::INT64);
    tensor.add_dims(static_cast<std::int64_t>(integers.size()));
    for (const std::int64_t integer : integers)
        tensor.add_int64_data(integer);
    setInput(lifted.node, place, tensor.name());
}

std::vector<std::int64_t> integersOf(const Attribute& attribute)
{
    return {attribute.ints().begin(), attribute.ints().end()};
}

/// The same from an attribute of that name, if there is one that lists any.
void moveIntegers(LiftedNode& lifted, const LiftContext& context, const std::string& attribute,
                  int place)
{
    const std::optional<Attribute> list = taken(lifted.node, attribute);
    if (list && list->ints_size() > 0)
        setIntegerInput(lifted, context, place, attribute, integersOf(*list));
}

/// A float16 or bfloat16 of that value, as its bits: for values that are one.
std::uint32_t halfBits(float value, bool isBfloat)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (isBfloat && (bits & 0xffffU) == 0)
        return bits >> 16U;
    const std::uint16_t pattern = kernels::float16Pattern(value);
    const bool isOrdinary = std::isfinite(value) && (value == 0.0F || std::abs(value) >= 0x1p-14F);
    if (isBfloat || !isOrdinary || kernels::float16Value(pattern) != value)
        throw std::invalid_argument("has a limit or value that its 16-bit type does not hold");
    return pattern;
}

/// The number becomes an input of the type that the node's first input has.
void setNumberInput(LiftedNode& lifted, const LiftContext& context, int place,
                    const std::string& purpose, float number)
{
    const std::optional<int> type = context.dataType(lifted.node.input(0));
    if (!type)
        throw std::invalid_argument("takes a tensor of a type that is not known here");
    ::onnx::TensorProto& tensor = addInitializer(lifted, context, purpose, *type);
    switch (*type) {
    case ::onnx::TensorProto::FLOAT: tensor.add_float_data(number); break;
    case ::onnx::TensorProto::DOUBLE: tensor.add_double_data(static_cast<double>(number)); break;
    case ::onnx::TensorProto::FLOAT16:
    case ::onnx::TensorProto::BFLOAT16:
        tensor.add_int32_data(
            static_cast<std::int32_t>(halfBits(number, *type == ::onnx::TensorProto::BFLOAT16)));
        break;
    default: throw std::invalid_argument("takes a tensor that is not of floating point");
    }
    setInput(lifted.node, place, tensor.name());
}

// 6 -> 11: the limits become inputs. Left out they are the type's ends, before and after.
void liftClip(LiftedNode& lifted, const LiftContext& context)
{
    if (const std::optional<Attribute> low = taken(lifted.node, "min"))
        setNumberInput(lifted, context, 1, "min", low->f());
    if (const std::optional<Attribute> high = taken(lifted.node, "max"))
        setNumberInput(lifted, context, 2, "max", high->f());
}

// 1 -> 10: starts, ends and axes become inputs.
void liftSlice(LiftedNode& lifted, const LiftContext& context)
{
    setIntegerInput(lifted, context, 1, "starts",
                    integersOf(takenOrRefused(lifted.node, "starts")));
    setIntegerInput(lifted, context, 2, "ends", integersOf(takenOrRefused(lifted.node, "ends")));
    moveIntegers(lifted, context, "axes", 3);
}

// 2 -> 11: pads and value become inputs.
void liftPad(LiftedNode& lifted, const LiftContext& context)
{
    setIntegerInput(lifted, context, 1, "pads", integersOf(takenOrRefused(lifted.node, "pads")));
    const std::optional<Attribute> value = taken(lifted.node, "value");
    // Zero is what it is without; minus zero is another.
    if (value && std::bit_cast<std::uint32_t>(value->f()) != 0)
        setNumberInput(lifted, context, 2, "value", value->f());
}

// 1 -> 10: k becomes an input.
void liftTopK(LiftedNode& lifted, const LiftContext& context)
{
    setIntegerInput(lifted, context, 1, "k", {takenOrRefused(lifted.node, "k").i()});
}

// 7 -> 12: the ratio becomes an input that only training heeds, which wants another input to be on.
// The mask, of which runtimes make zeros here and ones there, is not carried over.
void liftDropout(LiftedNode& lifted, const LiftContext& context)
{
    static_cast<void>(taken(lifted.node, "ratio"));
    if (lifted.node.output_size() < 2)
        return;
    if (!lifted.node.output(1).empty() && context.isUsed(lifted.node.output(1)))
        throw std::invalid_argument("has a mask that is used, of another type since opset 10");
    lifted.node.mutable_output()->RemoveLast();
}

// 1 -> 13: axes become an input. An empty list and none at all mean all of them.
void liftAxes(LiftedNode& lifted, const LiftContext& context)
{
    moveIntegers(lifted, context, "axes", 1);
}

void liftUnsqueeze(LiftedNode& lifted, const LiftContext& context)
{
    setIntegerInput(lifted, context, 1, "axes", integersOf(takenOrRefused(lifted.node, "axes")));
}

// 2 -> 13: the parts' lengths become an input.
void liftSplit(LiftedNode& lifted, const LiftContext& context)
{
    moveIntegers(lifted, context, "split", 1);
}

// 7 -> 9: `spatial`, which is 1 as a rule, is gone.
void liftBatchNormalization(LiftedNode& lifted, const LiftContext&)
{
    if (const std::optional<Attribute> spatial = taken(lifted.node, "spatial");
        spatial && spatial->i() == 0)
        throw std::invalid_argument("has statistics for each value (`spatial` 0)");
}

::onnx::NodeProto& addNode(std::vector<::onnx::NodeProto>& list, const LiftedNode& lifted,
                           const LiftContext& context, const std::string& op,
                           const std::vector<std::string>& inputs)
{
    ::onnx::NodeProto& node = list.emplace_back();
    node.set_op_type(op);
    node.set_name(context.names.take(lifted.node.output(0) + "_" + op));
    for (const std::string& input : inputs)
        node.add_input(input);
    return node;
}

// 1 -> 13: the axis and all behind it were one row; now the axis is one alone.
void liftSoftmax(LiftedNode& lifted, const LiftContext& context)
{
    ::onnx::NodeProto& node = lifted.node;
    const std::optional<Attribute> given = taken(node, "axis");
    const std::int64_t axis = given ? given->i() : 1;
    setInteger(node, "axis", axis == -1 ? -1 : 1);
    if (axis == -1)
        return;
    const std::string input = node.input(0);
    const std::string output = node.output(0);
    const std::string shape = context.names.take(output + "_shape");
    const std::string rows = context.names.take(output + "_rows");
    const std::string result = context.names.take(output + "_of_rows");
    addNode(lifted.before, lifted, context, "Shape", {input}).add_output(shape);
    ::onnx::NodeProto& flatten = addNode(lifted.before, lifted, context, "Flatten", {input});
    flatten.add_output(rows);
    setInteger(flatten, "axis", axis);
    addNode(lifted.after, lifted, context, "Reshape", {result, shape}).add_output(output);
    node.set_input(0, rows);
    node.set_output(0, result);
}

// 11 -> 13: one mode is gone, and sizes exclude scales, which had to be empty beside them.
void liftResize(LiftedNode& lifted, const LiftContext& context)
{
    if (context.formerOpset < 11)
        throw std::invalid_argument("has another meaning since opset 11");
    const Attribute* mode = attributeNamed(lifted.node, "coordinate_transformation_mode");
    if (mode != nullptr && mode->s() == "tf_half_pixel_for_nn")
        throw std::invalid_argument("has the mode tf_half_pixel_for_nn, which opset 13 lacks");
    ::onnx::NodeProto& node = lifted.node;
    if (node.input_size() > 3 && !node.input(3).empty() && context.isEmpty(node.input(2)))
        node.set_input(2, "");
}

[[noreturn]] void refuseOp(LiftedNode&, const LiftContext& context)
{
    throw std::invalid_argument("has no equal in opset " + std::to_string(context.opset) +
                                " that could be written without its shapes");
}

void setText(::onnx::NodeProto& node, const std::string& name, const std::string& value)
{
    static_cast<void>(taken(node, name));
    Attribute& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(Attribute::STRING);
    attribute.set_s(value);
}

// 13 -> 14: what training gave besides is gone.
void refuseStatistics(LiftedNode& lifted, const LiftContext& context)
{
    for (int output = 1; output < lifted.node.output_size(); ++output)
        if (!lifted.node.output(output).empty() && context.isUsed(lifted.node.output(output)))
            throw std::invalid_argument("gives statistics, as in training, which opset 14 has not");
    while (lifted.node.output_size() > 1)
        lifted.node.mutable_output()->RemoveLast();
}

// 13 -> 16: boxes are shifted by half a pixel unless the mode says otherwise.
void liftRoiAlign(LiftedNode& lifted, const LiftContext&)
{
    setText(lifted.node, "coordinate_transformation_mode", "output_half_pixel");
}

// 13 -> 18: without lengths the number of parts has to be given.
void liftEqualSplit(LiftedNode& lifted, const LiftContext&)
{
    if (lifted.node.input_size() < 2 || lifted.node.input(1).empty())
        setInteger(lifted.node, "num_outputs", lifted.node.output_size());
}

// 11 -> 19: what a window beyond the end counts of the pads was left to runtimes before.
void refuseCountedPads(LiftedNode& lifted, const LiftContext&)
{
    if (intAttribute(lifted.node, "ceil_mode", 0) != 0 &&
        intAttribute(lifted.node, "count_include_pad", 0) != 0)
        throw std::invalid_argument(
            "counts pads in windows that reach beyond them, which opset 19 counts otherwise");
}

// 17 -> 20: the axis becomes an input, a number.
void liftDft(LiftedNode& lifted, const LiftContext& context)
{
    const std::optional<Attribute> axis = taken(lifted.node, "axis");
    setIntegerInput(lifted, context, 2, "axis", {axis ? axis->i() : 1});
    lifted.initializers.back().clear_dims();
}

// 16 -> 20: modes have other names.
void liftGridSample(LiftedNode& lifted, const LiftContext&)
{
    const std::string mode{textAttribute(lifted.node, "mode", "bilinear")};
    if (mode == "bilinear" || mode == "bicubic")
        setText(lifted.node, "mode", mode == "bilinear" ? "linear" : "cubic");
}

struct Lift
{
    std::string_view op;
    int changedIn = 13;  ///< the opset of the change; models of earlier ones need it
    void (*rewrite)(LiftedNode&, const LiftContext&);
};

// All ops whose attributes, inputs, outputs or meaning differ between the opset of the column and
// the one before, in schemas of 8 to 21, where a model of an earlier one would be understood
// otherwise; of an op with several, by opset. Everything else only takes more types or more shapes
// than before, or has new attributes whose default is the former meaning.
constexpr Lift lifts[] = {
    {"AveragePool", 19, refuseCountedPads},
    {"BatchNormalization", 9, liftBatchNormalization},
    {"BatchNormalization", 14, refuseStatistics},
    {"Clip", 11, liftClip},
    {"DFT", 20, liftDft},
    {"Dropout", 12, liftDropout},
    {"GridSample", 20, liftGridSample},
    {"GroupNormalization", 21, refuseOp},
    {"Hardmax", 13, liftSoftmax},
    {"LogSoftmax", 13, liftSoftmax},
    {"Pad", 11, liftPad},
    {"ReduceL1", 18, liftAxes},
    {"ReduceL2", 18, liftAxes},
    {"ReduceLogSum", 18, liftAxes},
    {"ReduceLogSumExp", 18, liftAxes},
    {"ReduceMax", 18, liftAxes},
    {"ReduceMean", 18, liftAxes},
    {"ReduceMin", 18, liftAxes},
    {"ReduceProd", 18, liftAxes},
    {"ReduceSum", 13, liftAxes},
    {"ReduceSumSquare", 18, liftAxes},
    {"Resize", 13, liftResize},
    {"RoiAlign", 16, liftRoiAlign},
    {"Scan", 9, refuseOp},
    {"Scatter", 13, refuseOp},
    {"Slice", 10, liftSlice},
    {"Softmax", 13, liftSoftmax},
    {"Split", 13, liftSplit},
    {"Split", 18, liftEqualSplit},
    {"Squeeze", 13, liftAxes},
    {"TopK", 10, liftTopK},
    {"Unsqueeze", 13, liftUnsqueeze},
    {"Upsample", 13, refuseOp},
};

}  // namespace

bool liftNode(LiftedNode& lifted, const LiftContext& context)
{
    const ::onnx::NodeProto& node = lifted.node;
    if (!node.domain().empty() && node.domain() != "ai.onnx")
        return false;
    const auto isMeant = [&](const Lift& lift) {
        return lift.op == node.op_type() && context.formerOpset < lift.changedIn &&
               lift.changedIn <= context.opset;
    };
    const std::string former = node.SerializeAsString();
    for (const Lift& lift : lifts) {
        if (!isMeant(lift))
            continue;
        if (node.input_size() == 0 || node.output_size() == 0)
            throw std::invalid_argument("has no input or no output");
        lift.rewrite(lifted, context);
    }
    return node.SerializeAsString() != former;
}

}  // namespace calibscope::model
