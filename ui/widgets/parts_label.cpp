// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/parts_label.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <iterator>

namespace calibscope {

namespace {

constexpr int labelMargin = 2;  // of the height, as a label of one line has

}  // namespace

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

int PartsLabel::gap() const
{
    return fontMetrics().horizontalAdvance(QStringLiteral("   "));
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
