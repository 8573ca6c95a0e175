#pragma once

#include "core/report/table.h"
#include "core/stats/profile.h"

#include <string>
#include <vector>

namespace calibscope {

/// The table of statistics: counts, extents, moments, and exact percentiles of |x|. `withChannels`:
/// a column that tells the channel, "*" for the whole tensor.
[[nodiscard]] std::vector<Column> statsColumns(bool withChannels);

/// The order statistics that the row's percentiles need, for so many finite values.
[[nodiscard]] std::vector<OrderRequest> statsOrders(std::uint64_t finiteCount);

/// Row of a profile that holds statsOrders(). What needs a finite value is absent where there is
/// none; so is the kurtosis of a constant.
[[nodiscard]] std::vector<Cell> statsRow(const TensorInfo& tensor, const TensorProfile& profile);
/// The same with a channel column.
[[nodiscard]] std::vector<Cell> statsRow(const TensorInfo& tensor, const TensorProfile& profile,
                                         const std::string& channel);

}  // namespace calibscope
