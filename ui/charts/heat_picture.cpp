#include "ui/charts/heat_picture.h"

#include "ui/charts/heat_content.h"

#include <algorithm>
#include <cstring>

namespace calibscope {

namespace {

/// The largest count of each column span in some rows.
std::vector<std::uint64_t> largestCounts(const HeatGrid& grid, std::span<const BinSpan> columns,
                                         const BinSpan& rows)
{
    std::vector<std::uint64_t> cells(
        grid.counts.begin() + static_cast<std::ptrdiff_t>(rows.first * grid.columns),
        grid.counts.begin() + static_cast<std::ptrdiff_t>((rows.first + 1) * grid.columns));
    for (std::size_t row = rows.first + 1; row < rows.end; ++row)
        for (std::size_t column = 0; column < grid.columns; ++column)
            cells[column] = std::max(cells[column], grid.at(row, column));
    std::vector<std::uint64_t> largest;
    largest.reserve(columns.size());
    for (const BinSpan& span : columns) {
        std::uint64_t most = 0;
        for (std::size_t column = span.first; column < span.end; ++column)
            most = std::max(most, cells[column]);
        largest.push_back(most);
    }
    return largest;
}

}  // namespace

QImage heatPicture(const HeatGrid& grid, std::span<const BinSpan> columns,
                   std::span<const BinSpan> rows,
                   const std::function<QColor(std::uint64_t)>& colorOf)
{
    const auto width = static_cast<int>(columns.size());
    QImage image(width, static_cast<int>(rows.size()), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    for (std::size_t line = 0; line < rows.size(); ++line) {
        if (rows[line].isEmpty())
            continue;
        auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(line)));
        const bool isRepeated = line > 0 && rows[line].first == rows[line - 1].first &&
                                rows[line].end == rows[line - 1].end;
        if (isRepeated) {
            std::memcpy(pixels, image.constScanLine(static_cast<int>(line) - 1),
                        static_cast<std::size_t>(width) * sizeof(QRgb));
            continue;
        }
        const auto counts = largestCounts(grid, columns, rows[line]);
        for (std::size_t column = 0; column < counts.size(); ++column)
            if (counts[column] > 0)
                pixels[column] = colorOf(counts[column]).rgb();
    }
    return image;
}

}  // namespace calibscope
