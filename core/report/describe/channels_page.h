// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/tensor_page.h"

#include <vector>

namespace calibscope::report {

/// Outstanding channels of a tensor.
struct ChannelSurvey
{
    double medianAbsMax = 0.0;          ///< of the channels that are not dead
    std::vector<std::size_t> dead;      ///< nothing but zeros, or nothing finite
    std::vector<std::size_t> outliers;  ///< max |x| more than three times the median
};

[[nodiscard]] ChannelSurvey surveyChannels(const TensorProfile& profile);

/// The page of a tensor's channels: extents, and the scale of each under every result that has
/// scales per channel. The first 5000; their numbers are in channels.csv.
[[nodiscard]] Page channelsPage(const ReportedTensor& part, const PageContext& context);

}  // namespace calibscope::report
