// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_table.h"

#include <QString>
#include <QStringList>

#include <functional>

class QAbstractItemModel;
class QWidget;
class QAbstractItemView;
class QMenu;

namespace calibscope {

/// What a model shows as a table, the rows of groups one after another and without the groups'
/// own. A cell is what the model gives for `exactRole`, else its text; a column whose cells are all
/// numbers or absent is one of numbers.
[[nodiscard]] PlotTable modelTable(const QAbstractItemModel& model, int exactRole);
/// The same of the columns that the view shows, in its order.
[[nodiscard]] PlotTable shownTable(const QAbstractItemView& view, int exactRole);

/// A name without a folder is proposed there, until a file was written elsewhere.
void setSaveFolder(const QString& folder);

/// Asks for a file to write; empty: the user left. `proposed` may have a folder. The first of
/// `kinds`, such as "CSV (*.csv)", is chosen; with another one the name takes its suffix, and a
/// name without a suffix gets it.
[[nodiscard]] QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed,
                                     const QStringList& kinds);

/// Text to be copied or saved, asked for at that moment.
using TableSource = std::function<PlotTable()>;

/// "Copy as > CSV, TSV, JSON" under that title, as a menu of its own. It belongs to `parent`.
[[nodiscard]] QMenu* copyAsMenu(const QString& title, const TableSource& source, QWidget* parent);

/// Asks for a file and writes the table to it; a failure is reported in a message.
void askAndSaveTable(const TableSource& source, QWidget* parent);

/// Gives a view a context menu with these: "Copy as" and "Save as...". Tab leads on from the view.
void addTableMenu(QAbstractItemView& view, const TableSource& source);
/// What is copied are all rows that the view's model lets through, with all digits, see
/// shownTable().
void addTableMenu(QAbstractItemView& view, int exactRole);

}  // namespace calibscope
