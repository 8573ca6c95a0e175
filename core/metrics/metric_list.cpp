// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"

#include "core/base/find_by_id.h"

#include "metrics.decl.inc"

namespace calibscope {

const std::vector<Metric>& metrics()
{
    static const std::vector<Metric> list = sortedByOrder(std::vector<Metric>{
#include "metrics.calls.inc"
    });
    return list;
}

}  // namespace calibscope
