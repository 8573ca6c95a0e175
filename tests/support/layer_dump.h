// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/h5_file.h"
#include "tests/support/linear_output.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::test {

/// A dump of four products of matrices one after the other, the second with a ReLU behind it; the
/// input of the first one is not in it. What is between them has tails of different length.
inline void writeLayers(H5File& file)
{
    constexpr std::size_t samples = 32;
    constexpr std::size_t width = 12;
    using Matrix = std::vector<float>;
    const auto wave = [](double place, double tail) {
        const double unit = std::sin(place) + 0.3 * std::sin(1.7 * place + 0.4);
        return static_cast<float>(unit + tail * std::pow(unit, 5.0));
    };
    const auto record = [&](const std::string& path, const Shape& shape, const Matrix& values,
                            const std::string& op, const std::vector<std::string>& inputs) {
        file.write(path, shape, values);
        file.attribute(path, "op_type", op);
        if (!inputs.empty())
            file.attribute(path, "inputs", inputs);
    };
    Matrix x(samples * width);
    for (std::size_t place = 0; place < x.size(); ++place)
        x[place] = wave(0.37 * static_cast<double>(place), 0.4);
    record("activations/y0", {samples, width}, x, "Gemm", {"gone", "w0"});
    std::string input = "y0";
    for (const std::string layer : {"1", "2", "3"}) {
        Matrix w(width * width);
        for (std::size_t place = 0; place < w.size(); ++place)
            w[place] =
                0.3F * wave(static_cast<double>(place) * (0.5 + 0.1 * std::stod(layer)), 0.0);
        Matrix y = linearOutput(x, w, width, 0.05);
        record("weights/w" + layer, {width, width}, w, "Gemm", {});
        record("activations/y" + layer, {samples, width}, y, "Gemm", {input, "w" + layer});
        file.attribute("activations/y" + layer, "transB", std::int64_t{1});
        input = "y" + layer;
        x = std::move(y);
        if (layer == "2") {
            for (float& value : x)
                value = value > 0.0F ? value : 0.0F;
            record("activations/r2", {samples, width}, x, "Relu", {input});
            input = "r2";
        }
    }
}

}  // namespace calibscope::test
