#pragma once

#include "core/report/tables/table.h"
#include "ui/plot/plot_table.h"

#include <QString>

#include <memory>

class QMimeData;

namespace calibscope {

/// A table in full as CSV, TSV or JSON; its columns are called by their titles, and where two are
/// the same, by their place as well.
[[nodiscard]] QString tableAs(const PlotTable& table, TableFormat format);

/// That text for the clipboard, as `text/plain` and under its own type.
[[nodiscard]] std::unique_ptr<QMimeData> tableMimeAs(const PlotTable& table, TableFormat format);

/// Writes it to a file, whose name's end says the format: .csv, .tsv or .json. Throws Error(Usage)
/// for any other, Error(Output) with the path and the reason.
void saveTable(const PlotTable& table, const QString& path);

}  // namespace calibscope
