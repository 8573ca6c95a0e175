// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "core/base/error.h"
#include "core/report/tables/output.h"
#include "core/report/tables/table.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Where results and complaints of a subcommand go.
namespace calibscope::cli {

/// The characters in a line of the terminal that standard output is; nothing: it is none.
[[nodiscard]] std::optional<std::size_t> terminalWidth();

/// --format, --columns and -o, which every subcommand that prints a table has.
struct OutputOptions
{
    std::string format;   ///< empty: a table that fits on a terminal, else CSV
    std::string path;     ///< empty: standard output
    std::string columns;  ///< ids separated by commas; empty: all
    /// Asked for once, before the guards of a reading process are up.
    std::optional<std::size_t> terminal = terminalWidth();

    void declare(Command& command);
    void declarePath(Command& command);  ///< -o alone
    /// Whether somebody reads along who did not say what is wanted.
    [[nodiscard]] bool isForScreen() const { return format.empty() && path.empty() && terminal; }
    /// Of texts; Csv for NPZ, which has the rows of a table as arrays.
    [[nodiscard]] TableFormat tableFormat() const;
    [[nodiscard]] bool isNpz() const { return format == "npz"; }
    /// The asked columns; none asked for: all, on a screen those that people read, in that order.
    [[nodiscard]] ColumnChoice choice(std::span<const Column> all,
                                      std::string_view forScreen = {}) const;
    /// Makes the table as wide as the screen at most, if it is for one.
    void fit(TableWriter& table) const;
    /// Tells, for a screen, what there was no room for.
    void tellLeftOut(std::size_t columnsOfTable, std::size_t columnsOfAll,
                     std::size_t leftOut) const;
};

/// Throws Error(Usage) if the output is one of the files to be read, or one of a folder that is: it
/// would be replaced.
void refuseOverwriting(const OutputOptions& output, const std::vector<std::string>& inputs);

/// A table as the options want it: format, columns and file. Words that are wrong throw when it is
/// made; nothing is written before the first row, so that a dump that can't be opened leaves
/// nothing behind.
class TableOutput
{
public:
    /// `forScreen`: ids of the columns that people at a terminal want, best first; empty: all.
    TableOutput(const OutputOptions& options, std::span<const Column> columns,
                std::string_view forScreen = {});

    /// Writes a row of the whole table, or what is chosen of it.
    void row(std::span<const Cell> cells);
    /// The number of rows until now.
    [[nodiscard]] std::size_t rowCount() const { return m_rowCount; }
    /// A further array of NPZ, in addition to the columns; nothing in other formats.
    void array(std::string name, std::vector<Cell> cells);
    /// Ends the table and puts the file into its place. Says on stderr why there are no rows, if
    /// there are none.
    void finish(std::string_view whyEmpty = {});

private:
    TableWriter& table();
    void writeArrays();

    OutputOptions m_options;
    std::size_t m_columnsOfAll;
    std::size_t m_rowCount = 0;
    TableFormat m_format;
    ColumnChoice m_choice;
    std::optional<Output> m_output;
    std::optional<TableWriter> m_table;
    std::vector<std::pair<Column, std::vector<Cell>>> m_arrays;  ///< of NPZ: first the columns
};

/// Says on stderr what is odd about what is read all the same.
void warn(const std::string& sentence);

/// Says on stderr what could not be read, and remembers that something was.
class Complaints
{
public:
    Complaints() = default;
    /// One that only remembers, where another process says the same.
    explicit Complaints(bool isSilent) : m_isSilent(isSilent) {}

    void add(const std::string& sentence);
    void add(const std::vector<std::string>& sentences);
    /// Does it, and says what is wrong with the input of this part alone.
    template <typename Work>
    void attempt(const Work& work)
    {
        if (const std::optional<std::string> problem = inputProblem(work))
            add(*problem);
    }
    /// 0, or 3 if there was a complaint.
    [[nodiscard]] int exitCode() const;

private:
    CountedSentences m_said{"calib"};
    bool m_isSilent = false;
    bool m_any = false;
};

}  // namespace calibscope::cli
