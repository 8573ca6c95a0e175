// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

class QAbstractItemModel;
class QSortFilterProxyModel;
class QString;
class QTableView;
class QWidget;

namespace calibscope {

/// The first column of a tree, over it once the tree is scrolled to the side, so that names stay
/// beside numbers. It belongs to the tree, whose rows, selection and open branches it shares; the
/// tree has its model already.
class FrozenColumn : public QTreeView
{
    Q_OBJECT

public:
    explicit FrozenColumn(QTreeView& tree);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QTreeView& m_tree;
    const QWidget* m_viewport;  ///< of the tree
};

/// How the tables of the pages look: rows of one line without a grid or a frame, names cut in the
/// middle, since they differ at their ends.
void showWithoutLines(QTableView& table, int rowPixels = 22);
/// And whole rows are selected.
void showAsRows(QTableView& table, int rowPixels = 22);

/// A click on a header sorts, a third one brings back the model's order, which is shown at first.
void sortByHeaders(QTableView& table);

/// Such a table over `sorted` of `source`, a TableModel: one row at a time is selected, columns are as
/// wide as their cells, a menu copies and saves them.
[[nodiscard]] QTableView* makeRowTable(QSortFilterProxyModel& sorted, QAbstractItemModel& source,
                                       const QString& name, QWidget* parent);

}  // namespace calibscope
