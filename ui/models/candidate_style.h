// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/chart_colors.h"

#include <string>

namespace calibscope {

/// How the two recordings of a tensor are drawn wherever both are: A solid, B dashed.
enum class ComparedSide { A, B };

[[nodiscard]] inline SeriesStyle recordingStyle(ComparedSide recording, const ChartColors& colors)
{
    return seriesStyle(recording == ComparedSide::A ? 0 : 1, colors);
}

/// Line style of the candidate of that id: the same on every tensor, in the window and in
/// reports. Those of the standard list and of the recipes all differ in colour or dashes, and from
/// those that a user adds at least in the marker; two that a user adds may look alike by chance
/// (1 in some 300). The manual range has a colour of its own, and an imported range that of text:
/// it is a reference.
[[nodiscard]] SeriesStyle candidateStyle(const std::string& id, const ChartColors& colors);

}  // namespace calibscope
