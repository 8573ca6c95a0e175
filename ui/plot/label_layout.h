// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// A label that belongs to a vertical line below it.
struct LineLabel
{
    double line = 0.0;   ///< x of the line
    double width = 0.0;  ///< of the label with its padding
};

struct PlacedLabel
{
    double left = 0.0;    ///< of the label
    double leader = 0.0;  ///< x at which its leader line starts: the label's left end or its right
    int row = 0;          ///< 0 is the lowest
};

/// Places labels in a band over the lines that they belong to, in as few rows as leave them near
/// their lines, at most `mostRows`.
///
///     | min-max                   mse |   A leader line starts at the label's left end, goes down
///     |  | entropy      percentile |  |   past the labels below it and then aslant to its line.
///     |  |                         |  |   Labels are in the order of their lines, in a group the
///      \ |                          \ |   left one on top: neither does a leader line cross a
///       ||                           ||   label, nor another leader line. Where the lines are
///                                         nearer to the right end of a group it is mirrored.
///
/// Where no more rows are needed for it than for that, or that moves a label far, each label stands
/// at its own line, as a staircase.
///
/// Labels never overlap and are inside of `bounds`. Places are in the order of the labels. Nothing
/// where they do not fit into the rows.
[[nodiscard]] std::optional<std::vector<PlacedLabel>>
placeInBand(std::span<const LineLabel> labels, const Range& bounds, int mostRows);

/// Number of rows that the places take.
[[nodiscard]] int rowCount(std::span<const PlacedLabel> places);

/// Labels in a row that would overlap (or come nearer than `gap`) are left out, earlier ones in
/// `priority` stay: the result tells for each whether it stays. `centres` and `sizes` are by label.
[[nodiscard]] std::vector<bool> withoutOverlaps(std::span<const double> centres,
                                                std::span<const double> sizes,
                                                std::span<const std::size_t> priority, double gap);

}  // namespace calibscope
