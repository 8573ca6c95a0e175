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

QStringList fittingLines(const QString& text, const QFontMetrics& metrics, Qt::TextElideMode mode,
                         int width, int most)
{
    QStringList lines;
    QString left = text;
    while (lines.size() + 1 < most && metrics.horizontalAdvance(left) > width) {
        qsizetype end = left.lastIndexOf(u' ');
        while (end > 0 && metrics.horizontalAdvance(left.first(end)) > width)
            end = left.lastIndexOf(u' ', end - 1);
        if (end <= 0)
            break;
        lines += left.first(end);
        left = left.sliced(end).trimmed();
    }
    return lines << fittingText(left, metrics, mode, width);
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

void ElidedLabel::setLines(int lines)
{
    m_lines = lines;
    updateGeometry();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, minimumSizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 8, m_lines * fontMetrics().height() + 2};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(
        contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
        fittingLines(m_text, fontMetrics(), m_mode, contentsRect().width(), m_lines).join(u'\n'));
}

}  // namespace calibscope
