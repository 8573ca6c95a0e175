// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStringList>

namespace calibscope {

QString fittingText(const QString& text, const QFontMetrics& metrics, Qt::TextElideMode mode,
                    int width)
{
    static const QString gap = QStringLiteral("   ");
    const QString more = gap + QChar(u'\u2026');
    if (metrics.horizontalAdvance(text) <= width || mode != Qt::ElideRight)
        return metrics.elidedText(text, mode, width);
    for (QStringList parts = text.split(gap); parts.size() > 1;) {
        parts.removeLast();
        if (const QString left = parts.join(gap) + more; metrics.horizontalAdvance(left) <= width)
            return left;
    }
    return metrics.elidedText(text, mode, width);
}

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QFrame(parent), m_mode(mode)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text)
{
    m_text = text;
    setToolTip(text);
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 8, fontMetrics().height() + 2};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fittingText(m_text, fontMetrics(), m_mode, contentsRect().width()));
}

}  // namespace calibscope
