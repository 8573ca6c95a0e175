// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"
#include "core/base/settings.h"
#include "core/stats/histogram.h"
#include "core/stats/profile.h"

#include <string>
#include <string_view>

namespace calibscope {

// What all calibrators say alike that work on a histogram.

/// `bins`: at the start.
[[nodiscard]] Parameter binsParameter(int fallback, std::string help);
/// `growth`: any of the growth rules.
[[nodiscard]] Parameter growthParameter(std::string_view fallback, std::string help);
/// A whole number in the range, or that word, the default.
[[nodiscard]] Parameter wholeOrWord(std::string id, std::string label, std::string help,
                                    Range range, const std::string& word);

/// The histogram that the first two ask for.
[[nodiscard]] HistogramSpec histogramSpec(const Settings& settings, Domain domain);

/// The histogram that a calibrator has said it needs. Throws std::invalid_argument if it was not
/// collected.
[[nodiscard]] const Histogram& neededHistogram(const TensorProfile& profile,
                                               const HistogramSpec& spec);

}  // namespace calibscope
