// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison.h"
#include "core/compare/match.h"
#include "core/report/tables/table.h"
#include "core/stats/profile.h"

#include <vector>

namespace calibscope {

/// A tensor of two dumps as rows: drift of the values, then for each choice both scales and what
/// A's scales do to B's values.
[[nodiscard]] const std::vector<Column>& comparisonColumns();

/// A pair and its comparison.
struct ComparedTensor
{
    TensorInfo a;
    TensorInfo b;
    MatchRule rule = MatchRule::Name;
    bool isSameShape = true;
    Extents extentsA;
    Extents extentsB;
    TensorComparison comparison;
};

/// One row for each choice; one without a choice's columns where there is none.
[[nodiscard]] std::vector<std::vector<Cell>> comparisonRows(const ComparedTensor& tensor);

enum class Side { A, B };

/// The row of a tensor that only one of the dumps holds.
[[nodiscard]] std::vector<Cell> unmatchedRow(const TensorInfo& tensor, Side side);

/// Whether the first has drifted further: by the earth mover's share, then by the divergence, then
/// by the ratio of maxima. One without a drift comes after all that have one.
[[nodiscard]] bool hasDriftedFurther(const ComparedTensor& one, const ComparedTensor& other);

}  // namespace calibscope
