// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/number_label.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace calibscope {

namespace {

constexpr char16_t minusSign = u'\u2212';

std::atomic<int> shownDigits = LabelFormat{}.digits;
std::atomic<int> plainPowers = LabelFormat{}.plainPowers;

QString withTrueMinus(QString text)
{
    return text.replace(u'-', QChar(minusSign));
}

QString withoutZerosAtEnd(QString text)
{
    if (!text.contains(u'.'))
        return text;
    while (text.endsWith(u'0'))
        text.chop(1);
    if (text.endsWith(u'.'))
        text.chop(1);
    return text;
}

}  // namespace

LabelFormat labelFormat()
{
    return {.digits = shownDigits, .plainPowers = plainPowers};
}

void setLabelFormat(LabelFormat format)
{
    shownDigits = std::clamp(format.digits, 2, 9);
    plainPowers = std::clamp(format.plainPowers, 3, 12);
}

QString valueLabel(double value, int digits)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    if (value == 0.0)
        return QStringLiteral("0");
    // The exponent is read off the rounded text: 9.99996 with four digits is 10, not 9.
    const QString scientific = QString::number(value, 'e', digits - 1);
    const auto letter = scientific.indexOf(u'e');
    const int exponent = scientific.mid(letter + 1).toInt();
    const int powers = plainPowers;
    if (exponent < 2 - powers || exponent >= powers)
        return withTrueMinus(withoutZerosAtEnd(scientific.left(letter))) + u'×' +
               powerOfTenLabel(exponent);
    const int decimals = std::max(digits - 1 - exponent, 0);
    return withTrueMinus(withoutZerosAtEnd(QString::number(value, 'f', decimals)));
}

QString fineLabel(double value, double step, int digits)
{
    constexpr int most = 15;
    const double places = std::log10(std::abs(value) / std::abs(step));
    const int wanted = std::isfinite(places) ? static_cast<int>(std::ceil(places)) + 1 : digits;
    return valueLabel(value, std::clamp(wanted, digits, most));
}

QString shortLabel(double value, int digits)
{
    if (!std::isfinite(value) || value == 0.0)
        return valueLabel(value, digits);
    const QString plain = valueLabel(value, digits);
    if (!plain.contains(u'×') && plain.size() <= digits + 4)
        return plain;
    const QString text = QString::number(value, 'e', std::max(digits - 2, 0));
    const auto letter = text.indexOf(u'e');
    return withTrueMinus(withoutZerosAtEnd(text.left(letter)) + u'e' +
                         QString::number(text.mid(letter + 1).toInt()));
}

QString fixedLabel(double value, int decimals)
{
    const QString text = QString::number(value, 'f', decimals);
    // -0.04 with one decimal is 0, not −0.
    return text.startsWith(u'-') && text.toDouble() == 0.0 ? text.mid(1) : withTrueMinus(text);
}

QString dbLabel(const std::optional<double>& db)
{
    if (!db)
        return QStringLiteral("–");
    return std::isfinite(*db) ? fixedLabel(*db, 1) : valueLabel(*db);
}

QString countLabel(std::uint64_t count)
{
    return QString::fromStdString(groupedText(count));
}

QString countText(std::uint64_t count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(countLabel(count));
}

QString bytesLabel(std::uint64_t bytes)
{
    if (bytes < 1000)
        return QStringLiteral("%1 B").arg(bytes);
    double size = static_cast<double>(bytes) / 1000.0;
    QString unit = QStringLiteral("kB");
    for (const char* larger : {"MB", "GB", "TB"}) {
        if (size < 999.5)
            break;
        size /= 1000.0;
        unit = QLatin1String(larger);
    }
    return valueLabel(size, 3) + u' ' + unit;
}

QString powerOfTenLabel(int exponent)
{
    constexpr std::array superscripts = {u'⁰', u'¹', u'²', u'³', u'⁴',
                                         u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    QString text = QStringLiteral("10");
    for (const QChar digit : QString::number(exponent))
        text += digit == u'-' ? QChar(u'⁻')
                              : QChar(superscripts[static_cast<std::size_t>(digit.digitValue())]);
    return text;
}

}  // namespace calibscope
