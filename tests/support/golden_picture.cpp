// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden_picture.h"

#include "tests/support/catch.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QImageWriter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace calibscope::test {

namespace {

constexpr int clearDifference = 24;  // of 255, in any channel
constexpr int tileSize = 16;
constexpr int mostInTile = 6;  // pixels: less than a digit or a curve of one tile's width
constexpr qsizetype mostTold = 8;
constexpr QChar headerMark = u'=';

bool isRewriting()
{
    return qEnvironmentVariableIsSet("CALIBSCOPE_WRITE_GOLDEN");
}

bool isQtOfGoldens()
{
    return QString::fromLatin1(qVersion()).startsWith(QStringLiteral("6.4"));
}

QString fileName(const QString& name, const GoldenVariant& variant)
{
    return QStringLiteral("%1-%2-%3x.png")
        .arg(name, variant.isDark ? QStringLiteral("dark") : QStringLiteral("light"))
        .arg(variant.scale);
}

/// The nearest of `levels` even steps.
int rounded(int channel, int levels)
{
    const int steps = levels - 1;
    return (channel * steps + 127) / 255 * 255 / steps;
}

/// With at most 256 colours, in so many steps of each channel; null if there are more.
QImage inFewColours(const QImage& picture, int levels)
{
    QHash<QRgb, uchar> places;
    QList<QRgb> colours;
    QImage few(picture.size(), QImage::Format_Indexed8);
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const QRgb exact = picture.pixel(x, y);
            const QRgb colour = qRgb(rounded(qRed(exact), levels), rounded(qGreen(exact), levels),
                                     rounded(qBlue(exact), levels));
            auto place = places.constFind(colour);
            if (place == places.constEnd()) {
                if (colours.size() == 256)
                    return {};
                place = places.insert(colour, static_cast<uchar>(colours.size()));
                colours.append(colour);
            }
            few.scanLine(y)[x] = *place;
        }
    few.setColorTable(colours);
    return few;
}

/// As small as it can be kept and still be compared: in 52, 32 or 18 levels.
QImage inFewColours(const QImage& picture)
{
    for (const int levels : {52, 32, 18})
        if (const QImage few = inFewColours(picture, levels); !few.isNull())
            return few;
    return picture;
}

void write(const QImage& picture, const QString& folder, const QString& file)
{
    REQUIRE(QDir().mkpath(folder));
    QImageWriter writer(folder + u'/' + file, "png");
    writer.setCompression(100);
    QImage plain = picture.convertToFormat(QImage::Format_RGB32);
    plain.setDevicePixelRatio(1.0);
    REQUIRE(writer.write(inFewColours(plain)));
}

