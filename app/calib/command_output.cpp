// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"

#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/base/whole_file.h"
#include "core/tensor/npz_writer.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <system_error>

#include <sys/ioctl.h>
#include <unistd.h>

namespace calibscope::cli {

std::optional<std::size_t> terminalWidth()
{
    if (::isatty(STDOUT_FILENO) == 0)
        return std::nullopt;
    constexpr std::size_t usualWidth = 80;
    constexpr std::size_t leastWidth = 40;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return usualWidth;
    return std::max<std::size_t>(size.ws_col, leastWidth);
}

namespace {

const std::vector<std::string> tableFormats{"csv", "tsv", "json", "npz", "table"};

std::string textOf(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* count = std::get_if<std::uint64_t>(&cell))
        return numberText(*count);
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? numberText(*number) : std::string();
}

/// Texts where there is one, whole numbers where all are, else real ones: what is absent is NaN, or
/// an empty text.
void addArray(NpzWriter& npz, const Column& column, std::span<const Cell> cells)
{
    const auto isText = [](const Cell& cell) { return std::holds_alternative<std::string>(cell); };
    const auto isCount = [](const Cell& cell) {
        return std::holds_alternative<std::uint64_t>(cell);
    };
    const auto isNumber = [&isCount](const Cell& cell) {
        return isCount(cell) || std::holds_alternative<double>(cell);
    };
    if (std::ranges::any_of(cells, isText) ||
        (!column.isNumeric && std::ranges::none_of(cells, isNumber))) {
        std::vector<std::string> texts;
        for (const Cell& cell : cells)
            texts.push_back(textOf(cell));
        return npz.add(column.id, texts);
    }
    if (!cells.empty() && std::ranges::all_of(cells, isCount)) {
        std::vector<std::uint64_t> counts;
        for (const Cell& cell : cells)
            counts.push_back(std::get<std::uint64_t>(cell));
        return npz.add(column.id, counts);
    }
    std::vector<double> numbers;
    for (const Cell& cell : cells)
        numbers.push_back(isCount(cell)    ? static_cast<double>(std::get<std::uint64_t>(cell))
                          : isNumber(cell) ? std::get<double>(cell)
                                           : std::numeric_limits<double>::quiet_NaN());
    npz.add(column.id, numbers);
}

}  // namespace

void OutputOptions::declare(Command& command)
{
    command.add({.names = "--format",
                 .target = &format,
                 .help = "csv (default), tsv, json, npz or table (default on a terminal)",
                 .type = "FORMAT",
                 .offers = [] { return tableFormats; }});
    command.add({.names = "--columns",
                 .target = &columns,
                 .help = "Only these columns, in this order",
                 .type = "NAME,..."});
    declarePath(command);
}

void OutputOptions::declarePath(Command& command)
{
    command.add({.names = "-o,--output",
                 .target = &path,
                 .help = "file to write instead of standard output",
                 .type = "FILE"});
}

void refuseOverwriting(const OutputOptions& output, const std::vector<std::string>& inputs)
{
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (output.path.empty())
            continue;
        if (std::filesystem::equivalent(output.path, input, ignored))
            throw Error(Fault::Usage, "{}: is the dump itself; choose another file with -o",
                        output.path);
        if (isFolderDump(input) && leadsInto(output.path, input))
            throw Error(Fault::Usage, "{}: is a file of the dump; choose another one with -o",
                        output.path);
    }
}

TableFormat OutputOptions::tableFormat() const
{
    if (format.empty())
        return isForScreen() ? TableFormat::Aligned : TableFormat::Csv;
    if (std::ranges::find(tableFormats, format) == tableFormats.end())
        throw Error(Fault::Usage, "there is no format {}; available: {}", format,
                    joinedText(tableFormats, ", "));
    if (isNpz() && path.empty() && terminal)
        throw Error(Fault::Usage, "--format npz: is not for a screen; name a file with -o, or "
                                  "redirect standard output");
    return isNpz() ? TableFormat::Csv : parseTableFormat(format);
}

ColumnChoice OutputOptions::choice(std::span<const Column> all, std::string_view forScreen) const
{
    return {all, columns.empty() && isForScreen() ? forScreen : columns};
}

void OutputOptions::fit(TableWriter& table) const
{
    if (isForScreen())
        table.fitTo(*terminal);
}

void OutputOptions::tellLeftOut(std::size_t columnsOfTable, std::size_t columnsOfAll,
                                std::size_t leftOut) const
{
    const std::size_t missing = leftOut + (columns.empty() ? columnsOfAll - columnsOfTable : 0);
    if (isForScreen() && missing > 0)
        sayOnStderr("calib: " + countText(missing, "column", "columns") +
                    " more: --columns NAME,..., or --format csv for all");
}

TableOutput::TableOutput(const OutputOptions& options, std::span<const Column> columns,
                         std::string_view forScreen)
    : m_options(options),
      m_columnsOfAll(columns.size()),
      m_format(options.tableFormat()),
      m_choice(options.choice(columns, forScreen))
{
    if (!options.isNpz())
        return;
    for (const Column& column : m_choice.columns())
        m_arrays.emplace_back(column, std::vector<Cell>());
}

void TableOutput::row(std::span<const Cell> cells)
{
    ++m_rowCount;
    std::vector<Cell> chosen = m_choice.cells(cells);
    if (!m_options.isNpz())
        return table().row(chosen);
    for (std::size_t column = 0; column < chosen.size(); ++column)
        m_arrays[column].second.push_back(std::move(chosen[column]));
}

void TableOutput::array(std::string name, std::vector<Cell> cells)
{
    if (m_options.isNpz())
        m_arrays.emplace_back(Column{.id = std::move(name), .isNumeric = true}, std::move(cells));
}

void TableOutput::writeArrays()
{
    m_output.emplace(m_options.path);
    NpzWriter npz(m_output->sink());
    for (const auto& [column, cells] : m_arrays)
        addArray(npz, column, cells);
    npz.finish();
    m_output->finish();
}

void TableOutput::finish(std::string_view whyEmpty)
{
    if (m_rowCount == 0 && !whyEmpty.empty())
        sayOnStderr("calib: note: no rows: " + std::string(whyEmpty));
    if (m_options.isNpz())
        return writeArrays();
    table().finish();
    m_output->finish();
    m_options.tellLeftOut(m_choice.columns().size(), m_columnsOfAll, table().leftOut());
}

TableWriter& TableOutput::table()
{
    if (!m_table) {
        m_output.emplace(m_options.path);
        m_table.emplace(m_output->sink(), m_format, m_choice.columns());
        m_options.fit(*m_table);
    }
    return *m_table;
}

void warn(const std::string& sentence)
{
    sayOnStderr("calib: warning: " + sentence);
}

void Complaints::add(const std::string& sentence)
{
    if (!m_isSilent)
        m_said.say(sentence);
    m_any = true;
}

void Complaints::add(const std::vector<std::string>& sentences)
{
    for (const std::string& sentence : sentences)
        add(sentence);
}

int Complaints::exitCode() const
{
    return m_any ? calibscope::exitCode(Fault::Input) : 0;
}

}  // namespace calibscope::cli
