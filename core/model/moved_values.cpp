// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/moved_values.h"

#include "core/model/node_attributes.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>
#include <string_view>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

using Shape = std::vector<std::uint64_t>;
using Integers = std::vector<std::int64_t>;
using Inputs = std::span<const std::optional<MovedInput>>;
using Move = std::optional<ValueMove>;

// No tensor has more axes, in the runtimes as well; a shape of thousands is an attack.
constexpr std::size_t mostAxes = 64;

std::optional<Integers> integersIn(const ::onnx::NodeProto& node, std::string_view name)
{
    const ::onnx::AttributeProto* attribute = attributeNamed(node, name);
    if (attribute == nullptr || attribute->ints_size() > static_cast<int>(mostAxes))
        return std::nullopt;
    return Integers(attribute->ints().begin(), attribute->ints().end());
}

bool isGiven(Inputs inputs, const ::onnx::NodeProto& node, std::size_t input)
{
    return input < inputs.size() && !node.input(static_cast<int>(input)).empty();
}

/// Integers of an attribute (former opsets) or of an input; `missing` where neither is there;
/// nothing where they are not known.
std::optional<Integers> integersOf(const ::onnx::NodeProto& node, Inputs inputs,
                                   std::string_view attribute, std::size_t input,
                                   const Integers& missing)
{
    if (attributeNamed(node, attribute) != nullptr)
        return integersIn(node, attribute);
    if (!isGiven(inputs, node, input))
        return missing;
    return inputs[input] ? inputs[input]->integers : std::nullopt;
}

/// Axes counted from the front, ascending; nothing where one is outside or comes twice.
std::optional<Integers> countedAxes(Integers axes, std::size_t rank)
{
    for (std::int64_t& axis : axes) {
        const auto axisCount = static_cast<std::int64_t>(rank);
        if (axis < -axisCount || axis >= axisCount)
            return std::nullopt;
        axis += axis < 0 ? axisCount : 0;
    }
    std::ranges::sort(axes);
    if (std::ranges::adjacent_find(axes) != axes.end())
        return std::nullopt;
    return axes;
}

Integers rowMajorStrides(const Shape& shape)
{
    Integers strides(shape.size(), 1);
    for (std::size_t axis = shape.size(); axis-- > 1;)
        strides[axis - 1] = strides[axis] * static_cast<std::int64_t>(shape[axis]);
    return strides;
}

Move reshaped(Shape shape, const Shape& former)
{
    if (shape.size() > mostAxes || elementCount(shape) != elementCount(former))
        return std::nullopt;
    return ValueMove{.shape = std::move(shape), .joinedAxis = {}, .strides = {}};
}

Move squeeze(const ::onnx::NodeProto& node, Inputs inputs)
{
    const Shape& former = inputs[0]->shape;
    Integers ones;
    for (std::size_t axis = 0; axis < former.size(); ++axis)
        if (former[axis] == 1)
            ones.push_back(static_cast<std::int64_t>(axis));
    std::optional<Integers> axes = integersOf(node, inputs, "axes", 1, ones);
    axes = axes ? countedAxes(*std::move(axes), former.size()) : std::nullopt;
    if (!axes)
        return std::nullopt;
    Shape shape;
    for (std::size_t axis = 0; axis < former.size(); ++axis)
        if (!std::ranges::binary_search(*axes, static_cast<std::int64_t>(axis)))
            shape.push_back(former[axis]);
    return reshaped(std::move(shape), former);
}

Move unsqueeze(const ::onnx::NodeProto& node, Inputs inputs)
{
    const Shape& former = inputs[0]->shape;
    std::optional<Integers> axes = integersOf(node, inputs, "axes", 1, {});
    if (!axes || axes->size() > mostAxes)
        return std::nullopt;
    const std::size_t added = axes->size();
    axes = countedAxes(*std::move(axes), former.size() + added);
    if (!axes)
        return std::nullopt;
    Shape shape = former;
    for (const std::int64_t axis : *axes)
        shape.insert(shape.begin() + axis, 1);
    return reshaped(std::move(shape), former);
}

Move reshape(const ::onnx::NodeProto& node, Inputs inputs)
{
    const Shape& former = inputs[0]->shape;
    const std::optional<Integers> wanted = integersOf(node, inputs, "shape", 1, {});
    if (!wanted || (wanted->empty() && !isGiven(inputs, node, 1)))
        return std::nullopt;
    const ::onnx::AttributeProto* allowZero = attributeNamed(node, "allowzero");
    Shape shape;
    std::optional<std::size_t> open;
    for (std::size_t axis = 0; axis < wanted->size(); ++axis) {
        const std::int64_t length = (*wanted)[axis];
        const bool isCopied = length == 0 && (allowZero == nullptr || allowZero->i() == 0);
        if (length < -1 || (length == -1 && open) || (isCopied && axis >= former.size()))
            return std::nullopt;
        if (length == -1)
            open = axis;
        shape.push_back(isCopied       ? former[axis]
                        : length == -1 ? 1
                                       : static_cast<std::uint64_t>(length));
    }
    const std::uint64_t rest = elementCount(shape).value_or(0);
    if (open && rest != 0)
        shape[*open] = elementCount(former).value_or(0) / rest;
    return reshaped(std::move(shape), former);
}

