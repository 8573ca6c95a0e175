// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exchange_format.h"

#include <string>
#include <utility>
#include <vector>

namespace calibscope::test {

/// An activation with that threshold.
inline exchange::ScaleEntry activationEntry(std::string name, double threshold)
{
    return {.name = std::move(name),
            .role = Role::Activation,
            .values = {exchange::symmetricValue(threshold)}};
}

/// A weight with a threshold for each channel.
inline exchange::ScaleEntry weightEntry(std::string name, const std::vector<double>& thresholds)
{
    exchange::ScaleEntry entry{.name = std::move(name),
                               .role = Role::Weight,
                               .isPerChannel = true,
                               .format = NumberFormat::integers(-127, 127)};
    for (const double threshold : thresholds)
        entry.values.push_back(exchange::symmetricValue(threshold));
    return entry;
}

/// Bytes of these entries in that format.
inline std::string writtenAs(std::string_view format, std::vector<exchange::ScaleEntry> entries)
{
    return exchange::scaleFileBytes(exchange::exchangeFormat(format),
                                    {.entries = std::move(entries)});
}

}  // namespace calibscope::test
