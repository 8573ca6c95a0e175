// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/natural_order.h"

namespace calibscope {

namespace {

/// Takes the run of digits, or else the one letter, that the text begins with.
QStringView takePart(QStringView& text)
{
    qsizetype length = 0;
    while (length < text.size() && text[length].isDigit())
        ++length;
    const QStringView part = text.left(length == 0 ? 1 : length);
    text = text.mid(part.size());
    return part;
}

QStringView withoutLeadingZeros(QStringView digits)
{
    while (digits.size() > 1 && digits.front() == u'0')
        digits = digits.mid(1);
    return digits;
}

int compareParts(QStringView left, QStringView right)
{
    if (!left.front().isDigit() || !right.front().isDigit())
        return left.compare(right, Qt::CaseInsensitive);
    left = withoutLeadingZeros(left);
    right = withoutLeadingZeros(right);
    if (left.size() != right.size())
        return left.size() < right.size() ? -1 : 1;
    return left.compare(right);
}

}  // namespace

bool naturalLess(QStringView left, QStringView right)
{
    while (!left.isEmpty() && !right.isEmpty())
        if (const int order = compareParts(takePart(left), takePart(right)))
            return order < 0;
    return left.size() < right.size();
}

}  // namespace calibscope
