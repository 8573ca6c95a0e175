// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace calibscope::test {

/// Networks of linear layers worked by hand, in double: matrices of rows of two.
using Matrix = std::vector<double>;

inline Matrix product(const Matrix& rows, const Matrix& weight)
{
    Matrix result;
    for (std::size_t row = 0; row < rows.size(); row += 2)
        for (std::size_t column = 0; column < 2; ++column)
            result.push_back(rows[row] * weight[column] + rows[row + 1] * weight[2 + column]);
    return result;
}

/// Values in int8 and back, under the scale of the largest magnitude that was recorded; of weights
/// for each column. In double: no value of these tests lies so close to a half that float32 rounds it
/// otherwise.
inline Matrix rounded(const Matrix& values, const Matrix& recorded, bool isByColumn)
{
    Matrix result = values;
    for (std::size_t column = 0; column < 2; ++column) {
        double most = 0.0;
        for (std::size_t index = 0; index < recorded.size(); ++index)
            if (!isByColumn || index % 2 == column)
                most = std::max(most, std::abs(recorded[index]));
        const double scale = most / 127.0;
        for (std::size_t index = column; index < values.size(); index += 2)
            result[index] =
                std::clamp(std::nearbyint(values[index] / scale), -128.0, 127.0) * scale;
    }
    return result;
}

inline std::vector<float> floatsOf(const Matrix& values)
{
    return {values.begin(), values.end()};
}

}  // namespace calibscope::test
