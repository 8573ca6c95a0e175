#pragma once

#include "ui/report/paper.h"

#include <QFont>
#include <QTextLayout>

#include <vector>

namespace calibscope {

/// Breaks a text into lines of that width and gives their height. Words that are too long are
/// broken anywhere.
double layOut(QTextLayout& layout, double width);

/// Widths of a table's columns that fill the paper: as their texts ask for, and where these are
/// wider than the paper, columns of texts give way.
[[nodiscard]] std::vector<double> columnWidths(const PaperTable& table, double paperWidth,
                                               const QFont& font, double gap);

}  // namespace calibscope
