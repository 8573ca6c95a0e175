// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_plan.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/tensor/tensor_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope::layers {

namespace {

using Shape = std::vector<std::uint64_t>;

constexpr std::int64_t mostAttribute = std::int64_t{1} << 30;  // products of two fit 64 bits
constexpr std::uint64_t mostValues = std::uint64_t{1} << 40U;

[[noreturn]] void refuse(const std::string& why)
{
    throw Error(Fault::Input, why);
}

void requireSize(const Shape& shape, std::string_view what)
{
    std::uint64_t values = 1;
    for (const std::uint64_t length : shape) {
        if (length == 0)
            refuse(fmt::format("its {} has no values", what));
        if (length > mostValues / values)
            refuse(fmt::format("its {} of {} is too large", what, shapeText(shape)));
        values *= length;
    }
}

std::uint64_t countOf(std::span<const std::uint64_t> shape)
{
    std::uint64_t values = 1;
    for (const std::uint64_t length : shape)
        values *= length;
    return values;
}

std::string shapesText(const LayerShapes& shapes)
{
    return fmt::format("{} and {} don't give {}", shapeText(shapes.input), shapeText(shapes.weight),
                       shapeText(shapes.output));
}

/// A list attribute of which each axis has one, with ONNX's default.
std::vector<std::int64_t> listOr(const std::vector<std::int64_t>& given, std::size_t count,
                                 std::int64_t fallback, std::string_view name, std::int64_t least)
{
    if (given.empty())
        return std::vector<std::int64_t>(count, fallback);
    if (given.size() != count)
        refuse(fmt::format("its {} are {} numbers where the shapes need {}", name, given.size(),
                           count));
    for (const std::int64_t value : given)
        if (value < least || value > mostAttribute)
            refuse(fmt::format("its {} hold {}, which is out of range", name, value));
    return given;
}

enum class AutoPad { None, Valid, Upper, Lower };

AutoPad autoPadOf(const std::string& text)
{
    if (text.empty() || text == "NOTSET")
        return AutoPad::None;
    if (text == "VALID")
        return AutoPad::Valid;
    if (text == "SAME_UPPER")
        return AutoPad::Upper;
    if (text == "SAME_LOWER")
        return AutoPad::Lower;
    refuse(fmt::format("its auto_pad is {}, which ONNX does not have", text));
}

struct Pads
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

Pads splitPads(std::int64_t total, bool hasMoreBehind)
{
    total = std::max<std::int64_t>(total, 0);
    const std::int64_t less = total / 2;
    return hasMoreBehind ? Pads{less, total - less} : Pads{total - less, less};
}

/// Of a Conv or a ConvTranspose.
class ConvolutionPlan
{
public:
    ConvolutionPlan(const LayerShapes& shapes, const OpGeometry& geometry)
        : m_shapes(shapes), m_geometry(geometry), m_isTransposed(shapes.op == "ConvTranspose")
    {}

