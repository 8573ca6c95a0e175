// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/stats_table.h"

#include "core/base/number_text.h"
#include "core/stats/percentile.h"

#include <algorithm>
#include <optional>

namespace calibscope {

namespace {

template <typename Number>
Cell cellOf(const std::optional<Number>& number)
{
    if (number)
        return *number;
    return {};
}

/// 99.9 of |x|: p99_9, "p99.9 of |x|"; of x: signed_p99_9, "p99.9 of x".
Column percentileColumn(Domain domain, double alpha)
{
    const std::string number = numberText(alpha);
    std::string id = (domain == Domain::Signed ? "signed_p" : "p") + number;
    std::ranges::replace(id, '.', '_');
    return {.id = id,
            .title = "p" + number + (domain == Domain::Signed ? " of x" : " of |x|"),
            .isNumeric = true};
}

}  // namespace

std::vector<Column> statsColumns(bool withChannels, const StatsPercentiles& percentiles,
                                 bool withMasks)
{
    std::vector<Column> columns{{.id = "tensor", .title = "Tensor"},
                                {.id = "role", .title = "Role"}};
    if (withChannels)
        columns.push_back({.id = "channel", .title = "Channel"});
    for (const auto& [id, title] : std::initializer_list<std::pair<const char*, const char*>>{
             {"values", "Values"},
             {"nan", "NaN"},
             {"inf", "Inf"},
             {"first_nan", "First NaN"},
             {"first_inf", "First inf"},
             {"zeros", "Zeros"},
             {"overflowed", "Overflowed"},
             {"underflowed", "Underflowed"},
             {"rounded_integers", "Rounded integers"},
             {"min", "Min"},
             {"max", "Max"},
             {"absmax", "Max |x|"},
             {"mean", "Mean"},
             {"std", "Std"},
             {"kurtosis", "Kurtosis"}})
        columns.push_back({.id = id, .title = title, .isNumeric = true});
    for (const double alpha : percentiles.alphas)
        columns.push_back(percentileColumn(percentiles.domain, alpha));
    if (withMasks)
        columns.push_back({.id = "counted_share", .title = "Counted share", .isNumeric = true});
    return columns;
}

std::vector<OrderRequest> statsOrders(std::uint64_t finiteCount,
                                      const StatsPercentiles& percentiles)
{
    std::vector<OrderRequest> orders;
    for (const double alpha : percentiles.alphas)
        for (const OrderRequest& order : percentileOrders(percentiles.domain, finiteCount, alpha))
            orders.push_back(order);
    return orders;
}

std::vector<Cell> statsRow(const TensorInfo& tensor, const TensorProfile& profile,
                           const StatsPercentiles& percentiles)
{
    const Extents& extents = profile.extents();
    const Moments& moments = profile.moments;
    std::vector<Cell> row{tensor.name,
                          std::string(roleText(tensor.role)),
                          extents.values(),
                          extents.nan,
                          extents.infinite(),
                          cellOf(profile.firstNotFinite.nan),
                          cellOf(profile.firstNotFinite.infinite),
                          extents.zeros,
                          extents.overflowed,
                          extents.underflowed,
                          extents.roundedIntegers};
    for (const double value : {extents.min, extents.max, extents.absMax(), moments.mean,
                               moments.standardDeviation(), moments.kurtosis()})
        row.push_back(cellOf(extents.finite > 0 ? std::optional(value) : std::nullopt));
    for (const double alpha : percentiles.alphas)
        row.push_back(cellOf(percentileOf(profile, percentiles.domain, alpha)));
    return row;
}

std::vector<Cell> statsRow(const TensorInfo& tensor, const TensorProfile& profile,
                           const std::string& channel, const StatsPercentiles& percentiles)
{
    std::vector<Cell> row = statsRow(tensor, profile, percentiles);
    row.insert(row.begin() + 2, channel);
    return row;
}

Cell countedShareCell(const TensorInfo& tensor)
{
    return tensor.mask ? Cell(static_cast<double>(tensor.mask->counted) /
                              static_cast<double>(tensor.mask->of))
                       : Cell();
}

}  // namespace calibscope
