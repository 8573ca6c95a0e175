#pragma once

#include "app/calib/output_options.h"
#include "core/report/tables/column_choice.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::cli {

/// A table as the options want it: format, columns and place. Words that are wrong throw when it is
/// made; nothing is written before the first row, so that a dump that can't be opened leaves
/// nothing behind.
class TableOutput
{
public:
    TableOutput(const OutputOptions& options, std::span<const Column> columns);

    /// Writes a row of the whole table, or what is chosen of it.
    void row(std::span<const Cell> cells);
    /// Ends the table and puts the file into its place.
    void finish();

private:
    TableWriter& table();

    std::string m_path;
    TableFormat m_format;
    ColumnChoice m_choice;
    std::optional<Output> m_output;
    std::optional<TableWriter> m_table;
};

}  // namespace calibscope::cli