    LayerPlan plan()
    {
        const Shape& x = m_shapes.input;
        const Shape& w = m_shapes.weight;
        if (x.size() < 3 || w.size() != x.size() || m_shapes.output.size() != x.size())
            refuse("its shapes are not those of a convolution: " + shapesText(m_shapes));
        if (m_shapes.isWeightPerSample || m_shapes.isWeightFirst)
            refuse("its second operand is an activation, not a weight");
        m_spatial = x.size() - 2;
        LayerPlan plan;
        plan.isConvolution = true;
        plan.isTransposed = m_isTransposed;
        plan.samples = x[0];
        setChannels(plan);
        setAxes(plan);
        plan.places = countOf(std::span(m_shapes.output).subspan(2));
        plan.inputOuter = countOf(std::span(x).subspan(2));
        plan.outputChannel = plan.places;
        return plan;
    }

private:
    void setChannels(LayerPlan& plan) const
    {
        const Shape& x = m_shapes.input;
        const Shape& w = m_shapes.weight;
        const std::uint64_t kernel = countOf(std::span(w).subspan(2));
        // Conv: M x C/group, ConvTranspose: C x M/group.
        if (!m_isTransposed && x[1] % w[1] != 0)
            refuse(fmt::format("its input's {} channels are not a multiple of the {} of its weight",
                               x[1], w[1]));
        if (m_isTransposed && x[1] != w[0])
            refuse(fmt::format("its input has {} channels and its weight is for {}", x[1], w[0]));
        const std::uint64_t outputs = m_shapes.output[1];
        if (m_isTransposed && outputs % w[1] != 0)
            refuse(shapesText(m_shapes));
        plan.groups = m_isTransposed ? outputs / w[1] : x[1] / w[1];
        if (m_geometry.group && *m_geometry.group != static_cast<std::int64_t>(plan.groups))
            refuse(
                fmt::format("its group is {}, by its shapes {}", *m_geometry.group, plan.groups));
        if (x[1] % plan.groups != 0 || outputs % plan.groups != 0)
            refuse(shapesText(m_shapes));
        plan.inners = kernel;
        plan.outers = x[1] / plan.groups;
        plan.channelsPerGroup = outputs / plan.groups;
        if (!m_isTransposed && w[0] != outputs)
            refuse(shapesText(m_shapes));
        plan.weightInner = 1;
        plan.weightOuter = m_isTransposed ? plan.channelsPerGroup * kernel : kernel;
        plan.weightChannel = m_isTransposed ? kernel : plan.outers * kernel;
        plan.weightGroup = plan.outers * plan.channelsPerGroup * kernel;
    }

    void setAxes(LayerPlan& plan) const
    {
        const Shape& x = m_shapes.input;
        const Shape& w = m_shapes.weight;
        const auto strides = listOr(m_geometry.strides, m_spatial, 1, "strides", 1);
        const auto dilations = listOr(m_geometry.dilations, m_spatial, 1, "dilations", 1);
        const auto pads = listOr(m_geometry.pads, 2 * m_spatial, 0, "pads", 0);
        const auto more = listOr(m_geometry.outputPadding, m_spatial, 0, "output_padding", 0);
        if (!m_geometry.kernelShape.empty() &&
            !std::ranges::equal(
                m_geometry.kernelShape, std::span(w).subspan(2), {},
                [](std::int64_t length) { return static_cast<std::uint64_t>(length); }))
            refuse("its kernel_shape is not its weight's");
        for (std::size_t axis = 0; axis < m_spatial; ++axis) {
            constexpr auto longest = static_cast<std::uint64_t>(mostAttribute);
            if (std::max({x[axis + 2], w[axis + 2], m_shapes.output[axis + 2]}) > longest)
                refuse("its shapes are too large: " + shapesText(m_shapes));
            ConvAxis one{.in = static_cast<std::int64_t>(x[axis + 2]),
                         .out = static_cast<std::int64_t>(m_shapes.output[axis + 2]),
                         .kernel = static_cast<std::int64_t>(w[axis + 2]),
                         .stride = strides[axis],
                         .dilation = dilations[axis]};
            const Pads given{pads[axis], pads[m_spatial + axis]};
            const std::int64_t out = m_isTransposed
                                         ? setTransposedPads(one, axis, given, more[axis])
                                         : setPads(one, given);
            if (out != one.out)
                refuse(fmt::format(
                    "its attributes give {} outputs along axis {}, and {} were recorded", out,
                    axis + 2, one.out));
            plan.axes.push_back(one);
        }
    }

    /// Sets the pad in front and returns the length that follows.
    std::int64_t setPads(ConvAxis& axis, Pads pads) const
    {
        const std::int64_t reach = axis.dilation * (axis.kernel - 1) + 1;
        const AutoPad automatic = autoPadOf(m_geometry.autoPad);
        if (automatic == AutoPad::Valid)
            pads = {};
        if (automatic == AutoPad::Upper || automatic == AutoPad::Lower) {
            const std::int64_t out = (axis.in + axis.stride - 1) / axis.stride;
            pads =
                splitPads((out - 1) * axis.stride + reach - axis.in, automatic == AutoPad::Upper);
        }
        axis.padBegin = pads.begin;
        const std::int64_t room = axis.in + pads.begin + pads.end - reach;
        return room < 0 ? 0 : room / axis.stride + 1;
    }

