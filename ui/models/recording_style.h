// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/chart_colors.h"

namespace calibscope {

/// How the two recordings of a tensor are drawn wherever both are: A solid, B dashed.
enum class ComparedSide { A, B };

[[nodiscard]] inline SeriesStyle recordingStyle(ComparedSide recording, const ChartColors& colors)
{
    return seriesStyle(recording == ComparedSide::A ? 0 : 1, colors);
}

}  // namespace calibscope
