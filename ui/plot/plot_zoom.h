#pragma once

#include "core/base/range.h"

#include <optional>
#include <vector>

namespace calibscope {

/// What a user chose to see of a plot.
struct PlotZoom
{
    std::optional<Range> x;  ///< nothing: all
    std::vector<Range> y;    ///< by y axis; empty: y follows what is shown

    bool operator==(const PlotZoom&) const = default;
};

}  // namespace calibscope