Move transpose(const ::onnx::NodeProto& node, Inputs inputs)
{
    const Shape& former = inputs[0]->shape;
    Integers order(former.size());
    std::iota(order.rbegin(), order.rend(), 0);
    if (attributeNamed(node, "perm") != nullptr)
        order = integersIn(node, "perm").value_or(Integers{});
    const std::optional<Integers> axes = countedAxes(order, former.size());
    if (!axes || axes->size() != former.size() ||
        std::ranges::any_of(order, [](std::int64_t axis) { return axis < 0; }))
        return std::nullopt;
    const Integers strides = rowMajorStrides(former);
    ValueMove move{.shape = {}, .joinedAxis = {}, .strides = {}};
    for (const std::int64_t axis : order) {
        move.shape.push_back(former[static_cast<std::size_t>(axis)]);
        move.strides.push_back(strides[static_cast<std::size_t>(axis)]);
    }
    return move;
}

Move concat(const ::onnx::NodeProto& node, Inputs inputs)
{
    const Shape& former = inputs[0]->shape;
    const ::onnx::AttributeProto* axisOf = attributeNamed(node, "axis");
    const std::optional<Integers> axes =
        countedAxes({axisOf == nullptr ? 1 : axisOf->i()}, former.size());
    if (!axes)
        return std::nullopt;
    const auto axis = static_cast<std::size_t>(axes->front());
    ValueMove move{.shape = former, .inputs = inputs.size(), .joinedAxis = axis, .strides = {}};
    for (const std::optional<MovedInput>& input : inputs.subspan(1)) {
        if (!input || input->kind != inputs[0]->kind || input->shape.size() != former.size() ||
            input->shape[axis] > (std::uint64_t{1} << 59U))
            return std::nullopt;
        Shape shape = input->shape;
        shape[axis] = former[axis];
        if (shape != former)
            return std::nullopt;
        move.shape[axis] += input->shape[axis];
        if (!elementCount(move.shape))
            return std::nullopt;
    }
    return move;
}

/// What a slice takes of one axis: its first index, its step, and how many.
struct Taken
{
    std::int64_t first = 0;
    std::int64_t step = 1;
    std::uint64_t count = 0;
};

Taken taken(std::int64_t start, std::int64_t end, std::int64_t step, std::uint64_t lengthOfAxis)
{
    const auto length = static_cast<std::int64_t>(lengthOfAxis);
    const auto counted = [&](std::int64_t index) {
        return index < 0 ? std::max(index, -length - 1) + length : std::min(index, length);
    };
    if (step > 0) {
        const std::int64_t first = std::max<std::int64_t>(counted(start), 0);
        const std::int64_t last = counted(end) - 1;
        return {.first = first,
                .step = step,
                .count = last < first ? 0 : static_cast<std::uint64_t>((last - first) / step + 1)};
    }
    const std::int64_t first = std::min(counted(start), length - 1);
    const std::int64_t last = std::max<std::int64_t>(counted(end), -1) + 1;
    const std::uint64_t span = last > first ? 0 : static_cast<std::uint64_t>(first - last);
    // The least step has no opposite.
    return {.first = first,
            .step = step,
            .count = last > first
                         ? 0
                         : span / (std::uint64_t{0} - static_cast<std::uint64_t>(step)) + 1};
}

