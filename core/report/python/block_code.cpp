// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/python/block_code.h"

#include "core/base/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace calibscope::python {

namespace {

/// As the batches have it: with the batch axis in front.
TensorInfo inBatches(const TensorInfo& tensor)
{
    TensorInfo visited = tensor;
    if (tensor.batchAxis) {
        std::rotate(visited.shape.begin(), visited.shape.begin() + *tensor.batchAxis,
                    visited.shape.begin() + *tensor.batchAxis + 1);
        visited.batchAxis = 0;
        visited.channelAxis = channelAxisOfBatches(tensor);
    }
    return visited;
}

std::string shapeText(const std::vector<std::uint64_t>& shape)
{
    return "(" +
           joinedText(shape, ", ", [](std::uint64_t length) { return std::to_string(length); }) +
           (shape.size() == 1 ? ",)" : ")");
}

/// A function `part` that takes the block's values from an array of the tensor.
std::string partText(const BlockFormat& format, const TensorInfo& visited,
                     const MatrixShape& matrix, std::uint64_t block)
{
    const Granularity& granularity = format.granularity;
    if (granularity.kind == Granularity::Kind::Tensor)
        return "whole.ravel()";
    if (granularity.kind == Granularity::Kind::Channel)
        return visited.channelAxis
                   ? fmt::format("np.take(whole, {}, axis={}).ravel()", block, *visited.channelAxis)
                   : "whole.ravel()";
    const BlockGrid grid = granularity.grid(matrix, 0);
    const std::uint64_t columns =
        granularity.kind == Granularity::Kind::Row ? matrix.length : granularity.columns;
    const std::uint64_t row = block / grid.columns * granularity.rows;
    const std::uint64_t column = block % grid.columns * columns;
    return fmt::format(
        "whole.reshape({}, {}, {}).swapaxes(1, 2).reshape(-1, {})[{}:{}, {}:{}].ravel()",
        matrix.outer, matrix.length, matrix.inner, matrix.length, row, row + granularity.rows,
        column, std::min(column + columns, matrix.length));
}

/// An expression of the quotients q; empty: there is none.
std::string elementText(const BlockFormat& format)
{
    const ElementFormat& element = *format.element;
    const NumberFormat& numbers = element.numbers();
    const int bits = element.bits();
    if (format.rule == ScaleRule::Affine)
        return fmt::format("integer_code(np.rint(q) + zero_point, {}, {}, {})", numbers.low(),
                           numbers.high(), bits);
    if (numbers.isInteger())
        return fmt::format("integer_code(q, {}, {}, {})", numbers.low(), numbers.high(), bits);
    if (element.id() == "mxint8")
        return "integer_code(q, -127, 127, 8, step=1 / 64)";
    if (element.mantissaBits() > 0) {
        // Of the least number above 0: 2^(1 - bias - mantissa bits).
        const auto least = static_cast<double>(element.decode(1));
        return fmt::format(
            "float_code(q, small_float({}, {}, {}, {}), {}, {})", bits - 1 - element.mantissaBits(),
            element.mantissaBits(), 1 - element.mantissaBits() - std::ilogb(least),
            literal(numbers.largest()), bits,
            element.decode(1U << static_cast<unsigned>(bits - 1)) == 0.0F ? "True" : "False");
    }
    std::vector<double> table;
    for (std::size_t index = 0; index < numbers.count(); ++index) {
        table.push_back(numbers.number(index));
        if (element.encode(static_cast<float>(table.back())) != index)
            return {};
    }
    return fmt::format("table_code(q, np.array([{}]))",
                       joinedText(table, ", ", [](double number) { return literal(number); }));
}

/// Lines that make `scale`; empty: there are none.
std::string scaleText(const BlockFormat& format)
{
    const double largest = format.element->largest();
    switch (format.rule) {
    case ScaleRule::Threshold:
        return fmt::format("scale = largest / np.float32({}) if largest else 1.0\n",
                           literal(format.divisor));
    case ScaleRule::Affine:
        return fmt::format(
            "low, high = min(x.min(initial=0), np.float32(0)), max(x.max(initial=0), "
            "np.float32(0))\n"
            "scale = (high - low) / np.float32({0}) if high > low else np.float32(1)\n"
            "zero_point = np.clip(np.rint(-low / scale), 0, {0})\n"
            "print(\"zero_point\", int(zero_point))\n",
            literal(largest));
    case ScaleRule::Floor:
    case ScaleRule::Rceil:
    case ScaleRule::Even:
    case ScaleRule::Ceil:
        return fmt::format("scale = 2.0 ** power_of_two(largest, {}, \"{}\", {})\n",
                           literal(largest), scaleRuleText(format.rule),
                           format.element->mantissaBits());
    case ScaleRule::TwoLevel: {
        std::string tensor = "tensor_scale = np.float32(1)\n";
        if (format.hasTensorScale && format.tensorMaximum)
            tensor = fmt::format("tensor_scale = np.float32({}) / np.float32(2688)\n",
                                 literal(*format.tensorMaximum));
        else if (format.hasTensorScale)
            tensor = "maximum = np.abs(values[np.isfinite(values)]).max(initial=0)\n"
                     "tensor_scale = maximum / np.float32(2688) if maximum else np.float32(1)\n";
        return tensor +
               fmt::format(
                   "print(\"tensor_scale\", float(tensor_scale))\n"
                   "wanted = largest / (np.float32({}) * tensor_scale)\n"
                   "stored = small_float(4, 3, 7, 448.0)\n"
                   "scale = np.float32(stored[nearest(np.clip(wanted, {}, 448.0), stored)]) "
                   "* tensor_scale\n",
                   literal(largest), literal(format.leastScale));
    }
    case ScaleRule::Signed:
    case ScaleRule::BothEnds:
    case ScaleRule::Minimum: break;
    }
    return {};
}

}  // namespace

