// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/percentile.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

PercentilePlace percentilePlace(std::uint64_t count, double alpha)
{
    const double last = static_cast<double>(count - 1);
    const double position = last * (alpha / 100.0);
    const double below = std::floor(position);
    if (!(position > 0.0))
        return {};
    if (position >= last)
        return {.lower = count - 1, .upper = count - 1, .fraction = 0.0};
    const auto lower = static_cast<std::uint64_t>(below);
    return {.lower = lower, .upper = lower + 1, .fraction = position - below};
}

double percentileBetween(double lower, double upper, double fraction)
{
    const double difference = upper - lower;
    return fraction < 0.5 ? lower + difference * fraction : upper - difference * (1.0 - fraction);
}

std::vector<OrderRequest> percentileOrders(Domain domain, std::uint64_t finiteCount, double alpha)
{
    if (finiteCount == 0)
        return {};
    const PercentilePlace place = percentilePlace(finiteCount, alpha);
    if (place.lower == place.upper)
        return {{.domain = domain, .rank = place.lower}};
    return {{.domain = domain, .rank = place.lower}, {.domain = domain, .rank = place.upper}};
}

std::optional<double> percentileOf(const TensorProfile& profile, Domain domain, double alpha)
{
    const std::uint64_t count = profile.extents().finite;
    if (count == 0)
        return std::nullopt;
    const PercentilePlace place = percentilePlace(count, alpha);
    const auto lower = profile.order({.domain = domain, .rank = place.lower});
    const auto upper = profile.order({.domain = domain, .rank = place.upper});
    if (!lower || !upper)
        return std::nullopt;
    return percentileBetween(*lower, *upper, place.fraction);
}

}  // namespace calibscope