    std::int64_t setTransposedPads(ConvAxis& axis, std::size_t index, Pads pads,
                                   std::int64_t more) const
    {
        const std::int64_t full =
            (axis.in - 1) * axis.stride + axis.dilation * (axis.kernel - 1) + 1 + more;
        const AutoPad automatic = autoPadOf(m_geometry.autoPad);
        const bool isSame = automatic == AutoPad::Upper || automatic == AutoPad::Lower;
        if (automatic == AutoPad::Valid)
            pads = {};
        if (const auto shape = asked(index)) {
            if (*shape != axis.out)
                return *shape;
            pads = splitPads(full - *shape, automatic == AutoPad::Upper);
            axis.padBegin = pads.begin;
            return *shape;
        }
        if (isSame)
            pads = splitPads(full - axis.in * axis.stride, automatic == AutoPad::Upper);
        axis.padBegin = pads.begin;
        return full - pads.begin - pads.end;
    }

    /// output_shape, with or without samples and channels in front.
    [[nodiscard]] std::optional<std::int64_t> asked(std::size_t axis) const
    {
        const auto& shape = m_geometry.outputShape;
        if (shape.size() == m_spatial)
            return shape[axis];
        if (shape.size() == m_spatial + 2)
            return shape[axis + 2];
        return std::nullopt;
    }

    const LayerShapes& m_shapes;
    const OpGeometry& m_geometry;
    bool m_isTransposed;
    std::size_t m_spatial = 0;
};

/// Of a Gemm: rows of any rank times a matrix.
LayerPlan planGemm(const LayerShapes& shapes, const OpGeometry& geometry)
{
    const Shape& x = shapes.input;
    const Shape& w = shapes.weight;
    if (x.size() < 2 || w.size() != 2 || shapes.isWeightFirst || shapes.isWeightPerSample)
        refuse("its shapes are not those of a Gemm: " + shapesText(shapes));
    if (geometry.transA.value_or(0) != 0)
        refuse("its transA is 1: it adds over its samples");
    const bool isTransposed = geometry.transB.value_or(0) != 0;
    const std::uint64_t depth = isTransposed ? w[1] : w[0];
    const std::uint64_t outputs = isTransposed ? w[0] : w[1];
    Shape expected = x;
    expected.back() = outputs;
    if (x.back() != depth || expected != shapes.output)
        refuse(shapesText(shapes) + (isTransposed ? " with transB 1" : " with transB 0"));
    LayerPlan plan;
    plan.samples = x[0];
    plan.rows = plan.places = countOf(std::span(x).subspan(1)) / depth;
    plan.outers = depth;
    plan.channelsPerGroup = outputs;
    plan.inputOuter = 1;
    plan.inputRow = depth;
    plan.weightOuter = isTransposed ? 1 : outputs;
    plan.weightChannel = isTransposed ? depth : 1;
    plan.outputChannel = 1;
    plan.outputRow = outputs;
    plan.inputBases = {0};
    plan.matrixIndices = {0};
    plan.factor = geometry.alpha.value_or(1.0);
    if (!std::isfinite(plan.factor) || plan.factor == 0.0)
        refuse("its alpha is " + numberText(plan.factor));
    return plan;
}

/// The axes of stacked matrices, aligned at their ends as NumPy does.
class Stacks
{
public:
    Stacks(std::span<const std::uint64_t> input, std::span<const std::uint64_t> weight)
        : m_input(input), m_weight(weight), m_rank(std::max(input.size(), weight.size()))
    {}

