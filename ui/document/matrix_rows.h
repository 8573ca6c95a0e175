#pragma once

#include "core/recipes/outcome.h"

#include <QString>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// A number that calibrators are compared by over all tensors.
enum class MatrixMetric { Sqnr, Mse, Scale, ClippedShare, Threshold };
constexpr std::size_t matrixMetricCount = 5;

/// What one candidate gives on one tensor: of an outcome the few numbers that a table of thousands
/// of tensors shows.
struct MatrixCell
{
    std::array<std::optional<double>, matrixMetricCount> values;  ///< by MatrixMetric
    bool isExactScale = true;
    bool hasExactMetrics = true;
    std::string problem;  ///< why there are none; empty: there are

    [[nodiscard]] std::optional<double> value(MatrixMetric metric) const
    {
        return values[static_cast<std::size_t>(metric)];
    }
    [[nodiscard]] bool isExact(MatrixMetric metric) const;
};

/// Of a scale per channel: scale and threshold of the widest one.
[[nodiscard]] MatrixCell matrixCell(const Outcome& outcome);

/// A tensor's cells by column; nothing where the candidate is none of the tensor's, or was not
/// computed yet.
struct MatrixRow
{
    std::vector<std::optional<MatrixCell>> cells;  ///< may be fewer than there are columns
    QString problem;      ///< why the tensor could not be read, a sentence; empty: it could
    bool isRead = false;  ///< all its cells are there

    [[nodiscard]] const MatrixCell* cell(std::size_t column) const
    {
        return column < cells.size() && cells[column] ? &*cells[column] : nullptr;
    }
};

}  // namespace calibscope
