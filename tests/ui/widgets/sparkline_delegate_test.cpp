#include "ui/widgets/sparkline_delegate.h"

#include "tests/support/catch.h"

#include <QImage>
#include <QPainter>

#include <limits>

using namespace calibscope;

namespace {

/// Heights of the columns of a sparkline in a box of 10 pixels per count and 20 pixels height.
std::vector<int> heights(const QList<double>& counts)
{
    QImage image(10 * static_cast<int>(std::max<qsizetype>(counts.size(), 1)), 20,
                 QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintSparkline(painter, image.rect(), counts, Qt::black);
    painter.end();
    std::vector<int> found;
    for (int x = 5; x < image.width(); x += 10) {
        int height = 0;
        for (int y = 0; y < image.height(); ++y)
            height += image.pixelColor(x, y) == Qt::black ? 1 : 0;
        found.push_back(height);
    }
    return found;
}

}  // namespace

TEST_CASE("a sparkline is logarithmic from a tenth of the box to all of it")
{
    CHECK(heights({1.0, 10.0, 100.0}) == std::vector<int>{2, 11, 20});
}

TEST_CASE("zero counts are gaps and equal counts are full")
{
    CHECK(heights({7.0, 0.0, 7.0}) == std::vector<int>{20, 0, 20});
}

TEST_CASE("nothing to draw draws nothing")
{
    CHECK(heights({}) == std::vector<int>{0});
    CHECK(heights({0.0, 0.0}) == std::vector<int>{0, 0});
    CHECK(heights({std::numeric_limits<double>::quiet_NaN(), 1.0}).front() == 0);
    CHECK(heights({std::numeric_limits<double>::infinity(), 1.0}) == std::vector<int>{0, 0});
}
