#pragma once

#include "ui/theme/chart_colors.h"

namespace calibscope {

/// How the two recordings of a tensor are drawn wherever both are: A solid, B dashed.
enum class Recording { A, B };

[[nodiscard]] inline SeriesStyle recordingStyle(Recording recording, const ChartColors& colors)
{
    return seriesStyle(recording == Recording::A ? 0 : 1, colors);
}

}  // namespace calibscope
