#pragma once

#include "ui/plot/plot_table.h"

class QAbstractItemModel;

namespace calibscope {

/// What a model shows as a table, the rows of groups one after another and without the groups'
/// own. A cell is what the model gives for `exactRole`, else its text; a column whose cells are all
/// numbers or absent is one of numbers.
[[nodiscard]] PlotTable modelTable(const QAbstractItemModel& model, int exactRole);

}  // namespace calibscope
