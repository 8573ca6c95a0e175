// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// Which plane of a tensor is shown, and which of its values is chosen.
struct SliceAxes
{
    std::optional<std::uint64_t> row = {};  ///< none: the tensor has one axis
    std::uint64_t column = 0;
    std::vector<std::uint64_t> at = {};  ///< index per axis: of the chosen value

    [[nodiscard]] bool isShown(std::uint64_t axis) const { return axis == column || row == axis; }
    [[nodiscard]] std::uint64_t chosenRow() const { return row ? at[*row] : 0; }
    [[nodiscard]] std::uint64_t chosenColumn() const { return at[column]; }
    bool operator==(const SliceAxes&) const = default;
};

/// Part of a tensor shown at first: its last two axes that are longer than 1; where these are
/// short, as of a weight's kernel, the two longest. Requires at least one axis.
[[nodiscard]] SliceAxes usualAxes(const std::vector<std::uint64_t>& shape);

/// "axis 1 (C)", of a layout that is known.
[[nodiscard]] QString axisName(const TensorInfo& tensor, std::uint64_t axis);
/// "[3, 0, 17]".
[[nodiscard]] QString indexLabel(const std::vector<std::uint64_t>& index);
/// Index per axis of the value at a flat index below the shape's count.
[[nodiscard]] std::vector<std::uint64_t> indexOf(const std::vector<std::uint64_t>& shape,
                                                 std::uint64_t flat);

}  // namespace calibscope
