#pragma once

#include "core/report/tables/table.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace calibscope {

/// Some of a table's columns, in an order of their own.
class ColumnChoice
{
public:
    /// The columns of these ids, separated by commas; all of them for an empty text. Throws
    /// Error(Usage) that lists the known ones for an id that none has.
    ColumnChoice(std::span<const Column> all, std::string_view ids);

    [[nodiscard]] const std::vector<Column>& columns() const { return m_columns; }
    /// The chosen cells of a row of the whole table.
    [[nodiscard]] std::vector<Cell> cells(std::span<const Cell> row) const;

private:
    std::vector<std::size_t> m_indices;
    std::vector<Column> m_columns;
};

}  // namespace calibscope
