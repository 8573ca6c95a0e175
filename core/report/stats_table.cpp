#include "core/report/stats_table.h"

#include "core/stats/percentile.h"

#include <array>
#include <optional>
#include <string_view>

namespace calibscope {

namespace {

struct PercentileColumn
{
    std::string_view id;
    std::string_view title;
    double alpha;
};

constexpr std::array percentileColumns{
    PercentileColumn{"p50", "50 %", 50.0}, PercentileColumn{"p99", "99 %", 99.0},
    PercentileColumn{"p99_9", "99.9 %", 99.9}, PercentileColumn{"p99_99", "99.99 %", 99.99},
    PercentileColumn{"p99_999", "99.999 %", 99.999}};

Cell cellOf(const std::optional<double>& number)
{
    if (number)
        return *number;
    return {};
}

}  // namespace

std::vector<Column> statsColumns(bool withChannels)
{
    std::vector<Column> columns{{.id = "tensor", .title = "Tensor"},
                                {.id = "role", .title = "Role"}};
    if (withChannels)
        columns.push_back({.id = "channel", .title = "Channel"});
    for (const auto& [id, title] :
         std::initializer_list<std::pair<const char*, const char*>>{{"values", "Values"},
                                                                    {"nan", "NaN"},
                                                                    {"inf", "Inf"},
                                                                    {"zeros", "Zeros"},
                                                                    {"min", "Min"},
                                                                    {"max", "Max"},
                                                                    {"absmax", "Max |x|"},
                                                                    {"mean", "Mean"},
                                                                    {"std", "Std"},
                                                                    {"kurtosis", "Kurtosis"}})
        columns.push_back({.id = id, .title = title, .isNumeric = true});
    for (const PercentileColumn& column : percentileColumns)
        columns.push_back(
            {.id = std::string(column.id), .title = std::string(column.title), .isNumeric = true});
    return columns;
}

std::vector<OrderRequest> statsOrders(std::uint64_t finiteCount)
{
    std::vector<OrderRequest> orders;
    for (const PercentileColumn& column : percentileColumns)
        for (const OrderRequest& order :
             percentileOrders(Domain::Magnitude, finiteCount, column.alpha))
            orders.push_back(order);
    return orders;
}

std::vector<Cell> statsRow(const TensorInfo& tensor, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    const Moments& moments = profile.moments;
    std::vector<Cell> row{tensor.name,        std::string(roleText(tensor.role)),
                          extents.values(),   extents.nan,
                          extents.infinite(), extents.zeros};
    for (const double value : {extents.min, extents.max, extents.absMax(), moments.mean,
                               moments.standardDeviation(), moments.kurtosis()})
        row.push_back(cellOf(extents.finite > 0 ? std::optional(value) : std::nullopt));
    for (const PercentileColumn& column : percentileColumns)
        row.push_back(cellOf(percentileOf(profile, Domain::Magnitude, column.alpha)));
    return row;
}

std::vector<Cell> statsRow(const TensorInfo& tensor, const TensorProfile& profile,
                           const std::string& channel)
{
    std::vector<Cell> row = statsRow(tensor, profile);
    row.insert(row.begin() + 2, channel);
    return row;
}

}  // namespace calibscope
