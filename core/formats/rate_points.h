// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_format.h"

#include <string>
#include <vector>

namespace calibscope {

/// A format as a point of a rate curve, and the line that it belongs to.
struct RatePoint
{
    BlockFormat format;
    std::string family = {};
    bool isElement = false;  ///< of several points, one for each granularity
};

/// Lines of a rate curve where none are asked for: elements at any granularity, then formats whose
/// blocks are a part of them.
[[nodiscard]] const std::vector<std::string>& usualFamilies();

/// The points of a line: an element ("int4", with parameters as a format has them) with scales of
/// its own for the tensor, each row and groups of 256 to 8 values; any other format as one point.
/// Throws Error(Usage) as parseBlockFormat().
[[nodiscard]] std::vector<RatePoint> ratePoints(const std::string& family);

/// True if the format fits the matrix and its blocks are smaller than those of the coarser points
/// of its line.
[[nodiscard]] bool isOwnPoint(const RatePoint& point, const MatrixShape& matrix);

}  // namespace calibscope
