// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/legend_popup.h"

#include "ui/plot/plot_painter.h"

#include <QPainter>
#include <QScreen>
#include <QStringList>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int margin = 10;

}  // namespace

LegendPopup::LegendPopup(std::vector<LegendEntry> entries, const ChartColors& colors,
                         QWidget* parent)
    : QFrame(parent, Qt::Popup), m_entries(std::move(entries)), m_colors(colors)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Legend"));
    QStringList texts;
    for (const LegendEntry& entry : m_entries)
        texts += entry.text;
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
    const QSizeF size = legendListSize(m_entries, font());
    resize((size + QSizeF(2.0 * margin, 2.0 * margin)).toSize());
}

void LegendPopup::openAt(const QPoint& globalCorner)
{
    QPoint corner = globalCorner;
    if (const QScreen* shown = parentWidget()->screen()) {
        const QRect free = shown->availableGeometry();
        corner.setX(std::max(std::min(corner.x(), free.right() - width()), free.left()));
        corner.setY(std::max(std::min(corner.y(), free.bottom() - height()), free.top()));
    }
    move(corner);
    show();
}

void LegendPopup::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_colors.background);
    painter.setPen(m_colors.axis);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.translate(margin, margin);
    paintLegendList(painter, m_entries, font(), m_colors);
}

}  // namespace calibscope
