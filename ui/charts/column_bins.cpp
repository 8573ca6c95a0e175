// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/column_bins.h"

#include "ui/plot/plot_content.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
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

std::vector<BinSpan> columnBins(const Range& range, std::size_t bins, const AxisScale& x,
                                const PixelColumns& columns)
{
    const double count = static_cast<double>(bins);
    const auto position = [&](double pixel) {
        return (x.toValue(pixel) - range.low) / range.width() * count;
    };
    // First bin whose centre does not lie before that place.
    const auto firstBehind = [&](double place) {
        return static_cast<std::size_t>(std::clamp(std::ceil(place - 0.5), 0.0, count));
    };
    std::vector<BinSpan> spans;
    spans.reserve(static_cast<std::size_t>(std::max(columns.count, 0)));
    std::size_t first = firstBehind(position(columns.left));
    for (int column = 0; column < columns.count; ++column) {
        const std::size_t end = firstBehind(position(columns.left + (column + 1) * columns.width));
        const double centre = position(columns.centre(static_cast<std::size_t>(column)));
        if (first < end)
            spans.push_back({first, end});
        else if (centre >= 0.0 && centre < count)
            spans.push_back(
                {static_cast<std::size_t>(centre), static_cast<std::size_t>(centre) + 1});
        else
            spans.push_back({});
        first = end;
    }
    return spans;
}

double largestIn(const Range& range, std::span<const double> values, const AxisScale& x,
                 const PixelColumns& columns)
{
    double most = 0.0;
    for (const BinSpan& span : columnBins(range, values.size(), x, columns))
        for (std::size_t bin = span.first; bin < span.end; ++bin)
            most = std::max(most, values[bin]);
    return most;
}

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
