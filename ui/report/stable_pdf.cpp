#include "ui/report/stable_pdf.h"

#include <QCryptographicHash>

namespace calibscope {

namespace {

/// Replaces what stands between the two from `from` on, cut or filled up with blanks; where it was.
qsizetype replaceBetween(QByteArray& text, qsizetype from, const QByteArray& before,
                         const QByteArray& after, const QByteArray& with)
{
    const qsizetype start = text.indexOf(before, from);
    if (start < 0)
        return -1;
    const qsizetype inner = start + before.size();
    const qsizetype end = text.indexOf(after, inner);
    if (end < 0)
        return -1;
    text.replace(inner, end - inner, with.leftJustified(end - inner, ' ', true));
    return inner;
}

/// The numbers of the page objects, in the pages' order.
QList<QByteArray> pageObjects(const QByteArray& pdf)
{
    const qsizetype kids = pdf.indexOf("/Kids");
    const qsizetype start = pdf.indexOf('[', kids);
    const qsizetype end = pdf.indexOf(']', start);
    QList<QByteArray> numbers;
    if (kids < 0 || start < 0 || end < 0)
        return numbers;
    const QList<QByteArray> words = pdf.mid(start + 1, end - start - 1).simplified().split(' ');
    for (qsizetype word = 0; word + 2 < words.size(); word += 3)  // "12 0 R"
        numbers += words[word];
    return numbers;
}

}  // namespace

QString paddedLink(const QString& anchor)
{
    constexpr int longest = 28;  // "/D [1234567 0 R /Fit]" has the room
    return (QStringLiteral("#") + anchor).leftJustified(longest, u'_');
}

QByteArray withInnerLinks(QByteArray pdf, const std::map<QString, int>& pages)
{
    const QList<QByteArray> objects = pageObjects(pdf);
    for (const auto& [anchor, page] : pages) {
        const QByteArray uri = "/S /URI\n/URI (" + paddedLink(anchor).toLatin1() + ")";
        if (page < 0 || page >= objects.size())
            continue;
        const QByteArray inner = "/S /GoTo\n/D [" + objects[page] + " 0 R /Fit]";
        pdf.replace(uri, inner.leftJustified(uri.size(), ' '));
    }
    return pdf;
}

QByteArray stablePdf(QByteArray pdf, const QDateTime& date)
{
    const QByteArray day = date.toUTC().toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1();
    // Behind it stands Z, or an offset where the local clock has one.
    const qsizetype written =
        pdf.indexOf(')', pdf.indexOf("/CreationDate (D:")) - pdf.indexOf("/CreationDate (D:") - 17;
    replaceBetween(pdf, 0, "/CreationDate (D:", ")",
                   day + (written > day.size() + 1 ? "+00'00'" : "Z"));
    const qsizetype trailer = pdf.lastIndexOf("/ID [");
    if (trailer < 0)
        return pdf;
    const QByteArray zeros(32, '0');
    const qsizetype first = replaceBetween(pdf, trailer, "<", ">", zeros);
    replaceBetween(pdf, first, "<", ">", zeros);
    const QByteArray id =
        QCryptographicHash::hash(pdf, QCryptographicHash::Sha256).toHex().left(zeros.size());
    const qsizetype again = replaceBetween(pdf, trailer, "<", ">", id);
    replaceBetween(pdf, again, "<", ">", id);
    return pdf;
}

}  // namespace calibscope
