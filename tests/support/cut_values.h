// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace calibscope::test {

/// The values with an index from `first` to before `end` along one axis, as a tensor of their own.
template <typename Value, typename Length>
std::vector<Value> cutAlong(const std::vector<Value>& values, const std::vector<Length>& shape,
                            std::size_t axis, std::size_t first, std::size_t end)
{
    std::size_t stride = 1;
    for (std::size_t behind = axis + 1; behind < shape.size(); ++behind)
        stride *= shape[behind];
    std::vector<Value> cut;
    for (std::size_t place = 0; place < values.size(); ++place) {
        const std::size_t index = place / stride % shape[axis];
        if (index >= first && index < end)
            cut.push_back(values[place]);
    }
    return cut;
}

}  // namespace calibscope::test
