// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace calibscope {

/// Sorts a table of which some rows have no number: these come last, whichever end is first.
class KnownFirst : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override
    {
        const bool hasLeft = left.data(sortRole()).isValid();
        const bool hasRight = right.data(sortRole()).isValid();
        if (hasLeft != hasRight)
            return (sortOrder() == Qt::AscendingOrder) == hasLeft;
        return hasLeft && QSortFilterProxyModel::lessThan(left, right);
    }
};

}  // namespace calibscope
