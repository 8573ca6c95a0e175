// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/tensor_delegates.h"

#include <QColor>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace calibscope {

/// Cells on grounds of their own, their text dark or light as the colour needs it. The best of a
/// row has a star and bold digits; the first column holds names.
class HeatDelegate : public ColumnNamesDelegate
{
    Q_OBJECT

public:
    /// Nothing: the cell is not coloured.
    using GroundOf = std::function<std::optional<QColor>(const QModelIndex& index)>;

    /// Whether there can be nothing in a cell, whose ground is plain grey then; whether its row is a heading.
    using Is = std::function<bool(const QModelIndex& index)>;

    /// `bestRole` tells whether a cell is the best of its row.
    HeatDelegate(GroundOf groundOf, int bestRole, QObject* parent = nullptr);
    void setMarks(Is isNone, Is isHeading);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* item, const QModelIndex& index) const override;

private:
    GroundOf m_groundOf;
    int m_bestRole;
    Is m_isNone;
    Is m_isHeading;
};

/// Key to the colours of a heat map: a bar with numbers at equal steps of colour, and a
/// mark where the limit of SQNR lies.
class MatrixKey : public QWidget
{
    Q_OBJECT

public:
    explicit MatrixKey(QWidget* parent = nullptr);

    struct Tick
    {
        double share = 0.0;  ///< 0 to 1
        QString text;
        bool isLimit = false;
    };
    /// The colour at a share of the bar, 0 to 1.
    using ColorAt = std::function<QColor(double share)>;
    /// Without ticks it is blank.
    void setTicks(std::vector<Tick> ticks, ColorAt colorAt);
    [[nodiscard]] const std::vector<Tick>& ticks() const { return m_ticks; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Tick> m_ticks;
    ColorAt m_colorAt;
};

/// Black or white, whichever is easier to read on that ground: at least 4.5 to 1 on any.
[[nodiscard]] QColor textOn(const QColor& ground);

}  // namespace calibscope
