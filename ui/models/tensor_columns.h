// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_model.h"

#include <QString>

#include <optional>

namespace calibscope {

/// The columns of the tensor list, each row a tensor of that model, which must outlive it.
[[nodiscard]] TableDescriptor<int> tensorTable(const TensorModel& model);

/// An SQNR as the list shows it: "28.9"; empty: not known.
[[nodiscard]] QString listedDb(const std::optional<double>& db);

}  // namespace calibscope
