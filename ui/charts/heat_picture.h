#pragma once

#include "ui/charts/column_bins.h"

#include <QImage>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace calibscope {

struct HeatGrid;

/// One pixel for each pair of a row span and a column span: coloured by the largest count of the
/// cells that it stands for, transparent where that is 0. The first span of rows is the uppermost.
[[nodiscard]] QImage heatPicture(const HeatGrid& grid, std::span<const BinSpan> columns,
                                 std::span<const BinSpan> rows,
                                 const std::function<QColor(std::uint64_t)>& colorOf);

}  // namespace calibscope
