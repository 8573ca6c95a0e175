// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace calibscope::test {

struct SmallTensor
{
    std::vector<std::size_t> shape;
    std::vector<double> values;
};

/// Runs small graphs by ONNX's definitions, in double, to see that a change of one computes the
/// same: elementwise operators, convolutions of one place, products of matrices, normalizations,
/// joins along the second axis.
class SmallRun
{
public:
    SmallRun(const ::onnx::ModelProto& model, std::map<std::string, SmallTensor> feeds)
        : m_tensors(std::move(feeds))
    {
        for (const ::onnx::TensorProto& constant : model.graph().initializer())
            m_tensors[constant.name()] = tensorOf(constant);
        for (const ::onnx::NodeProto& node : model.graph().node())
            m_tensors[node.output(0)] = made(node);
    }

    [[nodiscard]] const SmallTensor& operator[](const std::string& name) const
    {
        return m_tensors.at(name);
    }

private:
    static SmallTensor tensorOf(const ::onnx::TensorProto& proto)
    {
        SmallTensor tensor{.shape = {proto.dims().begin(), proto.dims().end()}, .values = {}};
        if (proto.raw_data().empty()) {
            tensor.values.assign(proto.float_data().begin(), proto.float_data().end());
            return tensor;
        }
        std::vector<float> floats(proto.raw_data().size() / sizeof(float));
        std::memcpy(floats.data(), proto.raw_data().data(), proto.raw_data().size());
        tensor.values.assign(floats.begin(), floats.end());
        return tensor;
    }

    [[nodiscard]] const SmallTensor& in(const ::onnx::NodeProto& node, int input) const
    {
        return m_tensors.at(node.input(input));
    }
    [[nodiscard]] static bool has(const ::onnx::NodeProto& node, int input)
    {
        return input < node.input_size() && !node.input(input).empty();
    }
    [[nodiscard]] static double number(const ::onnx::NodeProto& node, const std::string& name,
                                       double absent)
    {
        for (const ::onnx::AttributeProto& attribute : node.attribute())
            if (attribute.name() == name)
                return attribute.type() == ::onnx::AttributeProto::INT
                           ? static_cast<double>(attribute.i())
                           : static_cast<double>(attribute.f());
        return absent;
    }

    /// Of two tensors, the shorter shape filled from the front, lengths of 1 repeated.
    template <class Operation>
    static SmallTensor joined(SmallTensor a, SmallTensor b, const Operation& operation)
    {
        const std::size_t rank = std::max(a.shape.size(), b.shape.size());
        for (SmallTensor* each : {&a, &b})
            each->shape.insert(each->shape.begin(), rank - each->shape.size(), 1);
        SmallTensor result{.shape = std::vector<std::size_t>(rank), .values = {}};
        std::size_t count = 1;
        for (std::size_t axis = 0; axis < rank; ++axis)
            count *= result.shape[axis] = std::max(a.shape[axis], b.shape[axis]);
        const auto at = [&](const SmallTensor& tensor, std::size_t index) {
            std::size_t place = 0;
            std::size_t stride = 1;
            for (std::size_t axis = rank; axis-- > 0; index /= result.shape[axis]) {
                place += tensor.shape[axis] == 1 ? 0 : index % result.shape[axis] * stride;
                stride *= tensor.shape[axis];
            }
            return tensor.values[place];
        };
        for (std::size_t i = 0; i < count; ++i)
            result.values.push_back(operation(at(a, i), at(b, i)));
        return result;
    }

    template <class Operation>
    static SmallTensor each(SmallTensor tensor, const Operation& operation)
    {
        std::ranges::transform(tensor.values, tensor.values.begin(), operation);
        return tensor;
    }

    /// A constant along the second axis of a rank of 4.
    static SmallTensor alongChannels(SmallTensor vector)
    {
        vector.shape.insert(vector.shape.end(), {1, 1});
        return vector;
    }

    [[nodiscard]] SmallTensor convolved(const ::onnx::NodeProto& node) const
    {
        const SmallTensor& x = in(node, 0);
        const SmallTensor& w = in(node, 1);
        const bool isTransposed = node.op_type() == "ConvTranspose";
        const auto groups = static_cast<std::size_t>(number(node, "group", 1));
        const std::size_t from = x.shape[1];
        const std::size_t to = isTransposed ? w.shape[1] * groups : w.shape[0];
        const std::size_t places = x.shape[2] * x.shape[3];
        SmallTensor y{.shape = {x.shape[0], to, x.shape[2], x.shape[3]}, .values = {}};
        for (std::size_t sample = 0; sample < x.shape[0]; ++sample)
            for (std::size_t row = 0; row < to; ++row)
                for (std::size_t place = 0; place < places; ++place) {
                    double sum = has(node, 2) ? in(node, 2).values[row] : 0.0;
                    const std::size_t group = row / (to / groups);
                    for (std::size_t k = 0; k < from / groups; ++k) {
                        const std::size_t column = group * (from / groups) + k;
                        const double weight = isTransposed
                                                  ? w.values[column * w.shape[1] + row % w.shape[1]]
                                                  : w.values[row * w.shape[1] + k];
                        sum += weight * x.values[(sample * from + column) * places + place];
                    }
                    y.values.push_back(sum);
                }
        return y;
    }

