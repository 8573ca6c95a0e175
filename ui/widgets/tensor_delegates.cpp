// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tensor_delegates.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/sqnr_limits.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QStyle>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

constexpr double barHeight = 2.0;

/// The columns of a sparkline in a box, on whole pixels; those without a count have no height.
/// Nothing where there is no positive count.
std::vector<QRectF> sparkColumns(const QRectF& box, const QList<double>& counts, double ratio)
{
    const double most = counts.isEmpty() ? 0.0 : *std::ranges::max_element(counts);
    if (!(most > 0.0) || !std::isfinite(most))
        return {};
    constexpr double leastShare = 0.1;
    double least = most;
    for (const double count : counts)
        if (count > 0.0)
            least = std::min(least, count);
    const double decades = std::max(std::log10(most / least), 1.0);

    const double step = box.width() / static_cast<double>(counts.size());
    const double bottom = snapped(box.bottom(), ratio);
    std::vector<QRectF> columns;
    for (qsizetype column = 0; column < counts.size(); ++column) {
        double share = 0.0;
        if (counts[column] > 0.0)
            share = 1.0 - (1.0 - leastShare) * std::log10(most / counts[column]) / decades;
        const double left = snapped(box.left() + static_cast<double>(column) * step, ratio);
        const double right = snapped(box.left() + static_cast<double>(column + 1) * step, ratio);
        const double top = snapped(bottom - share * box.height(), ratio);
        columns.emplace_back(QPointF(left, top), QPointF(right, bottom));
    }
    return columns;
}

}  // namespace

void paintSparkline(QPainter& painter, const QRectF& box, const QList<double>& counts,
                    const QColor& color)
{
    for (const QRectF& column : sparkColumns(box, counts, deviceRatio(painter)))
        if (column.height() > 0.0)
            painter.fillRect(column, color);
}

void paintSparklineTops(QPainter& painter, const QRectF& box, const QList<double>& counts,
                        const QList<double>& over, const QColor& color)
{
    const double ratio = deviceRatio(painter);
    const double pixel = 1.0 / ratio;
    const std::vector<QRectF> filled = sparkColumns(box, over, ratio);
    const std::vector<QRectF> columns = sparkColumns(box, counts, ratio);
    std::optional<double> before;  // of a column that was drawn
    for (std::size_t place = 0; place < columns.size(); ++place) {
        const QRectF& column = columns[place];
        const double top = std::min(column.top(), column.bottom() - pixel);
        if (place < filled.size() && filled[place].top() == column.top()) {
            before.reset();
            continue;
        }
        painter.fillRect(QRectF(column.left(), top, column.width(), pixel), color);
        if (before)
            painter.fillRect(QRectF(column.left(), std::min(top, *before), pixel,
                                    std::abs(top - *before) + pixel),
                             color);
        before = top;
    }
}

QIcon treeIcon(const QColor& color)
{
    constexpr double sharpness = 3.0;  // pixels kept for each logical one, for scaled screens
    QPixmap pixmap(QSize(16, 16) * sharpness);
    pixmap.setDevicePixelRatio(sharpness);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setPen(QPen(color, 1.0));
    painter.drawLine(QPointF(3.5, 4.0), QPointF(3.5, 12.5));
    for (const double y : {7.5, 12.5})
        painter.drawLine(QPointF(3.5, y), QPointF(6.0, y));
    for (const QRectF& row :
         {QRectF(1.0, 2.0, 9.0, 2.0), QRectF(7.0, 6.5, 7.0, 2.0), QRectF(7.0, 11.5, 7.0, 2.0)})
        painter.fillRect(row, color);
    painter.end();
    return pixmap;
}

