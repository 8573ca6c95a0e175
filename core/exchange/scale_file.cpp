// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/scale_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope::exchange {

EntryValue symmetricValue(double threshold)
{
    return {.range = {.low = -threshold, .high = threshold}, .threshold = threshold};
}

double widestEnd(const EntryValue& value)
{
    if (value.threshold)
        return *value.threshold;
    if (std::isnan(value.range.low) || std::isnan(value.range.high))
        return std::numeric_limits<double>::quiet_NaN();
    return std::max(std::fabs(value.range.low), std::fabs(value.range.high));
}

double scaleOf(const ScaleEntry& entry, const EntryValue& value)
{
    if (value.scale)
        return *value.scale;
    if (value.threshold)
        return *value.threshold / entry.format.high();
    return value.range.width() / (entry.format.high() - entry.format.low());
}

}  // namespace calibscope::exchange
