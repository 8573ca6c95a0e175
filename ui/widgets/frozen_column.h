// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

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

}  // namespace calibscope