NameDelegate::NameDelegate(const Roles& roles, QObject* parent)
    : QStyledItemDelegate(parent), m_roles(roles)
{}

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString name = std::exchange(item.text, QString());
    const QStyle* style = item.widget->style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, item.widget) + 1;
    QRect box = item.rect.adjusted(margin, 0, -margin, 0);
    // A group has nothing in the other columns. The view's own spanning would look each row up in a
    // set at each layout, which costs more than all else with 20 000 rows.
    if (!index.parent().isValid())
        box.setRight(item.widget->width() - margin);
    const bool isSelected = item.state.testFlag(QStyle::State_Selected);
    const QColor ink = item.palette.color(QPalette::Active,
                                          isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QColor faint = isSelected ? ink : item.palette.color(QPalette::PlaceholderText);

    const bool isWhole = item.fontMetrics.horizontalAdvance(name) <= box.width();
    const QString shown = isWhole ? name
                                  : elidedName(name, item.fontMetrics, box.width(),
                                               index.data(m_roles.neededRole).toByteArray());
    const qsizetype last = shown.lastIndexOf(u'/') + 1;
    painter->save();
    int left = box.left();
    const auto draw = [&](const QString& text, const QColor& color, const QFont& font) {
        painter->setFont(font);
        painter->setPen(color);
        painter->drawText(QRect(left, box.top(), box.right() + 1 - left, box.height()),
                          Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
        left += QFontMetrics(font).horizontalAdvance(text);
    };
    draw(shown.left(last), faint, item.font);
    draw(shown.mid(last), ink, item.font);
    left += 2 * margin;
    const QVariant size = index.data(m_roles.sizeRole);
    const QString behind =
        size.isValid() ? countLabel(size.toULongLong()) : index.data(m_roles.endsRole).toString();
    QFont plain = item.font;
    plain.setBold(false);
    if (!behind.isEmpty() && left + QFontMetrics(plain).horizontalAdvance(behind) <= box.right())
        draw(behind, faint, plain);
    painter->restore();
}

QSize NameDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {QStyledItemDelegate::sizeHint(option, index).width(), option.fontMetrics.height() + 8};
}

void ColumnNamesDelegate::initStyleOption(QStyleOptionViewItem* item,
                                          const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(item, index);
    const QStyle& style = *item->widget->style();
    const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, item->widget) + 1;
    // Behind a tick and a picture.
    const int room =
        style.subElementRect(QStyle::SE_ItemViewItemText, item, item->widget).width() - 2 * margin;
    if (item->rect.isEmpty() || item->fontMetrics.horizontalAdvance(item->text) <= room)
        return;
    const auto rows = static_cast<std::size_t>(index.model()->rowCount());
    const auto row = static_cast<std::size_t>(index.row());
    if (m_names.size() != rows || m_names[row] != item->text.toStdString()) {
        m_names.clear();
        for (int other = 0; other < index.model()->rowCount(); ++other)
            m_names.push_back(index.siblingAtRow(other).data().toString().toStdString());
        m_parts.emplace(std::vector<std::string_view>(m_names.begin(), m_names.end()));
    }
    item->text = elidedName(item->text, item->fontMetrics, room, m_parts->needs(m_names[row]));
}

QColor flagColor(FlagWeight weight, const ChartColors& colors)
{
    const bool isDark = colors.isDark;
    switch (weight) {
    case FlagWeight::Error: return isDark ? QColor(0xff7b72) : QColor(0xc62828);
    case FlagWeight::Warning: return isDark ? QColor(0xffa657) : QColor(0xb84a00);
    case FlagWeight::Doubt: return isDark ? QColor(0xe3b341) : QColor(0x8a6100);
    case FlagWeight::Note: return isDark ? QColor(0xd2a8ff) : QColor(0x7b1fa2);
    case FlagWeight::Mark: return isDark ? QColor(0x79b8ff) : QColor(0x1565c0);
    case FlagWeight::Done: return isDark ? QColor(0x6bcb77) : QColor(0x2a7a2e);
    }
    return {};
}

