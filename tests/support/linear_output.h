// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace calibscope::test {

/// x W^T + bias, rows of x and of W with that many columns; sums in double, from the bias on.
inline std::vector<float> linearOutput(const std::vector<float>& x, const std::vector<float>& w,
                                       std::size_t columns, double bias = 0.0)
{
    std::vector<float> y;
    for (std::size_t row = 0; row < x.size(); row += columns)
        for (std::size_t output = 0; output < w.size(); output += columns) {
            double sum = bias;
            for (std::size_t k = 0; k < columns; ++k)
                sum += static_cast<double>(x[row + k]) * static_cast<double>(w[output + k]);
            y.push_back(static_cast<float>(sum));
        }
    return y;
}

}  // namespace calibscope::test
