// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_painter.h"

#include "tests/support/catch.h"

#include <QImage>
#include <QPainter>

#include <array>
#include <set>

namespace plot_painter_test {

using namespace calibscope;

constexpr std::array markers = {SeriesMarker::Circle,       SeriesMarker::Square,
                                SeriesMarker::Diamond,      SeriesMarker::TriangleUp,
                                SeriesMarker::TriangleDown, SeriesMarker::Cross};

QImage drawn(SeriesMarker marker, double radius)
{
    QImage image(40, 40, QImage::Format_Grayscale8);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Qt::black);
    drawMarker(painter, marker, {20.0, 20.0}, radius);
    return image;
}

double inkOf(const QImage& image)
{
    double ink = 0.0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            ink += 1.0 - qGray(image.pixel(x, y)) / 255.0;
    return ink;
}

TEST_CASE("no two markers look alike")
{
    std::set<QByteArray> pictures;
    for (const SeriesMarker marker : markers) {
        const QImage image = drawn(marker, 8.0);
        pictures.insert(QByteArray(reinterpret_cast<const char*>(image.constBits()),
                                   static_cast<qsizetype>(image.sizeInBytes())));
    }
    CHECK(pictures.size() == markers.size());
}

TEST_CASE("all markers are about as large as a circle")
{
    const double circle = inkOf(drawn(SeriesMarker::Circle, 8.0));
    for (const SeriesMarker marker : markers) {
        CHECK(inkOf(drawn(marker, 8.0)) > 0.7 * circle);
        CHECK(inkOf(drawn(marker, 8.0)) < 1.3 * circle);
    }
}

}  // namespace plot_painter_test
