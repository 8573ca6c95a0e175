// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/profile.h"

#include <algorithm>

namespace calibscope {

const Histogram* TensorProfile::histogram(const HistogramSpec& spec) const
{
    const auto found = std::ranges::find(histograms, spec, &Histogram::spec);
    return found == histograms.end() ? nullptr : &*found;
}

std::optional<double> TensorProfile::order(const OrderRequest& request) const
{
    const auto found = std::ranges::find(orders, request, &OrderStatistic::request);
    return found == orders.end() ? std::nullopt : std::optional{found->value};
}

}  // namespace calibscope
