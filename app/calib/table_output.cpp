#include "app/calib/table_output.h"

namespace calibscope::cli {

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

}  // namespace calibscope::cli
