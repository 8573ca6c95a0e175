// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"

#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/base/whole_file.h"

#include <algorithm>
#include <filesystem>
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

void OutputOptions::declare(Command& command)
{
    command.add({.names = "--format",
                 .target = &format,
                 .help = "csv (default), tsv, json or table (default on a terminal)",
                 .type = "FORMAT",
                 .offers = [] {
                     return std::vector<std::string>{"csv", "tsv", "json", "table"};
                 }});
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
    return parseTableFormat(format);
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
{}

void TableOutput::row(std::span<const Cell> cells)
{
    m_hasRows = true;
    table().row(m_choice.cells(cells));
}

void TableOutput::finish(std::string_view whyEmpty)
{
    if (!m_hasRows && !whyEmpty.empty())
        sayOnStderr("calib: note: no rows: " + std::string(whyEmpty));
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
