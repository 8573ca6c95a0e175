// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/h5_file.h"
#include "tests/support/linear_output.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace calibscope::test {

/// y = x w^T, a Gemm of 512 samples; the first channel of x is 60 times as loud as the others, and
/// its weights as quiet.
struct LoudChannel
{
    static constexpr std::size_t samples = 512;
    static constexpr std::size_t width = 8;
    std::vector<float> x = std::vector<float>(samples * width);
    std::vector<float> w = std::vector<float>(width * width);

    LoudChannel()
    {
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = static_cast<float>(std::sin(1.31 * static_cast<double>(i) *
                                               (1.0 + 0.001 * static_cast<double>(i % 7))) *
                                      (i % width == 0 ? 60.0 : 1.0));
        for (std::size_t i = 0; i < w.size(); ++i)
            w[i] = static_cast<float>(std::cos(0.7 * static_cast<double>(i)) *
                                      (i % width == 0 ? 1.0 / 60.0 : 1.0));
    }

    void write(H5File& file) const
    {
        file.write("activations/x", {samples, width}, x);
        file.write("weights/w", {width, width}, w);
        file.attribute("weights/w", "op_type", std::string("Gemm"));
        file.attribute("weights/w", "channel_axis", std::int64_t{0});
        file.write("activations/y", {samples, width}, linearOutput(x, w, width));
        file.attribute("activations/y", "op_type", std::string("Gemm"));
        file.attribute("activations/y", "inputs", std::vector<std::string>{"x", "w"});
        file.attribute("activations/y", "transB", std::int64_t{1});
    }
};

}  // namespace calibscope::test