namespace {

constexpr double flagSide = 12.0;
constexpr double flagGap = 2.0;

QPainterPath roundFlag()
{
    QPainterPath path;
    path.addEllipse(QRectF(0.5, 0.5, 11.0, 11.0));
    return path;
}

/// What is drawn instead of a letter, in a box of 12: a ground, or none, and lines on it.
struct FlagShape
{
    QPainterPath ground;
    QPainterPath lines;
};

FlagShape flagShape(char16_t letter)
{
    FlagShape shape{.ground = roundFlag(), .lines = {}};
    QPainterPath& lines = shape.lines;
    const auto line = [&lines](std::initializer_list<QPointF> points) {
        lines.addPolygon(QPolygonF(QList<QPointF>(points)));
    };
    switch (letter) {
    case u'x':
        line({{3.7, 3.7}, {8.3, 8.3}});
        line({{8.3, 3.7}, {3.7, 8.3}});
        break;
    case u'!':
        shape.ground = {};
        shape.ground.addPolygon(QPolygonF{{6.0, 0.3}, {11.8, 11.2}, {0.2, 11.2}, {6.0, 0.3}});
        line({{6.0, 4.4}, {6.0, 7.2}});
        line({{6.0, 9.3}, {6.0, 9.4}});
        break;
    case u'0': line({{3.0, 6.0}, {9.0, 6.0}}); break;  // a flat line
    case u'1':                                         // a peak over one
        line({{2.8, 8.6}, {7.6, 8.6}, {7.6, 3.2}, {7.7, 8.6}, {9.2, 8.6}});
        break;
    case u'~':
        lines.moveTo(2.8, 6.8);
        lines.cubicTo(4.8, 3.2, 7.2, 8.8, 9.2, 5.2);
        break;
    case u'±':
        line({{6.0, 2.8}, {6.0, 6.8}});
        line({{4.0, 4.8}, {8.0, 4.8}});
        line({{4.0, 9.0}, {8.0, 9.0}});
        break;
    case u'?':
        lines.moveTo(4.2, 4.6);
        lines.cubicTo(4.2, 2.4, 7.8, 2.4, 7.8, 4.4);
        lines.cubicTo(7.8, 5.8, 6.0, 5.8, 6.0, 7.3);
        line({{6.0, 9.3}, {6.0, 9.4}});
        break;
    case u'*':  // a pen
        shape.ground = {};
        line({{1.8, 10.2}, {2.6, 7.6}, {8.6, 1.6}, {10.4, 3.4}, {4.4, 9.4}, {1.8, 10.2}});
        break;
    case u'−':
        shape.ground = {};
        lines.addEllipse(QRectF(1.3, 1.3, 9.4, 9.4));
        line({{2.7, 9.3}, {9.3, 2.7}});
        break;
    case u'✓':
        shape.ground = {};
        line({{1.8, 6.4}, {4.8, 9.6}, {10.4, 2.6}});
        break;
    default: break;
    }
    return shape;
}

}  // namespace

void paintFlag(QPainter& painter, const QRectF& box, const FlagKind& kind,
               const ChartColors& colors)
{
    const QColor color = flagColor(kind.weight, colors);
    const FlagShape shape = flagShape(kind.letter);
    const bool hasGround = !shape.ground.isEmpty();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width() / flagSide, box.height() / flagSide);
    painter.fillPath(shape.ground, color);
    const QColor ink =
        contrastRatio(Qt::white, color) >= contrastRatio(Qt::black, color) ? Qt::white : Qt::black;
    painter.strokePath(shape.lines, QPen(hasGround ? ink : color, 1.6, Qt::SolidLine, Qt::RoundCap,
                                         Qt::RoundJoin));
    painter.restore();
}

QIcon flagIcon(const FlagKind& kind, const ChartColors& colors)
{
    constexpr double sharpness = 3.0;
    QPixmap pixmap(QSize(16, 16) * sharpness);
    pixmap.setDevicePixelRatio(sharpness);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintFlag(painter, QRectF(2.0, 2.0, flagSide, flagSide), kind, colors);
    painter.end();
    return pixmap;
}

