// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/value_boxes.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace calibscope {

namespace {

/// Appends a box's values, one run along the last axis after the other.
void appendBox(std::span<const float> values, const std::vector<std::uint64_t>& shape,
               const ValueBox& box, std::vector<float>& gathered)
{
    std::vector<std::uint64_t> index = box.start;
    const std::size_t last = shape.size() - 1;
    while (true) {
        std::uint64_t flat = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            flat = flat * shape[axis] + index[axis];
        const auto run = values.subspan(flat, box.count[last]);
        gathered.insert(gathered.end(), run.begin(), run.end());
        std::size_t axis = last;
        while (axis-- > 0) {
            if (++index[axis] < box.start[axis] + box.count[axis])
                break;
            index[axis] = box.start[axis];
        }
        if (axis == static_cast<std::size_t>(-1))
            return;
    }
}

}  // namespace

std::uint64_t ValueBox::values() const
{
    return std::accumulate(count.begin(), count.end(), std::uint64_t{1}, std::multiplies{});
}

ValueBoxes boxesOf(TensorInfo info, std::span<const float> values)
{
    if (values.size() != info.valueCount())
        throw std::invalid_argument("boxes in memory need as many values as the shape tells");
    const auto gathered = std::make_shared<std::vector<float>>();
    auto read = [values, gathered, shape = info.shape](std::span<const ValueBox> boxes,
                                                       const Progress& progress) {
        progress.step(0, boxes.size(), "values");
        gathered->clear();
        for (const ValueBox& box : boxes)
            if (shape.empty())
                gathered->push_back(values.front());
            else
                appendBox(values, shape, box, *gathered);
        return std::span<const float>(*gathered);
    };
    const std::size_t axes = info.shape.size();
    return {.info = std::move(info),
            .chunk = std::vector<std::uint64_t>(axes, 1),
            .read = std::move(read)};
}

}  // namespace calibscope
