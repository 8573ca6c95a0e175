#pragma once

#include "ui/plot/plot_table.h"

#include <QString>

#include <functional>

class QAbstractItemView;
class QMenu;
class QWidget;

namespace calibscope {

/// What is copied or saved, asked for at that moment.
using TableSource = std::function<PlotTable()>;

/// "Copy as > CSV, TSV, JSON" under that title, as a menu of its own. It belongs to `parent`.
[[nodiscard]] QMenu* copyAsMenu(const QString& title, const TableSource& source, QWidget* parent);

/// Asks for a file and writes the table to it; a failure is told in a message.
void askAndSaveTable(const TableSource& source, QWidget* parent);

/// Gives a view a context menu with these: "Copy as" and "Save as...".
void addTableMenu(QAbstractItemView& view, const TableSource& source);
/// What is copied is all that the view's model lets through, with all digits, see modelTable().
void addTableMenu(QAbstractItemView& view, int exactRole);

}  // namespace calibscope