void writeLines(const QStringList& lines, const QString& path)
{
    REQUIRE(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(lines.join(u'\n').toUtf8() + '\n');
}

QString failures()
{
    return QStringLiteral(CALIBSCOPE_PROGRAM_DIR "/golden_failures");
}

/// At least two colours.
bool hasInk(const QImage& picture)
{
    const QRgb first = picture.pixel(0, 0);
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            if (picture.pixel(x, y) != first)
                return true;
    return false;
}

bool differsClearly(QRgb one, QRgb other)
{
    return std::max({std::abs(qRed(one) - qRed(other)), std::abs(qGreen(one) - qGreen(other)),
                     std::abs(qBlue(one) - qBlue(other))}) > clearDifference;
}

/// Where a widget is, of the line over what it draws.
QPoint cornerOf(const QString& header)
{
    const QStringList place = header.section(u' ', 2, 2).split(u',');
    return place.size() == 2 ? QPoint(place[0].toInt(), place[1].toInt()) : QPoint();
}

/// A line with its positions counted from a corner.
QString countedFrom(const QPoint& corner, const QString& line)
{
    static const QRegularExpression position(QStringLiteral("\\b(at|box|mean) (-?\\d+),(-?\\d+)"));
    const qsizetype quote = line.indexOf(u'"');
    QString counted = line;
    qsizetype grown = 0;
    for (const QRegularExpressionMatch& found : position.globalMatch(line.left(quote))) {
        const QString text = QStringLiteral("%1 %2,%3")
                                 .arg(found.captured(1))
                                 .arg(found.captured(2).toInt() - corner.x())
                                 .arg(found.captured(3).toInt() - corner.y());
        counted.replace(found.capturedStart() + grown, found.capturedLength(), text);
        grown += text.size() - found.capturedLength();
    }
    return counted;
}

/// Where the last whole row of an item view ends at the latest; a view that is a few pixels higher
/// shows the edge of one row more.
int endOfRows(const QString& header)
{
    return header.contains(QStringLiteral("View ")) && !header.contains(QStringLiteral("Chart"))
               ? header.section(u'x', -1).toInt()
               : std::numeric_limits<int>::max();
}

/// Of a line that was countedFrom() a corner.
int lowestOf(const QString& line)
{
    return line.section(u' ', 2, 2).section(u',', 1).toInt();
}

/// With another style: texts, and plots whole, as they lie in their widget, which may be elsewhere.
QStringList comparedLines(const QStringList& lines, DrawnMatch match)
{
    if (match == DrawnMatch::Same)
        return lines;
    QStringList compared;
    bool isPlot = true;
    QPoint corner;
    int end = std::numeric_limits<int>::max();
    for (const QString& line : lines) {
        if (line.startsWith(headerMark)) {
            isPlot = line.contains(QStringLiteral("Chart"));
            corner = cornerOf(line);
            end = endOfRows(line);
        } else if (isPlot || line.startsWith(QStringLiteral("text"))) {
            const QString counted = countedFrom(corner, line);
            if (isPlot || lowestOf(counted) < end)
                compared.append(counted);
        }
    }
    return compared;
}

/// Words are the same; numbers, those of counts ("n12") among them, nearly so.
bool isNearly(QStringView one, QStringView other, DrawnMatch match)
{
    if (one == other)
        return true;
    const bool isCount = one.startsWith(u'n') && other.startsWith(u'n');
    if (isCount && match == DrawnMatch::Same)
        return false;
    bool isNumber = false;
    bool isOtherNumber = false;
    const double value = one.mid(isCount ? 1 : 0).toDouble(&isNumber);
    const double otherValue = other.mid(isCount ? 1 : 0).toDouble(&isOtherNumber);
    const double share = match == DrawnMatch::Same ? 0.002 : 0.03;
    const double pixels = match == DrawnMatch::Same ? 1.0 : 12.0;
    return isNumber && isOtherNumber &&
           std::abs(value - otherValue) <= pixels + share * std::abs(value);
}

bool isNearlyLine(const QString& one, const QString& other, DrawnMatch match)
{
    // A text itself is compared letter by letter.
    const qsizetype quote = one.indexOf(u'"');
    const qsizetype otherQuote = other.indexOf(u'"');
    if (quote >= 0 && (otherQuote < 0 || one.mid(quote) != other.mid(otherQuote)))
        return false;
    static const QRegularExpression between(QStringLiteral("[ ,x]"));
    const QStringList words = one.left(quote).split(between);
    const QStringList otherWords = other.left(otherQuote).split(between);
    return std::ranges::equal(words, otherWords, [match](const QString& a, const QString& b) {
        return isNearly(a, b, match);
    });
}

void checkDrawn(const QString& name, const QStringList& drawn)
{
    const QString path =
        QStringLiteral(CALIBSCOPE_SOURCE_DIR "/tests/golden/drawn/%1.txt").arg(name);
    if (isRewriting())
        return writeLines(drawn, path);
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QStringList golden = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
    const QStringList differences = drawnDifferences(
        golden, drawn, isQtOfGoldens() ? DrawnMatch::Same : DrawnMatch::OtherStyle);
    if (!differences.isEmpty())
        writeLines(drawn, failures() + u'/' + name + QStringLiteral(".txt"));
    CHECK(differences.join(u'\n').toStdString() == "");
}

void checkPicture(const QString& file, const QImage& picture)
{
    const QString folder = QStringLiteral(CALIBSCOPE_SOURCE_DIR "/tests/golden/pictures");
    if (isRewriting())
        return write(picture, folder, file);
    const QImage golden(folder + u'/' + file);
    CHECK(golden.size() == picture.size());
    CHECK(hasInk(picture));
    if (!isQtOfGoldens())
        return;
    const QString tile = differingTile(picture, golden);
    if (!tile.isEmpty())
        write(picture, failures(), file);
    CHECK(tile.toStdString() == "");
}

std::vector<GoldenVariant> variantsOf(GoldenLooks looks)
{
    switch (looks) {
    case GoldenLooks::Light: return {{}};
    case GoldenLooks::LightAndDark: return {{}, {.isDark = true}};
    case GoldenLooks::LightDarkAndFine: return {{}, {.scale = 2.0}, {.isDark = true}};
    }
    return {};
}

}  // namespace

QStringList drawnDifferences(const QStringList& golden, const QStringList& drawn, DrawnMatch match)
{
    const QStringList was = comparedLines(golden, match);
    const QStringList is = comparedLines(drawn, match);
    QStringList differences;
    if (was.size() != is.size())
        differences.append(QStringLiteral("%1 lines, were %2").arg(is.size()).arg(was.size()));
    for (qsizetype line = 0; line < std::min(was.size(), is.size()); ++line)
        if (differences.size() < mostTold && !isNearlyLine(was[line], is[line], match))
            differences.append(QStringLiteral("was: %1\n is: %2").arg(was[line], is[line]));
    return differences;
}

QString differingTile(const QImage& one, const QImage& other)
{
    if (one.size() != other.size() || one.isNull())
        return QStringLiteral("pictures of different size");
    for (int top = 0; top < one.height(); top += tileSize)
        for (int left = 0; left < one.width(); left += tileSize) {
            int differing = 0;
            for (int y = top; y < std::min(top + tileSize, one.height()); ++y)
                for (int x = left; x < std::min(left + tileSize, one.width()); ++x)
                    differing += differsClearly(one.pixel(x, y), other.pixel(x, y));
            if (differing > mostInTile)
                return QStringLiteral("%1 pixels of the tile at %2, %3")
                    .arg(differing)
                    .arg(left)
                    .arg(top);
        }
    return {};
}

void checkGolden(const QString& name, const std::function<GoldenView(const GoldenVariant&)>& take,
                 GoldenLooks looks)
{
    for (const GoldenVariant& variant : variantsOf(looks)) {
        const QString file = fileName(name, variant);
        const GoldenView view = take(variant);
        INFO(file.toStdString());
        checkPicture(file, view.picture);
        if (!variant.isDark && variant.scale == 1.0)
            checkDrawn(name, view.drawn);
    }
}

}  // namespace calibscope::test
