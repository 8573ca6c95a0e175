// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/parts_label.h"

#include "ui/theme/name_parts.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <iterator>
#include <utility>

namespace calibscope {

namespace {

constexpr int labelMargin = 2;  // of the height, as a label of one line has

}  // namespace

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
    // Of several parts not even the first: some letters of it say nothing.
    if (text.contains(gap) && 2 * width < metrics.horizontalAdvance(text.section(gap, 0, 0)))
        return {};
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

void ElidedLabel::setTexts(const QString& text, QStringList shorter)
{
    m_text = text;
    m_shorter = std::move(shorter);
    m_needs.clear();
    setToolTip(text);
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ElidedLabel::setName(const QString& name, const QByteArray& needs, const QString& before)
{
    setText(before + name);
    const auto ofBefore = std::ssize(partsOf(before.toStdString()));
    const auto all = std::ssize(partsOf(m_text.toStdString()));  // a "/" joins what is before it
    if (!needs.isEmpty() && all >= ofBefore)
        m_needs = QByteArray(ofBefore, NameParts::Essential) + needs.right(all - ofBefore);
}

void ElidedLabel::setLines(int lines)
{
    m_lines = lines;
    updateGeometry();
}

QSize ElidedLabel::sizeHint() const
{
    const QMargins margins = contentsMargins();
    return {fontMetrics().horizontalAdvance(m_text) + 2 + margins.left() + margins.right(),
            minimumSizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    const QMargins margins = contentsMargins();
    return {fontMetrics().averageCharWidth() * 8,
            m_lines * fontMetrics().height() + 2 + margins.top() + margins.bottom()};
}

QString ElidedLabel::shownText() const
{
    if (!m_needs.isEmpty())
        return elidedName(m_text, fontMetrics(), contentsRect().width(), m_needs);
    QStringList lines;
    for (const QString& text : QStringList(m_text) + m_shorter) {
        lines = fittingLines(text, fontMetrics(), m_mode, contentsRect().width(), m_lines);
        if (lines.join(u' ') == text)
            break;
    }
    return lines.join(u'\n');
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, shownText());
}

PartsLabel::PartsLabel(QWidget* parent) : QFrame(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PartsLabel::setParts(std::vector<Part> parts)
{
    if (parts == m_parts)
        return;
    m_parts = std::move(parts);
    updateGeometry();
    update();
}

std::vector<std::vector<PartsLabel::Part>> PartsLabel::linesOf(int width) const
{
    std::vector<std::vector<Part>> lines;
    int end = 0;
    for (const Part& part : m_parts) {
        const int size = fontMetrics().horizontalAdvance(part.text);
        if (lines.empty() || end + gap() + size > width) {
            lines.emplace_back();
            end = size;
        } else {
            end += gap() + size;
        }
        lines.back().push_back(part);
    }
    return lines;
}

QSize PartsLabel::sizeHint() const
{
    int width = 0;
    for (const Part& part : m_parts)
        width += fontMetrics().horizontalAdvance(part.text) + gap();
    return {width, fontMetrics().height() + labelMargin};
}

QSize PartsLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 8, fontMetrics().height() + labelMargin};
}

int PartsLabel::heightForWidth(int width) const
{
    const auto lines = std::max<std::ptrdiff_t>(std::ssize(linesOf(width)), 1);
    return fontMetrics().height() * static_cast<int>(lines) + labelMargin;
}

void PartsLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRect room = contentsRect();
    int top = room.top() + labelMargin / 2;
    for (const std::vector<Part>& line : linesOf(room.width())) {
        int left = room.left();
        for (const Part& part : line) {
            const QString text =
                fontMetrics().elidedText(part.text, Qt::ElideRight, room.right() + 1 - left);
            painter.setPen(palette().color(part.role));
            painter.drawText(QPoint(left, top + fontMetrics().ascent()), text);
            left += fontMetrics().horizontalAdvance(text) + gap();
        }
        top += fontMetrics().height();
    }
}

}  // namespace calibscope