FlagsShown flagsShown(const QString& letters, double room)
{
    constexpr double dotWidth = 2.0;
    FlagsShown shown;
    for (const FlagKind& kind : flagKinds())
        if (letters.contains(QChar(kind.letter)))
            shown.kinds.push_back(&kind);
    const auto widthOf = [](std::size_t flags) {
        return static_cast<double>(flags) * (flagSide + flagGap) - flagGap;
    };
    shown.isCut = widthOf(shown.kinds.size()) > room;
    // Done is what a list of decisions is read for: it gives way last.
    while (!shown.kinds.empty() && shown.isCut &&
           widthOf(shown.kinds.size()) + flagGap + dotWidth > room) {
        const bool isDone = shown.kinds.back()->weight == FlagWeight::Done;
        shown.kinds.erase(shown.kinds.end() - (isDone && shown.kinds.size() > 1 ? 2 : 1));
    }
    return shown;
}

int FlagsDelegate::widthOf(int flags)
{
    return static_cast<int>(flags * (flagSide + flagGap) + 3.0 * flagGap);
}

void FlagsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString letters = std::exchange(item.text, QString());
    item.widget->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    const QColor ground = item.palette.color(
        item.state.testFlag(QStyle::State_Selected) ? QPalette::Highlight : QPalette::Base);
    // What is legible on the ground of the row, which may be that of a selection.
    const ChartColors& colors = contrastRatio(ground, Qt::white) > contrastRatio(ground, Qt::black)
                                    ? darkChartColors()
                                    : lightChartColors();
    double left = item.rect.left() + 2.0 * flagGap;
    const FlagsShown shown = flagsShown(letters, item.rect.width() - 2.0 * flagGap);
    for (const FlagKind* kind : shown.kinds) {
        paintFlag(*painter,
                  QRectF(left, item.rect.center().y() - flagSide / 2.0 + 0.5, flagSide, flagSide),
                  *kind, colors);
        left += flagSide + flagGap;
    }
    if (shown.isCut)
        painter->fillRect(QRectF(left, item.rect.center().y(), 2.0, 2.0), colors.text);
}

SparklineDelegate::SparklineDelegate(int countsRole, QObject* parent)
    : QStyledItemDelegate(parent), m_countsRole(countsRole)
{}

void SparklineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);  // selection and focus
    const auto counts = index.data(m_countsRole).value<QList<double>>();
    const QRectF box = QRectF(option.rect).adjusted(4.0, 3.0, -4.0, -3.0);
    paintSparkline(*painter, box, counts, chartColors(option.palette).fill);
}

QSize SparklineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {72, option.fontMetrics.height() + 8};
}

double sqnrShare(double sqnrDb)
{
    constexpr double fullDb = 60.0;
    return std::isnan(sqnrDb) ? 0.0 : std::clamp(sqnrDb / fullDb, 0.0, 1.0);
}

SqnrDelegate::SqnrDelegate(int sqnrRole, QObject* parent, int doubtRole)
    : QStyledItemDelegate(parent), m_sqnrRole(sqnrRole), m_doubtRole(doubtRole)
{}

void SqnrDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyleOptionViewItem number = option;
    number.displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
    QStyledItemDelegate::paint(painter, number, index);
    bool isNumber = false;
    const double sqnrDb = index.data(m_sqnrRole).toDouble(&isNumber);
    if (!isNumber)
        return;
    const bool isDoubted = m_doubtRole != 0 && index.data(m_doubtRole).toBool();
    const SqnrGrade grade = sqnrGrade(sqnrDb);
    const ChartColors& colors = chartColors(option.palette);
    const QRectF track(option.rect.left() + 4.0, option.rect.bottom() - barHeight,
                       option.rect.width() - 8.0, barHeight);
    painter->fillRect(track, colors.grid);
    painter->fillRect(QRectF(track.topLeft(), QSizeF(track.width() * sqnrShare(sqnrDb), barHeight)),
                      sqnrColor(isDoubted ? std::min(grade, SqnrGrade::Fair) : grade, colors));
}

QSize SqnrDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {option.fontMetrics.horizontalAdvance(QStringLiteral("−000.00 dB")),
            option.fontMetrics.height() + 8};
}

}  // namespace calibscope