Code blockCode(const TensorInfo& tensor, const BlockFormat& format, std::uint64_t block)
{
    const TensorInfo visited = inBatches(tensor);
    const MatrixShape matrix = matrixShape(visited);
    if (block >= format.granularity.blocks(matrix, visited.channelCount()))
        return {.text = {}, .problem = "there is no such block under " + format.id};
    const bool hasFloatScale = format.scales == nullptr || format.scales->bits() == 8;
    const bool isDefault = format.search.kind == ScaleSearch::Kind::None && hasFloatScale &&
                           format.ties == Ties::ToEven && format.quotient == Quotient::Divided &&
                           !format.elementsByUnrounded && !format.headroom && format.zeroInRange &&
                           !format.zeroIsFloat &&
                           (format.rule != ScaleRule::TwoLevel || format.leastScale > 0.0);
    const std::string scale = isDefault ? scaleText(format) : std::string();
    const std::string code = elementText(format);
    if (scale.empty() || code.empty())
        return {.text = {},
                .problem = "no Python for " + format.id +
                           ", whose scales are searched or rounded "
                           "as a tool has them"};
    std::string index = "np.arange(values.size).reshape(" + shapeText(tensor.shape) + ")";
    if (tensor.batchAxis)
        index = fmt::format("np.moveaxis({}, {}, 0)", index, *tensor.batchAxis);
    const std::string zero = format.rule == ScaleRule::Affine ? ", zero_point" : "";
    return {.text = "values = np.concatenate(batches)\n"
                    "part = lambda whole: " +
                    partText(format, visited, matrix, block) +
                    "\nblock = part(values)\n"
                    "x = block[np.isfinite(block)]\n"
                    "largest = np.abs(x).max(initial=0)\n" +
                    scale + "show_block(part(" + index + "), block, lambda q: " + code + ", scale" +
                    zero + ")\n",
            .needs = {"number_format"}};
}

}  // namespace calibscope::python
