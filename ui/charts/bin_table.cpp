#include "ui/charts/bin_table.h"

#include "ui/theme/translate.h"

#include <utility>

namespace calibscope {

namespace {

void keepRows(PlotColumn& column, std::size_t first, std::size_t end)
{
    std::visit(
        [first, end](auto& cells) {
            using Cells = std::remove_reference_t<decltype(cells)>;
            const auto begin = cells.begin();
            cells = Cells(begin + static_cast<std::ptrdiff_t>(first),
                          begin + static_cast<std::ptrdiff_t>(end));
        },
        column.cells);
}

}  // namespace

PlotTable binTable(const std::function<double(std::size_t bin)>& edge, const Range& shown,
                   std::vector<PlotColumn> columns)
{
    PlotTable table{.columns = std::move(columns)};
    const std::size_t bins = table.rowCount();
    std::size_t first = 0;
    while (first < bins && edge(first + 1) < shown.low)
        ++first;
    std::size_t end = first;
    std::vector<double> from;
    std::vector<double> to;
    for (; end < bins && edge(end) <= shown.high; ++end) {
        from.push_back(edge(end));
        to.push_back(edge(end + 1));
    }
    for (PlotColumn& column : table.columns)
        keepRows(column, first, end);
    table.columns.insert(table.columns.begin(), {{tr("from"), from}, {tr("to"), to}});
    return table;
}

}  // namespace calibscope
