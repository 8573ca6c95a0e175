// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/arrays.h"
#include "core/stats/extents.h"

#include <vector>

namespace calibscope::spread {

/// Extents of many batches as they are kept: a column for each member. Ends are values of float32
/// and take four bytes, counts as few as they need, and a count that is the same in all batches is
/// written once: 16 to 20 bytes a batch, of 112. Nothing is lost, since averages over batches and
/// how histograms grow need each of them.
[[nodiscard]] protocol::Json writeBatches(const std::vector<Extents>& batches);
[[nodiscard]] std::vector<Extents> readBatches(const protocol::Json& json,
                                               const protocol::Where& where);

}  // namespace calibscope::spread
