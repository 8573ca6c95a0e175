// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/stats/slice.h"
#include "core/tensor/value_boxes.h"

namespace calibscope {

/// Reads a part of a tensor, two of its axes or one, as cells: never more than what is needed, but
/// for the chunks in which values are stored. Memory: the cells, and blocks of a few MiB or of one
/// chunk.
///
/// Where that is more than the question allows, a part is read: of values in one piece evenly
/// spaced ones of each cell, which are made larger where even one value of each is too much; of
/// chunks evenly spaced ones, so that cells between them stay unread. What was read depends on the
/// question alone.
///
/// Throws Error(Usage) for a question that the tensor does not admit: axes, indices or a rectangle
/// outside of its shape, a step of 0, more than mostSliceCells cells, another number of clip ranges
/// than none, one and that of the channels, and ranges whose ends are NaN or in the wrong order.
[[nodiscard]] Slice collectSlice(const ValueBoxes& boxes, const SliceQuestion& question,
                                 const Progress& progress = {});

}  // namespace calibscope
