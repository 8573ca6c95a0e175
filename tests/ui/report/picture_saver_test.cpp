#include "ui/report/picture_saver.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace calibscope;
using namespace calibscope::test;

namespace {

QImage square(int gray)
{
    QImage image(20, 20, QImage::Format_RGB32);
    image.fill(QColor(gray, gray, gray));
    return image;
}

}  // namespace

TEST_CASE("more pictures than may be pending are all written")
{
    const TemporaryFolder folder;
    PictureSaver saver;
    for (int gray = 0; gray < 50; ++gray)
        saver.save(square(gray), QString::fromStdString(folder.file(std::to_string(gray))));
    saver.finish();
    for (int gray = 0; gray < 50; ++gray) {
        const QImage read(QString::fromStdString(folder.file(std::to_string(gray))));
        REQUIRE(read.size() == QSize(20, 20));
        CHECK(read.pixelColor(3, 3) == QColor(gray, gray, gray));
    }
}

TEST_CASE("a picture that can't be written is told at the end, or at the next picture")
{
    PictureSaver saver;
    saver.save(square(1), "/nowhere/picture.png");
    CHECK_THROWS_WITH(saver.finish(), containsText("/nowhere/picture.png"));
    CHECK_THROWS_AS(saver.save(square(2), "/nowhere/other.png"), Error);
}
