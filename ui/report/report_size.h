#pragma once

#include "ui/report/report_options.h"

#include <cstddef>
#include <cstdint>

namespace calibscope {

/// How many there are of what a report's size depends on.
struct ReportCounts
{
    std::size_t tensors = 0;
    std::size_t channelTensors = 0;
    std::size_t recipes = 0;
};

/// About how many bytes the report will have, from the sizes of the sample's.
[[nodiscard]] std::uint64_t reportBytes(const ReportOptions& options, const ReportCounts& counts);

}  // namespace calibscope
