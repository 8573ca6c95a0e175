// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/table.h"
#include "core/stats/profile.h"

#include <string>
#include <vector>

namespace calibscope {

/// Which percentiles the table of statistics holds.
struct StatsPercentiles
{
    Domain domain = Domain::Magnitude;
    std::vector<double> alphas = {50.0, 99.0, 99.9, 99.99, 99.999};  ///< 0 to 100
};

/// The table of statistics: counts, flat indices of the first NaN and infinity, what reading as
/// float32 has lost (overflowed values are among the infinities, underflowed ones among the zeros),
/// extents, moments, and exact percentiles: of |x| as p99_9, of x as signed_p99_9. `withChannels`:
/// a column that tells the channel, "*" for the whole tensor. `withMasks`: the last column is the
/// share (0 to 1) of a tensor's values that its mask counts.
[[nodiscard]] std::vector<Column>
statsColumns(bool withChannels, const StatsPercentiles& percentiles = {}, bool withMasks = false);

/// The order statistics that the row's percentiles need, for so many finite values.
[[nodiscard]] std::vector<OrderRequest> statsOrders(std::uint64_t finiteCount,
                                                    const StatsPercentiles& percentiles = {});

/// Row of a profile that holds statsOrders() of the same percentiles. What needs a finite value is
/// absent where there is none; so is the kurtosis of a constant.
[[nodiscard]] std::vector<Cell> statsRow(const TensorInfo& tensor, const TensorProfile& profile,
                                         const StatsPercentiles& percentiles = {});
/// The same with a channel column.
[[nodiscard]] std::vector<Cell> statsRow(const TensorInfo& tensor, const TensorProfile& profile,
                                         const std::string& channel,
                                         const StatsPercentiles& percentiles = {});
/// What the row of a table with masks ends in.
[[nodiscard]] Cell countedShareCell(const TensorInfo& tensor);

}  // namespace calibscope
