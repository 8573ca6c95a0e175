// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/h5_file.h"
#include "tests/support/linear_output.h"
#include "tests/support/onnx_graph.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace calibscope::test {

/// y = x w^T, a Gemm of 256 samples without bias. Most of x is at two values between levels of its
/// scale, so that rounding moves every mean of y; few layers' operands are so unlucky.
struct UnluckyLayer
{
    static constexpr std::size_t samples = 256;
    static constexpr std::size_t width = 8;
    std::vector<float> x = std::vector<float>(samples * width);
    std::vector<float> w = std::vector<float>(width * width);
    std::vector<float> y;

    UnluckyLayer()
    {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double wave = std::sin(1.37 * static_cast<double>(i));
            x[i] =
                i == 3 ? 127.0F : static_cast<float>((i * 7 % 3 == 0 ? 20.4 : 5.3) + 0.05 * wave);
        }
        for (std::size_t i = 0; i < w.size(); ++i)
            w[i] = static_cast<float>(std::cos(0.9 * static_cast<double>(i) + 0.3));
        y = linearOutput(x, w, width);
    }

    void write(H5File& file) const
    {
        file.write("activations/x", {samples, width}, x);
        file.attribute("activations/x", "op_type", std::string("Input"));
        file.write("weights/w", {width, width}, w);
        file.attribute("weights/w", "op_type", std::string("Gemm"));
        file.attribute("weights/w", "channel_axis", std::int64_t{0});
        file.write("activations/y", {samples, width}, y);
        file.attribute("activations/y", "op_type", std::string("Gemm"));
        file.attribute("activations/y", "inputs", std::vector<std::string>{"x", "w"});
        file.attribute("activations/y", "transB", std::int64_t{1});
    }

    [[nodiscard]] ::onnx::ModelProto model() const
    {
        return OnnxGraph()
            .input("x", {1, 8})
            .floats("w", {8, 8}, w)
            .node("Gemm", {"x", "w"}, {"y"})
            .with("transB", std::int64_t{1})
            .node("Relu", {"y"}, {"z"})
            .output("z", {1, 8})
            .model();
    }
};

/// Min-max, symmetric; of weights for each channel.
constexpr auto unluckyRecipe = R"({"id": "own", "title": "Own", "rules": [
    {"role": "activation", "calibrator": "min-max", "scheme": "symmetric-full", "granularity": "tensor"},
    {"role": "weight", "calibrator": "min-max", "scheme": "symmetric-restricted", "granularity": "channel"}]})";

}  // namespace calibscope::test
