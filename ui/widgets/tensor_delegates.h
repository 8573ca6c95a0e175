// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_flags.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/name_parts.h"

#include <QByteArray>
#include <QColor>
#include <QIcon>
#include <QList>
#include <QRectF>
#include <QStyledItemDelegate>

#include <optional>
#include <string>
#include <vector>

class QFontMetrics;
class QPainter;

namespace calibscope {

/// A small histogram in `box`: heights are logarithmic, so that a tail of single values is seen
/// beside a peak; the least positive count is a tenth of the box, 0 is nothing. An empty list or
/// one without a positive count draws nothing.
void paintSparkline(QPainter& painter, const QRectF& box, const QList<double>& counts,
                    const QColor& color);
/// Its tops alone, as a line, where they are others than those of `over`, which was drawn before;
/// columns without a count are at the bottom.
void paintSparklineTops(QPainter& painter, const QRectF& box, const QList<double>& counts,
                        const QList<double>& over, const QColor& color);

/// A few rows under one another.
[[nodiscard]] QIcon treeIcon(const QColor& color);

/// Draws a tensor's name, the parts before its last "/" fainter, shortened by elidedName(). Behind
/// a branch stands how many tensors it holds, behind a group what all its names share.
class NameDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    struct Roles
    {
        int endsRole;        ///< QString, of a group; may be empty
        int sizeRole;        ///< int, of a branch; else invalid
        int neededRole = 0;  ///< QByteArray, see elidedName(); may be invalid
    };
    explicit NameDelegate(const Roles& roles, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    /// As high as the other columns, which may be hidden.
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    Roles m_roles;
};

/// Names in a column of a table of up to some thousand rows, shortened likewise.
class ColumnNamesDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* item, const QModelIndex& index) const override;

private:
    mutable std::vector<std::string> m_names;
    mutable std::optional<NameParts> m_parts;  ///< of them
};

/// A flag as a pictogram: its shape tells what it is, its colour how grave. `kind` is one of
/// flagKinds().
void paintFlag(QPainter& painter, const QRectF& box, const FlagKind& kind,
               const ChartColors& colors);
[[nodiscard]] QColor flagColor(FlagWeight weight, const ChartColors& colors);
[[nodiscard]] QIcon flagIcon(const FlagKind& kind, const ChartColors& colors);

struct FlagsShown
{
    std::vector<const FlagKind*> kinds;
    bool isCut = false;  ///< there are others
};

/// Of a cell's letters the flags that fit into so many pixels, the gravest first; what is done gives
/// way last.
[[nodiscard]] FlagsShown flagsShown(const QString& letters, double room);

/// Draws a cell's letters as flags; where not all fit, a dot for the others.
class FlagsDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Wide enough for so many.
    [[nodiscard]] static int widthOf(int flags);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// Draws a cell's counts (a QList<double> under `countsRole`) as a sparkline.
class SparklineDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit SparklineDelegate(int countsRole, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    int m_countsRole;
};

/// Share of a bar that an SQNR fills: 0 dB is empty, 60 dB full; 0 for NaN, 1 for infinity.
[[nodiscard]] double sqnrShare(double sqnrDb);

/// Draws an SQNR (a double in dB under `sqnrRole`) as its number over a bar, whose colour is that
/// of its grade (sqnrLimits()).
class SqnrDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// `doubtRole`: bool, the number is never drawn as good; 0: there is none.
    explicit SqnrDelegate(int sqnrRole, QObject* parent = nullptr, int doubtRole = 0);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    int m_sqnrRole;
    int m_doubtRole;
};

}  // namespace calibscope
