// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_model.h"

#include <QString>

#include <optional>
#include <vector>

namespace calibscope {

/// What heads a column of the tensor list, or what is told of it there.
[[nodiscard]] QString tensorColumnHead(TensorModel::Column column, bool isToolTip);

/// "+4.8"; a dash: nothing gains enough; empty: not known.
[[nodiscard]] QString gainLabel(const std::optional<double>& db);

/// What columns are sorted by. The graver a row's flags, the less: they stand in the order of their
/// weight.
[[nodiscard]] double flagsKey(const QString& letters);
/// The less, the more there is: clipping goes before rounding, and both before all others.
[[nodiscard]] double diagnosisKey(const std::vector<TensorFinding>& findings);

}  // namespace calibscope
