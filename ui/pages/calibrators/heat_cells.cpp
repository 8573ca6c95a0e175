// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/heat_cells.h"

#include "ui/theme/chart_colors.h"
#include "ui/theme/icons.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace calibscope {

namespace {

constexpr int starPixels = 12;
constexpr int cellPadding = 6;

}  // namespace

QColor textOn(const QColor& ground)
{
    return contrastRatio(Qt::black, ground) >= contrastRatio(Qt::white, ground) ? Qt::black
                                                                                : Qt::white;
}

HeatDelegate::HeatDelegate(GroundOf groundOf, int bestRole, QObject* parent)
    : ColumnNamesDelegate(parent), m_groundOf(std::move(groundOf)), m_bestRole(bestRole)
{}

void HeatDelegate::initStyleOption(QStyleOptionViewItem* item, const QModelIndex& index) const
{
    index.column() == 0 ? ColumnNamesDelegate::initStyleOption(item, index)
                        : QStyledItemDelegate::initStyleOption(item, index);
}

void HeatDelegate::setMarks(Is isNone, Is isHeading)
{
    m_isNone = std::move(isNone);
    m_isHeading = std::move(isHeading);
}

void HeatDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const std::optional<QColor> own = m_groundOf(index);
    if (!own && m_isHeading && m_isHeading(index))
        painter->fillRect(option.rect, option.palette.alternateBase());
    if (!own && m_isNone && m_isNone(index))
        painter->fillRect(option.rect, option.palette.alternateBase());
    if (!own)
        return ColumnNamesDelegate::paint(painter, option, index);
    const QColor& ground = *own;
    const QColor ink = textOn(ground);
    const bool isBest = index.data(m_bestRole).toBool();
    painter->save();
    painter->fillRect(option.rect, ground);
    if (isBest) {
        const QRect star(option.rect.left() + cellPadding / 2,
                         option.rect.center().y() - starPixels / 2 + 1, starPixels, starPixels);
        starIcon(ink).paint(painter, star);
    }
    QFont font = option.font;
    font.setBold(isBest);
    painter->setFont(font);
    painter->setPen(ink);
    painter->drawText(option.rect.adjusted(cellPadding, 0, -cellPadding, 0),
                      Qt::AlignRight | Qt::AlignVCenter, index.data(Qt::DisplayRole).toString());
    if (option.state.testFlag(QStyle::State_HasFocus) ||
        option.state.testFlag(QStyle::State_Selected)) {
        painter->setPen(QPen(ink, 2.0));
        painter->drawRect(option.rect.adjusted(1, 1, -2, -2));
    }
    painter->restore();
}

QSize HeatDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QFont bold = option.font;
    bold.setBold(true);
    const QString text = index.data(Qt::DisplayRole).toString();
    return {QFontMetrics(bold).horizontalAdvance(text) + 3 * cellPadding + starPixels,
            QFontMetrics(bold).height() + cellPadding};
}

MatrixKey::MatrixKey(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("matrixKey"));
    setAccessibleName(tr("Colours"));
    setFixedHeight(2 * fontMetrics().height() + 4);
    setMinimumWidth(20 * fontMetrics().averageCharWidth());
    setMaximumWidth(56 * fontMetrics().averageCharWidth());
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MatrixKey::setTicks(std::vector<Tick> ticks, ColorAt colorAt)
{
    m_ticks = std::move(ticks);
    m_colorAt = std::move(colorAt);
    QStringList texts;
    for (const Tick& tick : m_ticks)
        texts += tick.text;
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
    update();
}

void MatrixKey::paintEvent(QPaintEvent*)
{
    if (m_ticks.empty())
        return;
    QPainter painter(this);
    const ChartColors& colors = chartColors(palette());
    const int text = fontMetrics().height();
    const int margin = fontMetrics().horizontalAdvance(QStringLiteral("000.0"));
    const QRect bar(margin / 2, 2, width() - margin, text - 4);
    for (int x = 0; x < bar.width(); ++x)
        painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(),
                         m_colorAt(x / std::max(1.0, bar.width() - 1.0)));
    // The limit first: it keeps its place, and others give way.
    std::vector<Tick> ordered = m_ticks;
    std::stable_partition(ordered.begin(), ordered.end(), std::mem_fn(&Tick::isLimit));
    std::vector<QRect> taken;
    for (const Tick& tick : ordered) {
        const int x = bar.left() + static_cast<int>(std::lround(tick.share * (bar.width() - 1)));
        painter.setPen(QPen(tick.isLimit ? colors.text : colors.axis, tick.isLimit ? 2.0 : 1.0));
        painter.drawLine(x, tick.isLimit ? 0 : bar.bottom() + 1, x, bar.bottom() + 4);
        const int advance = fontMetrics().horizontalAdvance(tick.text);
        const QRect place(std::clamp(x - advance / 2, 0, std::max(0, width() - advance)),
                          bar.bottom() + 4, advance, text);
        if (std::ranges::any_of(taken, [&](const QRect& other) {
                return other.adjusted(-6, 0, 6, 0).intersects(place);
            }))
            continue;
        taken.push_back(place);
        painter.setPen(tick.isLimit ? colors.text : colors.faintText);
        painter.drawText(place, Qt::AlignCenter, tick.text);
    }
}

}  // namespace calibscope