Move slice(const ::onnx::NodeProto& node, Inputs inputs)
{
    const Shape& former = inputs[0]->shape;
    const std::optional<Integers> starts = integersOf(node, inputs, "starts", 1, {});
    const std::optional<Integers> ends = integersOf(node, inputs, "ends", 2, {});
    if (!starts || !ends || starts->size() != ends->size())
        return std::nullopt;
    Integers all(starts->size());
    std::iota(all.begin(), all.end(), 0);
    std::optional<Integers> axes = integersOf(node, inputs, "axes", 3, all);
    const std::optional<Integers> steps =
        integersOf(node, inputs, "steps", 4, Integers(starts->size(), 1));
    if (!axes || !steps || axes->size() != starts->size() || steps->size() != starts->size() ||
        !countedAxes(*axes, former.size()))
        return std::nullopt;
    ValueMove move{.shape = former, .joinedAxis = {}, .strides = rowMajorStrides(former)};
    for (std::size_t place = 0; place < axes->size(); ++place) {
        const std::int64_t given = (*axes)[place];
        const auto axis = static_cast<std::size_t>(
            given < 0 ? given + static_cast<std::int64_t>(former.size()) : given);
        if ((*steps)[place] == 0)
            return std::nullopt;
        const Taken part = taken((*starts)[place], (*ends)[place], (*steps)[place], former[axis]);
        move.shape[axis] = part.count;
        move.first += part.count == 0 ? 0 : part.first * move.strides[axis];
        // With one value there is no neighbour, and the step may be anything.
        move.strides[axis] *= part.count > 1 ? part.step : 0;
    }
    return move;
}

Move identity(const ::onnx::NodeProto&, Inputs inputs)
{
    return ValueMove{.shape = inputs[0]->shape, .joinedAxis = {}, .strides = {}};
}

struct MovingOp
{
    std::string_view name;
    Move (*move)(const ::onnx::NodeProto&, Inputs);
};

constexpr MovingOp movingOps[] = {
    {"Concat", concat},   {"Identity", identity},   {"Reshape", reshape},     {"Slice", slice},
    {"Squeeze", squeeze}, {"Transpose", transpose}, {"Unsqueeze", unsqueeze},
};

const MovingOp* movingOp(const ::onnx::NodeProto& node)
{
    if (!node.domain().empty() && node.domain() != "ai.onnx")
        return nullptr;
    const auto* const found = std::ranges::find(movingOps, node.op_type(), &MovingOp::name);
    return found == std::end(movingOps) ? nullptr : found;
}

/// The input's values at the output's places, in the output's order.
std::string gathered(const std::string& from, std::size_t elementBytes, const ValueMove& move)
{
    std::string bytes(static_cast<std::size_t>(elementCount(move.shape).value_or(0)) * elementBytes,
                      '\0');
    std::vector<std::uint64_t> index(move.shape.size(), 0);
    std::int64_t place = move.first;
    for (std::size_t to = 0; to < bytes.size(); to += elementBytes) {
        std::memcpy(bytes.data() + to, from.data() + static_cast<std::size_t>(place) * elementBytes,
                    elementBytes);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            place += move.strides[axis];
            if (++index[axis] < move.shape[axis])
                break;
            place -= move.strides[axis] * static_cast<std::int64_t>(move.shape[axis]);
            index[axis] = 0;
        }
    }
    return bytes;
}

std::string joined(std::span<const StoredTensor> inputs, std::size_t axis, std::size_t elementBytes)
{
    const auto product = [](auto begin, auto end) {
        return std::accumulate(begin, end, std::uint64_t{1}, std::multiplies<>());
    };
    std::string bytes;
    std::vector<std::pair<const StoredTensor*, std::size_t>> parts;  // with the bytes of a row
    for (const StoredTensor& input : inputs)
        if (!input.bytes.empty())
            parts.emplace_back(&input,
                               product(input.shape.begin() + static_cast<std::ptrdiff_t>(axis),
                                       input.shape.end()) *
                                   elementBytes);
    if (parts.empty())
        return bytes;
    const Shape& first = inputs.front().shape;
    const std::uint64_t rows =
        product(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(axis));
    for (std::uint64_t row = 0; row < rows; ++row)
        for (const auto& [input, rowBytes] : parts)
            bytes.append(input->bytes, row * rowBytes, rowBytes);
    return bytes;
}

}  // namespace

bool onlyMovesValues(const ::onnx::NodeProto& node)
{
    return movingOp(node) != nullptr;
}

std::optional<ValueMove> moveOf(const ::onnx::NodeProto& node, Inputs inputs)
{
    const MovingOp* op = movingOp(node);
    if (op == nullptr || inputs.empty() || !inputs[0] || inputs[0]->shape.size() > mostAxes ||
        node.input_size() != static_cast<int>(inputs.size()))
        return std::nullopt;
    return op->move(node, inputs);
}

StoredTensor moved(const ValueMove& move, std::span<const StoredTensor> inputs)
{
    const StoredTensor& first = inputs.front();
    const std::size_t elementBytes = ElementType{first.kind}.bytes();
    StoredTensor result{.kind = first.kind, .shape = move.shape, .bytes = {}};
    if (move.joinedAxis)
        result.bytes = joined(inputs, *move.joinedAxis, elementBytes);
    else if (move.strides.empty())
        result.bytes = first.bytes;
    else
        result.bytes = gathered(first.bytes, elementBytes, move);
    return result;
}

}  // namespace calibscope::model
