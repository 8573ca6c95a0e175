#pragma once

#include "core/stats/histogram.h"
#include "ui/plot/marks.h"
#include "ui/plot/plot_handle.h"

#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// The ends of clip ranges as handles, where the marks are drawn, from left to right. A step is a
/// bin. Low ends stay below 0, high ends above, both no farther out than a quarter beyond the data.
[[nodiscard]] std::vector<PlotHandle> thresholdHandles(std::span<const ThresholdMark> marks,
                                                       const Histogram& histogram);

/// Whose end a handle is.
struct MovedEnd
{
    QString label;  ///< of the mark
    bool isLow = false;
};

/// Nothing for an id of another kind.
[[nodiscard]] std::optional<MovedEnd> movedEnd(const QString& handleId);

/// The id of an end's handle.
[[nodiscard]] QString handleId(const MovedEnd& end);

}  // namespace calibscope
