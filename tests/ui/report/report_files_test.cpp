// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_files.h"

#include "core/base/error.h"
#include "core/base/progress.h"
#include "ui/charts/curve_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>

namespace report_files_test {

using namespace calibscope;
using namespace calibscope::test;

PictureSettings titled(int number)
{
    return {.size = {300, 200}, .title = QString::number(number)};
}

std::shared_ptr<const PlotContent> curves()
{
    auto content = std::make_shared<CurveContent>();
    content->setCurves(
        {curveOf(QStringLiteral("entropy"), "KL divergence", {1.0, 2.0, 3.0}, {3.0, 1.0, 2.0})});
    return content;
}

TEST_CASE("pictures that are drawn beside each other are those of one thread")
{
    const TemporaryFolder folder;
    const std::shared_ptr<const PlotContent> content = curves();
    const auto path = [&folder](int number, const char* ending) {
        return QString::fromStdString(folder.file(std::to_string(number) + ending));
    };
    PictureSaver saver;
    for (int number = 0; number < 25; ++number) {
        saver.save(content, titled(number), path(number, ".png"));
        saver.save(content, titled(number), path(number, ".svg"));
    }
    saver.finish();
    for (int number = 0; number < 25; ++number) {
        CHECK(QImage(path(number, ".png")).convertToFormat(QImage::Format_RGB32) ==
              renderContent(*content, titled(number)));
        CHECK(readBytes(path(number, ".svg").toStdString()) ==
              renderSvg(*content, titled(number)).toStdString());
    }
}

TEST_CASE("a picture that can't be written is reported at the end, or at the next picture")
{
    PictureSaver saver;
    saver.save(curves(), titled(1), "/nowhere/picture.png");
    CHECK_THROWS_WITH(saver.finish(), containsText("/nowhere/picture.png"));
    CHECK_THROWS_AS(saver.save(curves(), titled(2), "/nowhere/other.png"), Error);
}

TEST_CASE("views come back as they were put")
{
    const TemporaryFolder folder;
    const ViewSpool spool(folder.file("views"));
    protocol::TensorView view;
    view.profile.info = {
        .name = "a", .path = "/a", .elementType = ElementKind::Float32, .shape = {2, 3}};
    view.profile.histograms = {{.low = 0.0, .high = 3.0, .counts = {2, 1, 1}}};
    SketchCounter counter;
    counter.add(std::vector<float>{-1.0F, 0.0F, 1.0F, 3.0F});
    view.profile.sketch = counter.sketch();
    spool.put(3, view);
    const auto taken = spool.take(3);
    REQUIRE(taken);
    CHECK(taken->profile.info.name == "a");
    CHECK(taken->profile.histograms == view.profile.histograms);
    CHECK(taken->profile.sketch == view.profile.sketch);  // what a diagnosis is made from
    CHECK_FALSE(spool.take(4));
    spool.clear();
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a folder for views that can't be made is told")
{
    CHECK_THROWS_WITH(ViewSpool("/nowhere/views"), containsText("/nowhere/views"));
}

TEST_CASE("the digest of a file is its SHA-256")
{
    const TemporaryFolder folder;
    writeBytes(folder.file("abc"), "abc");
    // FIPS 180-2, appendix B.1
    CHECK(fileDigest(folder.file("abc"), [] {}) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(fileDigest("/nowhere/a.h5", [] {}).empty());
}

TEST_CASE("a digest can be stopped")
{
    const TemporaryFolder folder;
    writeBytes(folder.file("abc"), "abc");
    CHECK_THROWS_AS(fileDigest(folder.file("abc"), [] { throw Cancelled{}; }), Cancelled);
}

}  // namespace report_files_test
