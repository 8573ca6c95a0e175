#include "tests/support/golden_picture.h"

#include "tests/support/catch.h"

#include <QDir>
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

void write(const QImage& picture, const QString& folder, const QString& file)
{
    REQUIRE(QDir().mkpath(folder));
    QImageWriter writer(folder + u'/' + file, "png");
    writer.setCompression(100);
    QImage plain = picture.convertToFormat(QImage::Format_RGB32);
    plain.setDevicePixelRatio(1.0);
    REQUIRE(writer.write(plain));
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
