#include "ui/report/report_tables.h"

#include "core/recipes/stand_in.h"
#include "core/report/tables/scales_table.h"

namespace calibscope {

ReportTables::Csv::Csv(const std::filesystem::path& path)
    : output(path.string()), table(output.sink(), TableFormat::Csv, scaleColumns())
{}

ReportTables::ReportTables(const std::filesystem::path& folder, const ReportOptions& options,
                           std::span<const report::Source> sources)
{
    if (options.has(report::Format::Csv)) {
        m_scales = std::make_unique<Csv>(folder / "scales.csv");
        if (options.has(report::Content::Channels))
            m_channels = std::make_unique<Csv>(folder / "channels.csv");
    }
    if (!options.has(report::Format::Json))
        return;
    std::vector<FileIdentity> files;
    for (const report::Source& source : sources)
        files.push_back(source.identity);
    m_json = std::make_unique<Output>((folder / "scales.json").string());
    m_json->write(scalesJsonBegin(files));
}

void ReportTables::add(std::span<const Outcome> outcomes, std::span<const report::Result> results)
{
    for (Outcome outcome : outcomes) {
        outcome.choice = withoutStandIn(std::move(outcome.choice));
        if (m_scales)
            for (const std::vector<Cell>& row : scaleRows(outcome, false))
                m_scales->table.row(row);
        if (!m_json || !outcome.problem.empty())
            continue;
        m_json->write((m_isFirst ? "\n" : ",\n") + outcomeJson(outcome, false, false));
        m_isFirst = false;
        m_totals.add(outcome);
    }
    if (!m_channels)
        return;
    for (const report::Result& result : results) {
        Outcome outcome = result.outcome;
        outcome.choice = withoutStandIn(std::move(outcome.choice));
        const std::vector<std::vector<Cell>> rows = scaleRows(outcome, true);
        for (std::size_t row = 1; row < rows.size(); ++row)  // the first is of the whole tensor
            m_channels->table.row(rows[row]);
    }
}

void ReportTables::finish()
{
    for (Csv* csv : {m_scales.get(), m_channels.get()}) {
        if (csv == nullptr)
            continue;
        csv->table.finish();
        csv->output.finish();
    }
    if (m_json) {
        m_json->write("\n" + scalesJsonEnd(m_totals) + "\n");
        m_json->finish();
    }
}

}  // namespace calibscope