    [[nodiscard]] SmallTensor multiplied(const ::onnx::NodeProto& node) const
    {
        const SmallTensor& x = in(node, 0);
        const SmallTensor& w = in(node, 1);
        const bool isTransposed = number(node, "transB", 0) != 0;
        const std::size_t depth = x.shape.back();
        const std::size_t to = w.shape[isTransposed ? 0 : 1];
        SmallTensor y{.shape = x.shape, .values = {}};
        y.shape.back() = to;
        for (std::size_t row = 0; row < x.values.size() / depth; ++row)
            for (std::size_t column = 0; column < to; ++column) {
                double sum = 0.0;
                for (std::size_t k = 0; k < depth; ++k)
                    sum += x.values[row * depth + k] *
                           w.values[isTransposed ? column * depth + k : k * to + column];
                y.values.push_back(sum);
            }
        if (!has(node, 2))
            return y;
        const double beta = number(node, "beta", 1.0);
        return joined(y, in(node, 2), [&](double a, double b) { return a + beta * b; });
    }

    [[nodiscard]] SmallTensor normalized(const ::onnx::NodeProto& node) const
    {
        SmallTensor x = in(node, 0);
        if (node.op_type() == "BatchNormalization") {
            const auto times = [](double a, double b) { return a * b; };
            const auto plus = [](double a, double b) { return a + b; };
            const auto deviation = each(in(node, 4), [](double v) { return std::sqrt(v + 1e-5); });
            x = joined(x, alongChannels(in(node, 3)), [](double a, double b) { return a - b; });
            x = joined(x, alongChannels(deviation), [](double a, double b) { return a / b; });
            return joined(joined(x, alongChannels(in(node, 1)), times), alongChannels(in(node, 2)),
                          plus);
        }
        const std::size_t width = x.shape.back();
        for (std::size_t row = 0; row < x.values.size(); row += width) {
            double mean = 0.0;
            double squares = 0.0;
            for (std::size_t i = row; i < row + width; ++i)
                mean += x.values[i] / static_cast<double>(width);
            for (std::size_t i = row; i < row + width; ++i)
                squares += (x.values[i] - mean) * (x.values[i] - mean);
            const double deviation = std::sqrt(squares / static_cast<double>(width) + 1e-5);
            for (std::size_t i = row; i < row + width; ++i)
                x.values[i] = (x.values[i] - mean) / deviation * in(node, 1).values[i - row] +
                              in(node, 2).values[i - row];
        }
        return x;
    }

    [[nodiscard]] SmallTensor concatenated(const ::onnx::NodeProto& node) const
    {
        SmallTensor result{.shape = in(node, 0).shape, .values = {}};
        result.shape[1] = 0;
        for (int input = 0; input < node.input_size(); ++input)
            result.shape[1] += in(node, input).shape[1];
        for (std::size_t sample = 0; sample < result.shape[0]; ++sample)
            for (int input = 0; input < node.input_size(); ++input) {
                const SmallTensor& part = in(node, input);
                const auto count = static_cast<std::ptrdiff_t>(part.values.size() / part.shape[0]);
                const auto begin =
                    part.values.begin() + static_cast<std::ptrdiff_t>(sample) * count;
                result.values.insert(result.values.end(), begin, begin + count);
            }
        return result;
    }

    [[nodiscard]] SmallTensor made(const ::onnx::NodeProto& node) const
    {
        const std::string& op = node.op_type();
        if (op == "Mul")
            return joined(in(node, 0), in(node, 1), [](double a, double b) { return a * b; });
        if (op == "Div")
            return joined(in(node, 0), in(node, 1), [](double a, double b) { return a / b; });
        if (op == "Add")
            return joined(in(node, 0), in(node, 1), [](double a, double b) { return a + b; });
        if (op == "Sub")
            return joined(in(node, 0), in(node, 1), [](double a, double b) { return a - b; });
        if (op == "Max" || (op == "Clip" && has(node, 1) && !has(node, 2)))
            return joined(in(node, 0), in(node, 1),
                          [](double a, double b) { return std::max(a, b); });
        if (op == "Min")
            return joined(in(node, 0), in(node, 1),
                          [](double a, double b) { return std::min(a, b); });
        if (op == "Clip") {
            const double low = has(node, 1) ? in(node, 1).values[0] : -1e30;
            const double high = has(node, 2) ? in(node, 2).values[0] : 1e30;
            return each(in(node, 0), [&](double v) { return std::clamp(v, low, high); });
        }
        if (op == "Relu" || op == "LeakyRelu") {
            const double slope = op == "Relu" ? 0.0 : number(node, "alpha", 0.01);
            return each(in(node, 0), [&](double v) { return v < 0.0 ? slope * v : v; });
        }
        if (op == "Sigmoid")
            return each(in(node, 0), [](double v) { return 1.0 / (1.0 + std::exp(-v)); });
        if (op == "Conv" || op == "ConvTranspose")
            return convolved(node);
        if (op == "MatMul" || op == "Gemm")
            return multiplied(node);
        if (op == "BatchNormalization" || op == "LayerNormalization")
            return normalized(node);
        if (op == "Concat")
            return concatenated(node);
        throw std::runtime_error("SmallRun does not know " + op);
    }

    std::map<std::string, SmallTensor> m_tensors;
};

}  // namespace calibscope::test
