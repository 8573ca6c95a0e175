// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace calibscope {

/// How the tables of the pages look: rows of one line without a grid or a frame, names cut in the
/// middle, since they differ at their ends.
void showWithoutLines(QTableView& table, int rowPixels = 22);
/// And whole rows are selected.
void showAsRows(QTableView& table, int rowPixels = 22);

/// A click on a header sorts, a third one brings back the model's order, which is shown at first.
void sortByHeaders(QTableView& table);

}  // namespace calibscope
