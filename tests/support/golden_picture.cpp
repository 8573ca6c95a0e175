#include "tests/support/golden_picture.h"

#include "tests/support/catch.h"

#include <QDir>
#include <QHash>
#include <QImageWriter>

#include <algorithm>
#include <cstdlib>

namespace calibscope::test {

namespace {

constexpr int clearDifference = 24;      // of 255, in any channel
constexpr double mostDiffering = 0.002;  // of the pixels: edges of letters

bool isRewriting()
{
    return qEnvironmentVariableIsSet("CALIBSCOPE_WRITE_GOLDEN");
}

bool areComparedByPixel()
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

}  // namespace

double differingShare(const QImage& one, const QImage& other)
{
    if (one.size() != other.size() || one.isNull())
        return 1.0;
    qint64 differing = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x) {
            const QRgb a = one.pixel(x, y);
            const QRgb b = other.pixel(x, y);
            const int difference =
                std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)),
                          std::abs(qBlue(a) - qBlue(b))});
            differing += difference > clearDifference;
        }
    return static_cast<double>(differing) /
           (static_cast<double>(one.width()) * static_cast<double>(one.height()));
}

void checkGolden(const QString& name, const std::function<QImage(const GoldenVariant&)>& take)
{
    const QString folder = QStringLiteral(CALIBSCOPE_SOURCE_DIR "/tests/golden/pictures");
    for (const GoldenVariant& variant : {GoldenVariant{false, 1.0}, GoldenVariant{false, 2.0},
                                         GoldenVariant{true, 1.0}, GoldenVariant{true, 2.0}}) {
        const QString file = fileName(name, variant);
        const QImage picture = take(variant);
        if (isRewriting()) {
            write(picture, folder, file);
            continue;
        }
        const QImage golden(folder + u'/' + file);
        INFO(file.toStdString());
        CHECK(golden.size() == picture.size());
        CHECK(hasInk(picture));
        if (!areComparedByPixel())
            continue;
        const double share = differingShare(picture, golden);
        if (share > mostDiffering)
            write(picture, QStringLiteral(CALIBSCOPE_PROGRAM_DIR "/golden_failures"), file);
        CHECK(share <= mostDiffering);
    }
}

}  // namespace calibscope::test
