// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/table.h"
#include "core/tensor/tensor_info.h"

#include <vector>

namespace calibscope {

/// The table of what a dump holds, one row per tensor.
[[nodiscard]] const std::vector<Column>& tensorColumns();
[[nodiscard]] std::vector<Cell> tensorRow(const TensorInfo& tensor);
/// Of what the model was fed: the role is "feed".
[[nodiscard]] std::vector<Cell> feedRow(const TensorInfo& feed);

}  // namespace calibscope
