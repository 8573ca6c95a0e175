// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

class QMimeData;

namespace calibscope {

enum class TableFormat;

/// A column of a plot's data table: numbers as they are, so that copies lose nothing.
struct PlotColumn
{
    QString title;
    std::variant<std::vector<double>, std::vector<std::uint64_t>, QStringList> cells = {};
};

/// A plot as a table: its twin for readers, screen readers and the clipboard. All
/// columns have the same number of rows.
struct PlotTable
{
    std::vector<PlotColumn> columns;

    [[nodiscard]] std::size_t rowCount() const;
    /// A further cell of each column: double, std::uint64_t or QString, always the same of a column.
    template <typename... Cells>
    void addRow(const Cells&... cells)
    {
        auto column = columns.begin();
        const auto append = [&column]<typename Cell>(const Cell& cell) {
            using List =
                std::conditional_t<std::is_same_v<Cell, QString>, QStringList, std::vector<Cell>>;
            auto& list = (column++)->cells;
            (std::holds_alternative<List>(list) ? std::get<List>(list) : list.emplace<List>())
                .push_back(cell);
        };
        (append(cells), ...);
    }
};

/// A cell in full: numbers read back as the same number (numberText()), NaN is blank.
[[nodiscard]] QString cellText(const PlotColumn& column, std::size_t row);

/// Titles and rows with tabs between cells, as spreadsheets take them.
[[nodiscard]] QString tableText(const PlotTable& table);

/// A table in full as CSV, TSV or JSON; its columns are called by their titles, and where two are
/// the same, by their place as well.
[[nodiscard]] QString tableAs(const PlotTable& table, TableFormat format);

/// Those texts for the clipboard, as `text/plain` and under their own type; tableText() where no
/// format is asked for.
[[nodiscard]] std::unique_ptr<QMimeData> tableMime(const PlotTable& table);
[[nodiscard]] std::unique_ptr<QMimeData> tableMimeAs(const PlotTable& table, TableFormat format);

/// Writes it to a file, whose name's end says the format: .csv, .tsv or .json. Throws Error(Usage)
/// for any other, Error(Output) with the path and the reason.
void saveTable(const PlotTable& table, const QString& path);

}  // namespace calibscope
