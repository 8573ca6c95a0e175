#include "app/calib/command_output.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/base/whole_file.h"

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace calibscope::cli {

void OutputOptions::declare(Command& command)
{
    command.add({.names = "--format",
                 .target = &format,
                 .help = "csv (default), tsv, json or table",
                 .type = "FORMAT"});
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
        if (!output.path.empty() && std::filesystem::equivalent(output.path, input, ignored))
            throw Error(Fault::Usage,
                        output.path + ": is the dump itself; choose another file with -o");
    }
}

TableOutput::TableOutput(const OutputOptions& options, std::span<const Column> columns)
    : m_path(options.path), m_format(options.tableFormat()), m_choice(columns, options.columns)
{}

void TableOutput::row(std::span<const Cell> cells)
{
    table().row(m_choice.cells(cells));
}

void TableOutput::finish()
{
    table().finish();
    m_output->finish();
}

TableWriter& TableOutput::table()
{
    if (!m_table) {
        m_output.emplace(m_path);
        m_table.emplace(m_output->sink(), m_format, m_choice.columns());
    }
    return *m_table;
}

void warn(const std::string& sentence)
{
    sayOnStderr("calib: warning: " + sentence);
}

void Complaints::add(const std::string& sentence)
{
    sayOnStderr("calib: " + sentence);
    m_any = true;
}

int Complaints::exitCode() const
{
    return m_any ? calibscope::exitCode(Fault::Input) : 0;
}

}  // namespace calibscope::cli
