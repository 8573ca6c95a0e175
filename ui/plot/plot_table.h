#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <variant>
#include <vector>

namespace calibscope {

/// A column of a plot's data table: numbers as they are, so that copies lose nothing.
struct PlotColumn
{
    QString title;
    std::variant<std::vector<double>, std::vector<std::uint64_t>, QStringList> cells;
};

/// What a plot shows as a table: its twin for readers, screen readers and the clipboard. All
/// columns have the same number of rows.
struct PlotTable
{
    std::vector<PlotColumn> columns;

    [[nodiscard]] std::size_t rowCount() const;
};

/// A cell in full: numbers read back as the same number (numberText()), NaN is blank.
[[nodiscard]] QString cellText(const PlotColumn& column, std::size_t row);

/// Titles and rows with tabs between cells, as spreadsheets take them.
[[nodiscard]] QString tableText(const PlotTable& table);

}  // namespace calibscope