    [[nodiscard]] Shape joined() const
    {
        Shape all;
        for (std::size_t axis = 0; axis < m_rank; ++axis) {
            const std::uint64_t one = lengthOf(m_input, axis);
            const std::uint64_t other = lengthOf(m_weight, axis);
            if (one != other && one != 1 && other != 1)
                refuse(fmt::format("its stacks of matrices don't fit: {} and {}", one, other));
            all.push_back(std::max(one, other));
        }
        return all;
    }
    [[nodiscard]] std::uint64_t inputIndex(const Shape& joinedShape, std::uint64_t index) const
    {
        return indexIn(m_input, joinedShape, index);
    }
    [[nodiscard]] std::uint64_t weightIndex(const Shape& joinedShape, std::uint64_t index) const
    {
        return indexIn(m_weight, joinedShape, index);
    }

private:
    using Lengths = std::span<const std::uint64_t>;

    [[nodiscard]] std::uint64_t lengthOf(Lengths lengths, std::size_t axis) const
    {
        const std::size_t missing = m_rank - lengths.size();
        return axis < missing ? 1 : lengths[axis - missing];
    }
    [[nodiscard]] std::uint64_t indexIn(Lengths lengths, const Shape& joinedShape,
                                        std::uint64_t index) const
    {
        std::uint64_t result = 0;
        std::uint64_t step = 1;
        for (std::size_t axis = m_rank; axis-- > 0;) {
            const std::uint64_t length = lengthOf(lengths, axis);
            const std::uint64_t here = index % joinedShape[axis];
            index /= joinedShape[axis];
            result += (length == 1 ? 0 : here) * step;
            step *= length;
        }
        return result;
    }

