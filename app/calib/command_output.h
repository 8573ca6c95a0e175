#pragma once

#include "app/command_line.h"
#include "core/report/tables/output.h"
#include "core/report/tables/table.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Where results and complaints of a subcommand go.
namespace calibscope::cli {

/// --format, --columns and -o, which every subcommand that prints a table has.
struct OutputOptions
{
    std::string format = "csv";
    std::string path;     ///< empty: standard output
    std::string columns;  ///< ids separated by commas; empty: all

    void declare(Command& command);
    void declarePath(Command& command);  ///< -o alone
    [[nodiscard]] TableFormat tableFormat() const { return parseTableFormat(format); }
};

/// Throws Error(Usage) if the output is one of the files to be read: it would be replaced.
void refuseOverwriting(const OutputOptions& output, const std::vector<std::string>& inputs);

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

/// Says on stderr what is odd about what is read all the same.
void warn(const std::string& sentence);

/// Says on stderr what could not be read, and remembers that something was.
class Complaints
{
public:
    void add(const std::string& sentence);
    /// 0, or 3 if there was a complaint.
    [[nodiscard]] int exitCode() const;

private:
    bool m_any = false;
};

}  // namespace calibscope::cli
