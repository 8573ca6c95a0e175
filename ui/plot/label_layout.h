#pragma once

#include "core/base/range.h"

#include <span>
#include <vector>

namespace calibscope {

/// A label that belongs to a vertical line.
struct LineLabel
{
    double line = 0.0;   ///< x of the line
    double width = 0.0;  ///< of the label with its padding
};

struct PlacedLabel
{
    double left = 0.0;  ///< of the label
    int row = 0;        ///< 0 is the lowest
};

/// Places labels of vertical lines that rise from below up to their own label's row.
///
///               +---------+
///               | min-max |     A label stands to the left of its line, or to the right where
///     +---------+         |     there is no room on the left (kept inside `bounds` in any case).
///     | entropy |         |     Of lines close together the right one rises higher: no line then
///     +---------+         |     crosses another label.
///               |         |
///
/// Labels never overlap. A line may cross a label only where all labels together are wider than the
/// bounds, and then rarely. Places are in the order of the labels. O(n^3) for n labels.
[[nodiscard]] std::vector<PlacedLabel> staggerLabels(std::span<const LineLabel> labels,
                                                     const Range& bounds);

/// Number of rows that the places take.
[[nodiscard]] int rowCount(std::span<const PlacedLabel> places);

/// Labels in a row that would overlap (or come nearer than `gap`) are left out, earlier ones in
/// `priority` stay: the result tells for each whether it stays. `centres` and `sizes` are by label.
[[nodiscard]] std::vector<bool> withoutOverlaps(std::span<const double> centres,
                                                std::span<const double> sizes,
                                                std::span<const std::size_t> priority, double gap);

}  // namespace calibscope