    Lengths m_input;
    Lengths m_weight;
    std::size_t m_rank;
};

/// The shapes of a MatMul without the axis of samples, and with matrices in place of vectors.
struct ProductShapes
{
    Shape input;
    Shape weight;
    Shape expected;  ///< of the output
};

ProductShapes productShapes(const LayerShapes& shapes)
{
    ProductShapes result{.input = {shapes.input.begin() + 1, shapes.input.end()},
                         .weight = shapes.weight,
                         .expected = {}};
    if (shapes.isWeightPerSample) {
        if (shapes.weight.size() != shapes.input.size() || shapes.weight[0] != shapes.input[0])
            refuse("its operands are not stacked by the same samples: " + shapesText(shapes));
        result.weight.erase(result.weight.begin());
    } else if (result.weight.size() >= shapes.input.size() && result.weight.size() > 2) {
        if (result.weight.size() > shapes.input.size() || result.weight[0] != 1)
            refuse("its weight is stacked by samples: " + shapesText(shapes));
        result.weight.erase(result.weight.begin());
    }
    return result;
}

LayerPlan planProduct(const LayerShapes& shapes)
{
    const bool isFirst = shapes.isWeightFirst;
    if (shapes.input.size() < (isFirst ? std::size_t{3} : std::size_t{2}))
        refuse("its shapes are not a stack of matrices: " + shapesText(shapes));
    ProductShapes parts = productShapes(shapes);
    if (parts.weight.empty() || (isFirst && parts.weight.size() < 2))
        refuse("its shapes are not those of a product: " + shapesText(shapes));
    const bool isVector = parts.weight.size() == 1;
    if (isVector)
        parts.weight.push_back(1);
    // Of samples that are single rows: one row each.
    const bool isRow = parts.input.size() == 1;
    if (isRow)
        parts.input.insert(parts.input.begin(), 1);
    const std::size_t inputRank = parts.input.size();
    const std::size_t weightRank = parts.weight.size();
    const std::uint64_t inputRows = parts.input[inputRank - 2];
    const std::uint64_t inputColumns = parts.input[inputRank - 1];
    const std::uint64_t weightRows = parts.weight[weightRank - 2];
    const std::uint64_t weightColumns = parts.weight[weightRank - 1];
    const std::uint64_t depth = isFirst ? inputRows : inputColumns;
    const std::uint64_t outputs = isFirst ? weightRows : weightColumns;
    const std::uint64_t rows = isFirst ? inputColumns : inputRows;
    if (depth != (isFirst ? weightColumns : weightRows))
        refuse(shapesText(shapes));
    const Stacks stacks(std::span(parts.input).first(inputRank - 2),
                        std::span(parts.weight).first(weightRank - 2));
    const Shape joined = stacks.joined();
    Shape expected{shapes.input[0]};
    expected.insert(expected.end(), joined.begin(), joined.end());
    if (isFirst)
        expected.insert(expected.end(), {outputs, rows});
    else {
        if (!isRow)
            expected.push_back(rows);
        if (!isVector)
            expected.push_back(outputs);
    }
    if (expected != shapes.output)
        refuse(shapesText(shapes));
    LayerPlan plan;
    plan.samples = shapes.input[0];
    plan.rows = rows;
    const std::uint64_t stacked = countOf(joined);
    plan.places = stacked * rows;
    plan.outers = depth;
    plan.channelsPerGroup = outputs;
    plan.inputOuter = isFirst ? rows : 1;
    plan.inputRow = isFirst ? 1 : depth;
    plan.weightOuter = isFirst ? 1 : outputs;
    plan.weightChannel = isFirst ? depth : 1;
    plan.weightMatrix = depth * outputs;
    plan.outputMatrix = rows * outputs;
    plan.outputChannel = isFirst ? rows : 1;
    plan.outputRow = isFirst ? 1 : outputs;
    plan.isWeightPerSample = shapes.isWeightPerSample;
    for (std::uint64_t matrix = 0; matrix < stacked; ++matrix) {
        plan.inputBases.push_back(stacks.inputIndex(joined, matrix) * depth * rows);
        plan.matrixIndices.push_back(stacks.weightIndex(joined, matrix));
    }
    plan.matrices = countOf(std::span(parts.weight).first(weightRank - 2));
    return plan;
}

LayerPlan planned(const LayerShapes& shapes, const OpGeometry& geometry)
{
    if (!isLayerOp(shapes.op))
        refuse(fmt::format("its op {} is not a product of its operands", shapes.op));
    if (shapes.input.empty() || shapes.weight.empty() || shapes.output.empty())
        refuse("its shapes are not those of a layer: " + shapesText(shapes));
    requireSize(shapes.input, "input");
    requireSize(shapes.weight, "weight");
    requireSize(shapes.output, "output");
    if (shapes.input[0] != shapes.output[0])
        refuse(fmt::format("its input has {} samples, its output {}", shapes.input[0],
                           shapes.output[0]));
    LayerPlan plan = shapes.op == "Gemm"     ? planGemm(shapes, geometry)
                     : shapes.op == "MatMul" ? planProduct(shapes)
                                             : ConvolutionPlan(shapes, geometry).plan();
    plan.inputValues = countOf(std::span(shapes.input).subspan(1));
    plan.outputValues = countOf(std::span(shapes.output).subspan(1));
    plan.weightValues = countOf(std::span(shapes.weight).subspan(shapes.isWeightPerSample ? 1 : 0));
    return plan;
}

std::string listText(const std::vector<std::int64_t>& values)
{
    std::string text;
    for (const std::int64_t value : values)
        text += " " + std::to_string(value);
    return text;
}

/// The input's index along an axis that a tap of the kernel takes for an output; -1: none.
std::int64_t tapOf(const ConvAxis& axis, bool isTransposed, std::int64_t output, std::int64_t tap)
{
    if (!isTransposed) {
        const std::int64_t index = output * axis.stride - axis.padBegin + tap * axis.dilation;
        return index >= 0 && index < axis.in ? index : -1;
    }
    const std::int64_t reached = output + axis.padBegin - tap * axis.dilation;
    if (reached < 0 || reached % axis.stride != 0 || reached / axis.stride >= axis.in)
        return -1;
    return reached / axis.stride;
}

}  // namespace

