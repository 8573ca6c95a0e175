#pragma once

#include "core/report/html/report_data.h"
#include "core/report/tables/scales_table.h"
#include "core/report/tables/output.h"
#include "core/report/tables/table.h"
#include "ui/report/report_options.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace calibscope {

/// The tables of a report, written row by row: scales.csv with the rows of `calib scales`,
/// channels.csv with one row for each channel under each result, scales.json.
class ReportTables
{
public:
    /// Makes the files that the options ask for. Throws Error(Output), as do those below.
    ReportTables(const std::filesystem::path& folder, const ReportOptions& options,
                 std::span<const report::Source> sources);

    /// `outcomes`: one for each recipe; `results`: the computations behind them.
    void add(std::span<const Outcome> outcomes, std::span<const report::Result> results);
    void finish();

private:
    struct Csv
    {
        Csv(const std::filesystem::path& path);

        Output output;
        TableWriter table;
    };

    std::unique_ptr<Csv> m_scales;
    std::unique_ptr<Csv> m_channels;
    std::unique_ptr<Output> m_json;
    ErrorTotals m_totals;
    bool m_isFirst = true;
};

}  // namespace calibscope
