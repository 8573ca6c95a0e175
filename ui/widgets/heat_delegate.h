#pragma once

#include <QColor>
#include <QStyledItemDelegate>

#include <functional>
#include <optional>

namespace calibscope {

/// Cells coloured by a value between 0 and 1, their text dark or light as the colour needs it. The
/// best of a row has a star and bold digits.
class HeatDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// 0 to 1; nothing: the cell is not coloured.
    using ShareOf = std::function<std::optional<double>(const QModelIndex& index)>;

    /// `bestRole` tells whether a cell is the best of its row.
    HeatDelegate(ShareOf shareOf, int bestRole, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    ShareOf m_shareOf;
    int m_bestRole;
};

/// Black or white, whichever is easier to read on that ground: at least 4.5 to 1 on any.
[[nodiscard]] QColor textOn(const QColor& ground);

}  // namespace calibscope