bool isLayerOp(std::string_view op)
{
    constexpr std::array<std::string_view, 4> ops{"Conv", "ConvTranspose", "Gemm", "MatMul"};
    return std::ranges::find(ops, op) != ops.end();
}

std::vector<std::size_t> LayerPlan::weightIndices(std::uint64_t group) const
{
    std::vector<std::size_t> indices;
    for (std::uint64_t channel = 0; channel < channelsPerGroup; ++channel)
        for (std::uint64_t outer = 0; outer < outers; ++outer)
            for (std::uint64_t inner = 0; inner < inners; ++inner)
                indices.push_back(group * weightGroup + channel * weightChannel +
                                  outer * weightOuter + inner * weightInner);
    return indices;
}

std::uint64_t LayerPlan::matrixOf(std::uint64_t place) const
{
    return isConvolution ? 0 : matrixIndices[place / rows];
}

void LayerPlan::offsetsAt(std::uint64_t place, std::span<std::int64_t> offsets) const
{
    if (!isConvolution) {
        offsets[0] = static_cast<std::int64_t>(inputBases[place / rows] + place % rows * inputRow);
        return;
    }
    offsets[0] = 0;
    std::size_t made = 1;  // offsets along the axes so far
    std::uint64_t above = 1;
    for (const ConvAxis& axis : axes)
        above *= static_cast<std::uint64_t>(axis.out);
    for (const ConvAxis& axis : axes) {
        above /= static_cast<std::uint64_t>(axis.out);
        const auto output = static_cast<std::int64_t>(place / above) % axis.out;
        const auto kernel = static_cast<std::size_t>(axis.kernel);
        for (std::size_t before = made; before-- > 0;)
            for (std::size_t tap = kernel; tap-- > 0;) {
                const std::int64_t index =
                    tapOf(axis, isTransposed, output, static_cast<std::int64_t>(tap));
                const std::int64_t outer = offsets[before];
                offsets[before * kernel + tap] =
                    outer < 0 || index < 0 ? -1 : outer * axis.in + index;
            }
        made *= kernel;
    }
}

std::uint64_t LayerPlan::outputBase(std::uint64_t place) const
{
    return isConvolution ? place : place / rows * outputMatrix + place % rows * outputRow;
}

PlannedLayer planLayer(const LayerShapes& shapes, const OpGeometry& geometry)
{
    try {
        return {.plan = planned(shapes, geometry), .whyNot = {}};
    } catch (const Error& error) {
        return {.plan = {}, .whyNot = error.what()};
    }
}

std::string geometryText(const LayerShapes& shapes, const OpGeometry& geometry)
{
    if (shapes.op == "MatMul")
        return {};
    if (shapes.op == "Gemm")
        return "transB " + std::to_string(geometry.transB.value_or(0)) +
               (geometry.alpha.value_or(1.0) == 1.0 ? ""
                                                    : ", alpha " + numberText(*geometry.alpha));
    const std::size_t spatial = shapes.input.size() < 2 ? 0 : shapes.input.size() - 2;
    const auto orAll = [](const std::vector<std::int64_t>& given, std::size_t count,
                          std::int64_t fallback) {
        return given.empty() ? std::vector<std::int64_t>(count, fallback) : given;
    };
    std::string text = "strides" + listText(orAll(geometry.strides, spatial, 1));
    if (geometry.autoPad.empty() || geometry.autoPad == "NOTSET")
        text += ", pads" + listText(orAll(geometry.pads, 2 * spatial, 0));
    else
        text += ", auto_pad " + geometry.autoPad;
    text += ", dilations" + listText(orAll(geometry.dilations, spatial, 1));
    if (!geometry.outputPadding.empty())
        text += ", output_padding" + listText(geometry.outputPadding);
    if (!geometry.outputShape.empty())
        text += ", output_shape" + listText(geometry.outputShape);
    return text + ", group " + std::to_string(geometry.group.value_or(1));
}

}  // namespace calibscope::layers
